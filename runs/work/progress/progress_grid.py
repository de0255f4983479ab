"""The grid of agents × tasks of an evaluation: by task if it is small enough, else by repository."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from runs.data.cells.run_sums import RunSums
from runs.models import Agent, Evaluation
from runs.work.progress.run_counts import RunTally, tallies
from tasks.models import Task

MAX_CELLS = 600
MIN_ROWS = 10


@dataclass(frozen=True, slots=True)
class ProgressCell:
    """One cell of the grid: an agent at a task, or at the tasks of a repository, and the address of its runs."""

    tally: RunTally
    address: str

    @property
    def text(self) -> str:
        """The short form: `3/5 !1 ● +2 ⊘1`."""
        here = self.tally
        parts = [
            f"{here.resolved}/{here.finished}" if here.finished else "",
            f"!{here.failed}" if here.failed else "",
            "●" if here.active else "",
            f"+{here.to_come}" if here.to_come else "",
            f"⊘{here.cancelled}" if here.cancelled else "",
        ]
        return " ".join(filter(None, parts))

    @property
    def title(self) -> str:
        """The same in words."""
        here = self.tally
        parts = [
            f"{here.resolved} of {here.finished} resolved" if here.finished else "",
            f"{here.failed} failed by the infrastructure" if here.failed else "",
            f"{here.active} under way" if here.active else "",
            f"{here.queued} not started" if here.queued else "",
            f"{here.cancelled} cancelled" if here.cancelled else "",
        ]
        return ", ".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class ProgressRow:
    """A task, or a repository and the number of its tasks in the evaluation. A cell without runs is None.

    `home`: the title of a task's repository, if tasks of several are shown.
    """

    title: str
    address: str
    cells: tuple[ProgressCell | None, ...]
    tasks: int = 1
    home: str = ""


@dataclass(frozen=True, slots=True)
class ProgressGrid:
    """The rows of one page. `by_repository`: each row is a repository and links to its tasks.

    `repository`: the title of the only one whose tasks are shown.
    """

    agents: tuple[Agent, ...]
    rows: tuple[ProgressRow, ...]
    by_repository: bool
    repository: str = ""
    page: int = 1
    pages: int = 1


def grid_of(
    found: Evaluation,
    rows: Sequence[RunSums],
    agents: Sequence[Agent],
    tasks: Sequence[Task],
    *,
    repository: str,
    page: int,
) -> ProgressGrid:
    """The grid of these agents and tasks, no query. `repository`: only the tasks of this one."""
    if repository:
        tasks = [task for task in tasks if task.repository.slug == repository]
    elif len(tasks) * len(agents) > MAX_CELLS and len({task.repository_id for task in tasks}) > 1:
        return ProgressGrid(tuple(agents), _repositories(found, rows, agents, tasks), by_repository=True)
    size = max(MIN_ROWS, MAX_CELLS // max(1, len(agents)))
    pages = max(1, -(-len(tasks) // size))
    page = min(page, pages)
    shown = tasks[(page - 1) * size : page * size]
    title = shown[0].repository.title if repository and shown else ""
    return ProgressGrid(tuple(agents), _tasks(found, rows, agents, shown), False, title, page, pages)


def _tasks(
    found: Evaluation, rows: Sequence[RunSums], agents: Sequence[Agent], tasks: Sequence[Task]
) -> tuple[ProgressRow, ...]:
    wanted = {task.pk for task in tasks}
    counts = tallies((row for row in rows if row.task in wanted), lambda row: (row.task, row.agent))
    start = _runs_of(found)
    heads = [f"{start}&{urlencode({'agent': agent.slug})}&task=" for agent in agents]
    several = len({task.repository_id for task in tasks}) > 1
    return tuple(
        ProgressRow(
            task.title,
            task.get_absolute_url(),
            home=task.repository.title if several else "",
            cells=tuple(
                ProgressCell(tally, f"{head}{task.repository.slug}/{task.slug}")
                if (tally := counts.get((task.pk, agent.pk)))
                else None
                for agent, head in zip(agents, heads, strict=True)
            ),
        )
        for task in tasks
    )


def _repositories(
    found: Evaluation, rows: Sequence[RunSums], agents: Sequence[Agent], tasks: Sequence[Task]
) -> tuple[ProgressRow, ...]:
    home = {task.pk: task.repository for task in tasks}
    counts = tallies((row for row in rows if row.task in home), lambda row: (home[row.task].pk, row.agent))
    repositories = {task.repository.pk: task.repository for task in tasks}
    here = found.get_absolute_url()
    return tuple(
        ProgressRow(
            repository.title,
            address := f"{here}?{urlencode({'repository': repository.slug})}#grid",
            tuple(
                ProgressCell(tally, address) if (tally := counts.get((pk, agent.pk))) else None
                for agent in agents
            ),
            sum(task.repository_id == pk for task in tasks),
        )
        for pk, repository in sorted(repositories.items(), key=lambda item: item[1].title)
    )


def _runs_of(found: Evaluation) -> str:
    return f"{reverse('runs')}?{urlencode({'evaluation': found.slug})}"
