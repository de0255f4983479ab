"""The boards that there are: one for each open dataset with results. No ranking mixes datasets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain

from runs.cache.compiled_query import CompiledQuery
from runs.cache.results import cached
from runs.cells.open_cells import AgentCells, RepositorySum, open_cells
from runs.models import CALIBRATION_KINDS, Agent, Cell, ResultReport
from runs.models.open_rows import without_hidden
from tasks.models import Repository


@dataclass(frozen=True)
class BoardEntry:
    """One board. `reported_by`: who reported its results, '' if they were run; `tested`: attempts with tests.

    `here`: whether this site executed runs of it; else all of them are imported.

    `day`: of the source's version, or of the last change of what was run here.
    """

    dataset: str
    title: str
    reported_by: str
    competitors: int
    tasks: int
    attempts: int
    tested: int
    day: date | None
    here: bool = True

    @property
    def origin(self) -> str:
        """Where its results come from, in words."""
        if self.reported_by:
            return f"reported by {self.reported_by}, not run here"
        return "run here" if self.here else "recorded with BenchBench elsewhere"


@dataclass(frozen=True)
class Boards:
    """All boards, the one with most competitors first."""

    entries: tuple[BoardEntry, ...]

    def of(self, dataset: str) -> BoardEntry | None:
        """The board of a dataset; None without results."""
        return next((one for one in self.entries if one.dataset == dataset), None)

    @property
    def default(self) -> str:
        """The dataset of the first board; '' without one."""
        return next((one.dataset for one in self.entries), "")

    @property
    def tested(self) -> Boards:
        """Those with results of tests."""
        return Boards(tuple(one for one in self.entries if one.tested))

    def of_agent(self, agent: str) -> Boards:
        """The boards on which an agent (its slug) has results, in one query."""
        cells = without_hidden(Cell.objects.filter(agent__slug=agent)).order_by()
        slugs = set(cells.values_list("task__repository__dataset__slug", flat=True).distinct())
        return Boards(tuple(one for one in self.entries if one.dataset in slugs))

    def common(self, agents: Iterable[str]) -> str:
        """The first dataset in which all of these agents have results; one of the first agent if there is none."""
        theirs = [[one.dataset for one in self.of_agent(agent).entries] for agent in agents]
        common = (dataset for dataset in next(iter(theirs), []) if all(dataset in each for each in theirs))
        own = (dataset for each in theirs for dataset in each)
        return next(chain(common, own), "") or self.default


def all_boards() -> Boards:
    """Every board; cached until the data change."""
    return cached("boards", "", _boards)


_HOMES = CompiledQuery(
    lambda: (
        without_hidden(Repository.objects.all())
        .order_by()
        .values_list("slug", "dataset__slug", "dataset__title", "dataset__reported_by")
    )
)
_AGENTS = CompiledQuery(lambda: Agent.objects.order_by().values_list("pk", "kind", "origin"))
_REPORTS = CompiledQuery(
    lambda: (
        without_hidden(ResultReport.objects.filter(evaluation__listed=True))
        .order_by("evaluation_id")
        .values_list("dataset__slug", "reported_on")
    )
)
_Dataset = tuple[str, str, str]  # slug, title, who reported it
_Part = tuple[AgentCells, RepositorySum]


def _boards() -> Boards:
    homes: dict[str, _Dataset] = {slug: tuple(dataset) for slug, *dataset in _HOMES.rows()}
    days = {slug: day and _day(day) for slug, day in _REPORTS.rows()}
    agents = {pk: (kind in CALIBRATION_KINDS, not origin) for pk, kind, origin in _AGENTS.rows()}
    calibrating = {pk for pk, (calibrates, _) in agents.items() if calibrates}
    ours = {pk for pk, (_, here) in agents.items() if here}
    parts: dict[_Dataset, list[_Part]] = defaultdict(list)
    for cells in open_cells():
        for repository, sums in cells.sums.items():
            if repository in homes:
                parts[homes[repository]].append((cells, sums))
    entries = [_entry(dataset, theirs, calibrating, ours, days) for dataset, theirs in parts.items()]
    return Boards(tuple(sorted(entries, key=lambda one: (-one.competitors, -one.tasks, one.title))))


def _entry(
    dataset: _Dataset,
    parts: Sequence[_Part],
    calibrating: Collection[int],
    ours: Collection[int],
    days: Mapping[str, date | None],
) -> BoardEntry:
    slug, title, reported_by = dataset
    return BoardEntry(
        dataset=slug,
        title=title,
        reported_by=reported_by,
        competitors=len({cells.agent for cells, sums in parts if sums.graded}.difference(calibrating)),
        tasks=len(frozenset().union(*(sums.tasks for _, sums in parts))),
        attempts=sum(sums.attempts for _, sums in parts),
        tested=sum(sums.tested for _, sums in parts),
        day=days.get(slug) if reported_by else max(_day(cells.changed) for cells, _ in parts),
        here=any(cells.agent in ours for cells, _ in parts),
    )


def _day(value: date | str) -> date:
    """The day of a day or time; a compiled query returns the text of SQLite."""
    return date.fromisoformat(str(value)[:10])
