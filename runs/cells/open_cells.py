"""The cells of all open datasets. A process reads again only the cells that have changed.

A settled run changes the cells of one agent, and pages need those of all agents. So each process stores the cells of
each agent together with their version, and reads an agent's cells again only when their version has changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Max

from runs.analysis.outcomes.standings import CellFacts, Standings, standings
from runs.cache.compiled_query import CompiledQuery
from runs.cache.digests import text_digest
from runs.cache.results import REVISIONS, cached
from runs.models import CALIBRATION_KINDS, Agent, Cell
from runs.models.open_rows import without_hidden
from runs.queries.filters import FACTS, CellFilter, cell_facts
from runs.queries.printed_numbers import contradicted, findings_of
from tasks.models import Dataset, Repository

MOST_STORED = 50_000  # cells: about 15 MB

_ANY_AGENT = 0
_OF_AGENT = CompiledQuery(
    lambda: without_hidden(Cell.objects.all()).filter(agent=_ANY_AGENT).order_by().values_list(*FACTS)
)
_OF_AGENTS = CompiledQuery(
    lambda: Cell.rows.order_by().values_list("agent_id").annotate(**REVISIONS, changed=Max("updated_at"))
)
_OF_DATASETS = CompiledQuery(lambda: Dataset.objects.order_by("pk").values_list("pk", "revision"))

_Version = tuple[Any, ...]
_CHANGED = len(REVISIONS)  # the place in a version


class RepositorySum(NamedTuple):
    """What an agent has in one repository: tasks, attempts in all, graded ones, and those with results of tests."""

    tasks: frozenset[int]
    attempts: int
    graded: int
    tested: int


@dataclass(frozen=True)
class AgentCells:
    """The open cells of one agent. `changed`: when one of them was last counted, as the database has it."""

    agent: int
    version: _Version
    cells: tuple[CellFacts, ...]

    @property
    def changed(self) -> Any:
        """When one of them was last counted."""
        return self.version[_CHANGED]

    @cached_property
    def sums(self) -> Mapping[str, RepositorySum]:
        """Repository → what the agent has there. Computed once for as long as the cells are the same."""
        found: dict[str, list[CellFacts]] = defaultdict(list)
        for cell in self.cells:
            found[cell.repository].append(cell)
        return {
            repository: RepositorySum(
                frozenset(cell.task for cell in cells),
                sum(cell.attempts + cell.infrastructure_failed for cell in cells),
                sum(cell.attempts for cell in cells),
                sum(cell.tested for cell in cells),
            )
            for repository, cells in found.items()
        }


_stored: Mapping[int, AgentCells] = {}


def open_facts() -> list[CellFacts]:
    """Every open cell in the form that analysis uses, by agent."""
    return [cell for read in open_cells() for cell in read.cells]


def open_cells() -> list[AgentCells]:
    """Every open cell, by agent.

    Two queries find what has changed, and one more reads it: the cells of an agent, or all if several have changed.
    Versions are read before cells: stored cells may be newer than their version, never older. In a transaction nothing
    is stored, because it may be rolled back.
    """
    global _stored  # noqa: PLW0603 - one store for one process, replaced as a whole
    versions, known = _versions(), {} if connection.in_atomic_block else _stored
    new = _read(
        {agent for agent in versions if agent not in known or known[agent].version != versions[agent]}
    )
    now = {
        agent: AgentCells(agent, version, tuple(new[agent])) if agent in new else known[agent]
        for agent, version in versions.items()
    }
    if not connection.in_atomic_block:
        _stored = now if sum(len(read.cells) for read in now.values()) <= MOST_STORED else {}
    return list(now.values())


def dataset_facts(dataset: str) -> list[CellFacts]:
    """The open cells of one dataset."""
    repositories = _repositories(dataset)
    return [cell for cell in open_facts() if cell.repository in repositories]


def dataset_version(dataset: str) -> str:
    """Changes with the cells of the agents that have results in a dataset, and with no others.

    While runs of another dataset settle, what is cached under it stays: the standings of 25 agents at 500 tasks take 25
    ms of CPU time, and this takes 5 ms.
    """
    repositories = _repositories(dataset)
    theirs = [(one.agent, one.version) for one in open_cells() if not repositories.isdisjoint(one.sums)]
    return text_digest(repr(theirs))


def _repositories(dataset: str) -> frozenset[str]:
    home = without_hidden(Repository.objects.filter(dataset__slug=dataset)).order_by()
    return frozenset(home.values_list("slug", flat=True))


def board_standings(dataset: str) -> Standings:
    """The leaderboard of a dataset without a filter, cached until its cells change."""
    unplaced = unplaced_agents(dataset)
    return cached(
        "standings",
        f"{dataset} {sorted(unplaced)}",
        lambda: standings(dataset_facts(dataset), unplaced),
        lambda: dataset_version(dataset),
    )


def calibrating_agents() -> frozenset[int]:
    """The calibration agents, which no ranking and no mean over agents includes."""
    return frozenset(Agent.objects.filter(kind__in=CALIBRATION_KINDS).values_list("pk", flat=True))


def unplaced_agents(dataset: str) -> frozenset[int]:
    """The agents without a place on the board of a dataset: calibration, or contradicted by printed numbers."""
    return calibrating_agents() | contradicted(findings_of(dataset))


def _read(agents: Collection[int]) -> dict[int, list[CellFacts]]:
    """The open cells of these agents."""
    if len(agents) <= 1:
        return {agent: list(map(CellFacts._make, _OF_AGENT.rows(agent))) for agent in agents}
    found: dict[int, list[CellFacts]] = defaultdict(list)
    for cell in cell_facts(CellFilter().cells()):
        found[cell.agent].append(cell)
    return {agent: found[agent] for agent in agents}


def _versions() -> dict[int, _Version]:
    """Of each agent with cells: the version of these cells, and that of the datasets."""
    datasets = _OF_DATASETS.rows()
    return {agent: (*version, datasets) for agent, *version in _OF_AGENTS.rows()}
