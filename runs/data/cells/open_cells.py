"""The cells of all open datasets. A process reads again only the cells that have changed.

A settled run changes the cells of one agent in one dataset, and pages need those of all agents. So each process stores
the cells of each group (an agent in a dataset) with its revision, and reads them again only when that has changed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.db import connection
from django.db.models import TextField
from django.db.models.functions import Cast

from runs.analysis.outcomes.standings import CellFacts, Standings, standings
from runs.data.cache.agent_rows import agent_rows, agents_version
from runs.data.cache.compiled_query import CompiledQuery
from runs.data.cache.reading_once import once
from runs.data.cache.results import cached, keyed_version
from runs.data.queries.board_names import BoardName
from runs.data.queries.filters import FACTS, CellFilter
from runs.data.queries.printed_numbers import contradicted, findings_of
from runs.models import CellGroup
from runs.models.agent import UNRANKED_KINDS
from runs.models.open_rows import without_hidden

MAX_STORED = 200_000  # cells: about 100 MB; the 60,517 of the shipped boards take 30 MB

_ANY = 0


class Group(NamedTuple):
    """An agent in an open dataset, as the database has it now. `dataset_revision` is that of the whole dataset.

    `changed_at` is the text of the database, which begins with the day.
    """

    agent: int
    dataset_id: int
    dataset: str
    pk: int
    revision: int
    dataset_revision: int
    changed_at: str


_GROUPS = CompiledQuery(
    lambda: (
        without_hidden(CellGroup.objects.all())
        .order_by("agent_id", "dataset_id")
        .annotate(changed=Cast("changed_at", TextField()))
        .values_list(
            *("agent_id", "dataset_id", "dataset__slug", "pk", "revision", "dataset__revision", "changed")
        )
    )
)
_CELLS = CompiledQuery(
    lambda: (
        CellFilter().cells().filter(agent=_ANY, task__repository__dataset=_ANY).order_by().values_list(*FACTS)
    )
)


@dataclass(frozen=True)
class GroupCells:
    """The cells of a group, with sums over them that are computed once for as long as the cells are the same."""

    group: Group
    cells: tuple[CellFacts, ...]

    @cached_property
    def by_origin(self) -> Mapping[str, GroupCells]:
        """The cells at tasks of each origin, by origin."""
        groups: dict[str, list[CellFacts]] = {}
        for cell in self.cells:
            groups.setdefault(cell.origin, []).append(cell)
        return {origin: GroupCells(self.group, tuple(cells)) for origin, cells in groups.items()}

    @cached_property
    def tasks(self) -> frozenset[int]:
        """The tasks with an attempt."""
        return frozenset(cell.task for cell in self.cells)

    @cached_property
    def graded(self) -> int:
        """Attempts with a grade."""
        return sum(cell.attempts for cell in self.cells)

    @cached_property
    def attempts(self) -> int:
        """All attempts, infrastructure failures included."""
        return self.graded + sum(cell.infrastructure_failed for cell in self.cells)

    @cached_property
    def tested(self) -> int:
        """Attempts with results of tests."""
        return sum(cell.tested for cell in self.cells)


_Key = tuple[int, int]
_stored: Mapping[_Key, GroupCells] = {}


def open_groups() -> list[Group]:
    """Every agent in every open dataset, as it is now. One query."""
    return once("open groups", lambda: list(map(Group._make, _GROUPS.rows())))


def dataset_groups(dataset: str) -> list[Group]:
    """Every agent in the dataset of a board. One query."""
    home = BoardName.of(dataset).dataset
    return [group for group in open_groups() if group.dataset == home]


def open_facts() -> list[CellFacts]:
    """Every open cell in the form that analysis uses, by agent."""
    return [cell for read in open_cells() for cell in read.cells]


def open_cells() -> list[GroupCells]:
    """The open cells of every group that has some, by agent.

    One query finds what has changed, and one more reads it: the cells of a group, or all of their datasets if several
    have changed. Revisions are read before cells: stored cells may be newer than their revision, never older. In a
    transaction nothing is stored, because it may be rolled back.
    """
    return once("open cells", lambda: cells_of(open_groups()))


def cells_of(groups: Collection[Group]) -> list[GroupCells]:
    """Those of these groups that have cells."""
    global _stored  # noqa: PLW0603 - one store for one process, replaced as a whole
    known = {} if connection.in_atomic_block else _stored
    wanted = {(group.agent, group.dataset_id): group for group in groups}
    new = _read({key for key, group in wanted.items() if key not in known or known[key].group != group})
    found = {
        key: GroupCells(group, tuple(new[key])) if key in new else known[key] for key, group in wanted.items()
    }
    if new and not connection.in_atomic_block:
        now = {**known, **found}
        _stored = now if sum(len(read.cells) for read in now.values()) <= MAX_STORED else {}
    return [read for read in found.values() if read.cells]


def dataset_facts(dataset: str, repository: str = "") -> list[CellFacts]:
    """The open cells of one board, or of one of its repositories; of a dataset's own name all of its cells."""
    name = BoardName.of(dataset)
    # A worker needs the cells of one dataset only.
    cells = [cell for read in cells_of(dataset_groups(dataset)) for cell in read.cells]
    if name.origin:
        cells = [cell for cell in cells if cell.origin == name.origin]
    return [cell for cell in cells if cell.repository == repository] if repository else cells


