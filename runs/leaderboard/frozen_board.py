"""A frozen leaderboard: every filter works on the counts of its day, and what has changed since is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from runs.analysis.outcomes.standings import CellFacts, Standing, Standings, standings
from runs.leaderboard.board_source import Today, remembered
from runs.leaderboard.snapshots import Content, FrozenTask
from runs.queries.board_filter import BoardFilter
from runs.queries.competitors import Competitor
from runs.queries.filters import BoardChoices
from runs.queries.parameters import BadParameter
from tasks.models import Dataset


class Frozen:
    """The data of one snapshot, as a ground for the leaderboard. Datasets that have been hidden since are not there."""

    def __init__(self, digest: str, content: Content) -> None:
        """One query: which of its datasets are hidden today."""
        named = {task.dataset for task in content.tasks.values()}
        self._hidden = set(Dataset.objects.filter(hidden=True, slug__in=named).values_list("slug", flat=True))
        self._digest = digest
        self._content = content
        self._tasks = {pk: task for pk, task in content.tasks.items() if task.dataset not in self._hidden}

    def standings(self, chosen: BoardFilter) -> Standings:
        """The rows over the cells that this filter leaves. Raises BadParameter for days."""
        for name in ("since", "until"):
            if day := getattr(chosen, name):
                raise BadParameter(name, day, "nothing: a frozen table does not know the days of its runs")
        scope = f"{self._digest} {sorted(self._hidden)} {chosen!r}"
        return remembered(scope, "", lambda: standings(self._cells(chosen)))

    def competitors(self, ids: Iterable[int]) -> Mapping[int, Competitor]:
        """Agents under the names that they had."""
        return {pk: self._content.agents[pk] for pk in ids}

    def choices(self) -> BoardChoices:
        """What there was to choose from."""
        tasks = self._tasks.values()
        return BoardChoices(
            datasets=tuple(sorted({(task.dataset, task.dataset_title) for task in tasks})),
            repositories=tuple(
                sorted(
                    {(task.repository, task.repository_title) for task in tasks}, key=lambda named: named[1]
                )
            ),
            stacks=tuple(sorted({task.stack for task in tasks})),
            languages=tuple(sorted({language for task in tasks for language in task.languages})),
            kinds=tuple(sorted({agent.kind for agent in self._content.agents.values()})),
        )

    def _cells(self, chosen: BoardFilter) -> list[CellFacts]:
        tasks = {pk for pk, task in self._tasks.items() if _fits_task(chosen, task)}
        agents = {pk for pk, agent in self._content.agents.items() if _fits_agent(chosen, agent)}
        return [cell for cell in self._content.cells if cell.task in tasks and cell.agent in agents]


@dataclass(frozen=True, slots=True)
class Change:
    """An agent whose figures are not what they were; None where it had, or has, no row."""

    agent: Competitor
    then: Standing | None
    now: Standing | None


def changes(frozen: Frozen, content: Content, chosen: BoardFilter) -> list[Change]:
    """Whose attempts, tasks or pass@1 differ today from those of the frozen table, under the same filter."""
    today = Today()
    then = _by_slug(frozen, frozen.standings(chosen))
    now = _by_slug(today, today.standings(replace(chosen, since=content.since, until=content.until)))
    slugs = [*then, *(slug for slug in now if slug not in then)]
    found = []
    for slug in slugs:
        before, after = then.get(slug), now.get(slug)
        if _told(before) != _told(after):
            named = before or after
            assert named is not None, "every slug comes from one of the two"
            found.append(Change(named[0], before and before[1], after and after[1]))
    return found


def _by_slug(ground: Frozen | Today, found: Standings) -> dict[str, tuple[Competitor, Standing]]:
    agents = ground.competitors([row.agent for row in found.rows])
    return {agents[row.agent].slug: (agents[row.agent], row) for row in found.rows}


def _told(row: tuple[Competitor, Standing] | None) -> object:
    if row is None:
        return None
    it = row[1]
    return it.pass_1, it.tasks, it.attempts, it.resolved, it.infrastructure_failed


def _fits_task(chosen: BoardFilter, task: FrozenTask) -> bool:
    asked = (
        (chosen.dataset, task.dataset),
        (chosen.repository, task.repository),
        (chosen.stack, task.stack),
        (chosen.difficulty, task.difficulty),
        (chosen.category, task.category),
    )
    fits = all(not wanted or wanted == found for wanted, found in asked)
    return fits and (not chosen.language or chosen.language in task.languages)


def _fits_agent(chosen: BoardFilter, agent: Competitor) -> bool:
    if chosen.kind and chosen.kind != agent.kind:
        return False
    if not chosen.weights:
        return True
    return agent.model is not None and agent.model.open_weights == (chosen.weights == "open")
