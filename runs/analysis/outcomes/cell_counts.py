"""Counts for each agent and task: what outcomes are computed from, made of runs or of stored cells."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import INFRASTRUCTURE_FAILED, TESTS, RunFacts, sift
from runs.analysis.outcomes.passes import TaskScore

Name = TypeVar("Name", str, int)
Task = TypeVar("Task", str, int)


@dataclass(frozen=True, slots=True)
class CellCount(Generic[Name, Task]):
    """One agent on one task: graded attempts and how many resolved it; those that the infrastructure failed, apart.

    `test_rate_sum` adds up the test pass rates of `tested` attempts: all that have a sensible one.
    """

    agent: Name
    task: Task
    attempts: int
    resolved: int
    infrastructure_failed: int = 0
    test_rate_sum: float = 0.0
    tested: int = 0

    @property
    def score(self) -> TaskScore:
        """Attempts and resolved alone."""
        return TaskScore(self.attempts, self.resolved)

    @property
    def test_rate(self) -> Estimate:
        """The mean test pass rate of the attempts; n counts those that have one."""
        if not self.tested:
            return Estimate.unknown("no attempt has a test pass rate")
        return Estimate(min(1.0, self.test_rate_sum / self.tested), self.tested)


@dataclass(frozen=True, slots=True)
class CellCounts:
    """Runs as cells. `excluded`: runs that no figure can use; `untested`: those without a test pass rate alone."""

    cells: tuple[CellCount[str, str], ...]
    excluded: tuple[Exclusion, ...]
    untested: tuple[Exclusion, ...]


def cells_of(runs: Sequence[RunFacts]) -> CellCounts:
    """Counts runs. Each graded run is one more attempt at its task, also where two evaluations numbered them alike."""
    sifted = sift(runs)
    cells: dict[tuple[str, str], _Open] = defaultdict(_Open)
    untested: list[int] = []
    for run in sifted.kept:
        cell = cells[run.agent, run.task]
        cell.attempts += 1
        cell.resolved += run.resolved
        if TESTS.holds(run):
            cell.rates.append(run.test_rate)
        else:
            untested.append(run.run)
    for run in runs:
        if run.outcome == INFRASTRUCTURE_FAILED:
            cells[run.agent, run.task].infrastructure_failed += 1
    return CellCounts(
        tuple(cell.count(agent, task) for (agent, task), cell in cells.items()),
        sifted.excluded,
        (Exclusion(TESTS.reason, tuple(sorted(untested))),) if untested else (),
    )


@dataclass(slots=True)
class _Open:
    attempts: int = 0
    resolved: int = 0
    infrastructure_failed: int = 0
    rates: list[float] = field(default_factory=list)

    def count(self, agent: str, task: str) -> CellCount[str, str]:
        total = math.fsum(self.rates)
        counts = self.attempts, self.resolved, self.infrastructure_failed
        return CellCount(agent, task, *counts, total, len(self.rates))


def by_agent(cells: Iterable[CellCount[Name, Task]]) -> dict[Name, dict[Task, CellCount[Name, Task]]]:
    """Agent → task → cell; several of one agent and task are added up."""
    found: dict[Name, dict[Task, CellCount[Name, Task]]] = defaultdict(dict)
    for cell in cells:
        theirs = found[cell.agent]
        theirs[cell.task] = _sum(theirs[cell.task], cell) if cell.task in theirs else cell
    return dict(found)


def _sum(one: CellCount[Name, Task], other: CellCount[Name, Task]) -> CellCount[Name, Task]:
    return CellCount(
        one.agent,
        one.task,
        one.attempts + other.attempts,
        one.resolved + other.resolved,
        one.infrastructure_failed + other.infrastructure_failed,
        one.test_rate_sum + other.test_rate_sum,
        one.tested + other.tested,
    )