def dataset_version(dataset: str) -> str:
    """Changes with the cells and the tasks of the dataset of a board, and with no others.

    While runs of another dataset settle, what is cached under it stays: the standings of 25 agents at 500 tasks take 25
    ms of CPU time.
    """
    return keyed_version(repr(dataset_groups(dataset)))


def agent_cells_version(agent: int) -> str:
    """Changes with the cells of an agent in all open datasets, and with their tasks."""
    return keyed_version(repr([group for group in open_groups() if group.agent == agent]))


def tried_version(dataset: str) -> str:
    """Changes with the agents and the tasks that have results in the dataset of a board, and with their names."""
    groups = dataset_groups(dataset)
    tried = sorted({task for read in cells_of(groups) for task in read.tasks})
    datasets = {group.dataset_revision for group in groups}
    return keyed_version(repr((agents_version(), [group.agent for group in groups], tried, datasets)))


def board_standings(dataset: str) -> Standings:
    """A board without a filter, cached until the cells of its dataset change."""
    unplaced = unplaced_agents(dataset)
    return cached(
        "standings",
        f"{dataset} {sorted(unplaced)}",
        lambda: standings(dataset_facts(dataset), unplaced),
        lambda: dataset_version(dataset),
    )


def groups_with_tests() -> frozenset[tuple[int, int]]:
    """Each agent with its open dataset where it has a test result. One query."""
    return frozenset((read.group.agent, read.group.dataset_id) for read in open_cells() if read.tested)


def unranked_agents() -> frozenset[int]:
    """The calibration agents, and people, which no ranking and no mean over agents includes."""
    return frozenset(row.pk for row in agent_rows() if row.kind in UNRANKED_KINDS)


def unplaced_agents(dataset: str) -> frozenset[int]:
    """The agents without a place on the board of a dataset.

    Calibration, people, who choose their tasks themselves, and those that printed numbers contradict.
    """
    return unranked_agents() | contradicted(findings_of(dataset))


def _read(groups: Collection[_Key]) -> dict[_Key, list[CellFacts]]:
    """The open cells of these groups."""
    if len(groups) <= 1:
        return {key: list(map(CellFacts._make, _CELLS.rows(*key))) for key in groups}
    read: dict[_Key, list[CellFacts]] = {key: [] for key in groups}
    cells = CellFilter().cells().filter(task__repository__dataset__in={dataset for _, dataset in groups})
    for dataset, *values in cells.order_by().values_list("task__repository__dataset_id", *FACTS):
        facts = CellFacts._make(values)
        if (facts.agent, dataset) in read:
            read[facts.agent, dataset].append(facts)
    return read
