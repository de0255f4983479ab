"""Counts for each agent and task, from runs or from stored cells, and the rates computed from them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import INFRASTRUCTURE_FAILED, TESTS, RunFacts, sift
from runs.analysis.method import Method
from runs.analysis.outcomes.passes import TaskScore, pass_rate, rate_of_tests

Name = TypeVar("Name", str, int)
Task = TypeVar("Task", str, int)


class CellLike(Protocol):
    """One agent on one task, as `CellCount` or `CellFacts` holds it."""

    @property
    def attempts(self) -> int:
        """Graded attempts."""

    @property
    def resolved(self) -> int:
        """Attempts that resolved the task."""

    @property
    def infrastructure_failed(self) -> int:
        """Attempts that the infrastructure failed."""

    @property
    def test_rate_sum(self) -> float:
        """The sum of the test pass rates."""

    @property
    def tested(self) -> int:
        """Attempts with a valid test pass rate."""


def scores(cells: Iterable[CellLike]) -> list[TaskScore]:
    """The graded attempts at each task and how many resolved it; cells without one are left out."""
    return [TaskScore(cell.attempts, cell.resolved) for cell in cells if cell.attempts]


def tests_passed(cells: Iterable[CellLike]) -> Estimate:
    """The test pass rate over tasks (`rate_of_tests`), from sums."""
    return rate_of_tests([[min(1.0, cell.test_rate_sum / cell.tested)] for cell in cells if cell.tested])


def strict_rate(cells: Iterable[CellLike]) -> Estimate:
    """pass@1 if attempts that the infrastructure failed counted as unresolved. All other rates exclude them.

    Formula: mean over tasks of resolved ÷ (graded attempts + those that the infrastructure failed), over the tasks that
    have one of either, with the 95 % interval of pass@1 over such attempts.

    Source: ours: the lowest value that the rate could have with the excluded attempts.

    Units: a share from 0 to 1, never above pass@1 over the same tasks; n counts tasks.

    Small n: no attempt of either kind gives no value; one task gives its own and a very wide interval.
    """
    started = [(cell.attempts + cell.infrastructure_failed, cell.resolved) for cell in cells]
    return pass_rate([TaskScore(count, resolved) for count, resolved in started if count])


@dataclass(frozen=True, slots=True)
class CellCount(Generic[Name, Task]):
    """One agent on one task: graded attempts, those that resolved it, and infrastructure failures (not graded).

    `test_rate_sum` is the sum of the test pass rates of the `tested` attempts, all that have a valid one.
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
    """Runs as cells. `excluded`: runs that no estimate can use; `untested`: graded runs without a test pass rate."""

    cells: tuple[CellCount[str, str], ...]
    excluded: tuple[Exclusion, ...]
    untested: tuple[Exclusion, ...]


def cells_of(runs: Sequence[RunFacts]) -> CellCounts:
    """Counts runs. Each graded run is one attempt, even if two evaluations gave attempts the same number."""
    sifted = sift(runs)
    cells: dict[tuple[str, str], _Open] = defaultdict(_Open)
    untested: list[int] = []
    for run in sifted.usable:
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


METHODS = (Method("excluded", "Excluded attempts", strict_rate),)
