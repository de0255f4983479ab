"""Counts for each agent and task, and the rates computed from them or from stored cells."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol, TypeVar

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import INFRASTRUCTURE_FAILED, TESTS, RunFacts, sift
from runs.analysis.method import Section, method
from runs.analysis.outcomes.passes import TaskScore, pass_rate, rate_of_tests

Name = TypeVar("Name", str, int)
Task = TypeVar("Task", str, int)
_ROUNDING = 1e-9
_score = lru_cache(maxsize=4096)(TaskScore)  # thousands of cells have the same few counts


class HasTests(Protocol):
    """The attempts of one agent at one task, and their test pass rates."""

    @property
    def attempts(self) -> int:
        """Graded attempts."""

    @property
    def resolved(self) -> int:
        """Attempts that resolved the task."""

    @property
    def test_rate_sum(self) -> float:
        """The sum of the test pass rates."""

    @property
    def tested(self) -> int:
        """Attempts with a valid test pass rate."""


class CellLike(HasTests, Protocol):
    """One agent on one task, as `CellCount` or `CellFacts` holds it."""

    @property
    def infrastructure_failed(self) -> int:
        """Attempts that the infrastructure failed."""

    @property
    def group(self) -> str:
        """The scenario of the task, with its repository; '' for a task without one."""


def scores(cells: Iterable[CellLike]) -> list[TaskScore]:
    """The graded attempts at each task and how many resolved it; cells without one are left out."""
    return [_score(cell.attempts, cell.resolved, cell.group) for cell in cells if cell.attempts]


def scores_by_task(agents: Mapping[Name, Mapping[Task, CellLike]]) -> dict[Name, dict[Task, TaskScore]]:
    """The same for each agent with a graded attempt, by task."""
    by_agent = {
        agent: {
            task: _score(cell.attempts, cell.resolved, cell.group)
            for task, cell in cells.items()
            if cell.attempts
        }
        for agent, cells in agents.items()
    }
    return {agent: theirs for agent, theirs in by_agent.items() if theirs}


class RateSums(NamedTuple):
    """The test pass rates of the attempts of one cell: how many, their sum and the sum of their squares."""

    n: int
    total: float
    squares: float

    @property
    def mean(self) -> float:
        """Their mean; ZeroDivisionError without an attempt."""
        return min(1.0, self.total / self.n)


class HasSquares(CellLike, Protocol):
    """A cell that knows the squares of its test pass rates, too."""

    @property
    def test_rate_squares(self) -> float:
        """The sum of the squares of the test pass rates."""


def reports_tests(cells: Iterable[HasTests]) -> bool:
    """Whether an attempt has a test result."""
    return any(cell.tested for cell in cells)


def untested(cells: Iterable[HasTests]) -> int:
    """How many graded attempts have no test result."""
    return sum(cell.attempts - cell.tested for cell in cells)


def tests_passed(cells: Iterable[CellLike], *, reported: bool) -> Estimate:
    """The test pass rate over tasks (`rate_of_tests`), from sums.

    An attempt without a test result counts by its outcome, if the agent has test results: `reported`.
    """
    known = [cell for cell in cells if reported and cell.attempts]
    return rate_of_tests([[by_outcome(cell).mean] for cell in known], [cell.group for cell in known])


def tests_where_known(cells: Iterable[CellLike]) -> Estimate:
    """The test pass rate over the attempts that have a test result, and the tasks that have such attempts."""
    known = [cell for cell in cells if cell.tested]
    rates = [[min(1.0, cell.test_rate_sum / cell.tested)] for cell in known]
    return rate_of_tests(rates, [cell.group for cell in known])


def by_outcome(cell: HasTests, squares: float = 0.0) -> RateSums:
    """The test pass rates of all attempts of a cell; those without a test result count as 1 if resolved, else as 0.

    The sums do not say which attempts lack a result. Each resolved one with a result adds 1 to the sum of rates, so the
    resolved ones that this sum has no room for are among those without.
    """
    room = math.floor(cell.test_rate_sum + _ROUNDING)
    passed = min(cell.attempts - cell.tested, max(0, cell.resolved - room))
    return RateSums(cell.attempts, cell.test_rate_sum + passed, squares + passed)


def sums_by_outcome(cells: Iterable[HasSquares]) -> list[RateSums]:
    """Those of all attempts of each cell, for σ; none without a test result."""
    tried = list(cells)
    return [by_outcome(cell, cell.test_rate_squares) for cell in tried] if reports_tests(tried) else []


def mean_test_rate(cell: HasTests, *, reported: bool = False) -> Estimate:
    """The mean test pass rate of the attempts of one cell, those without a test result by their outcome.

    `reported`: whether the agent has test results at other tasks. If not, and there is none here, it is unknown.
    """
    if not cell.attempts or not (cell.tested or reported):
        return Estimate.unknown("no attempt has a test pass rate")
    sums = by_outcome(cell)
    return Estimate(sums.mean, sums.n)


@method(
    "excluded",
    "Attempts that are not counted",
    Section.OUTCOMES,
    2,
    short="Not counted: infrastructure. Attempts that it failed, not the agent, are in no rate.",
    example=(
        "With 8 of 10 attempts resolved and 2 excluded ones beside them, pass@1 is 80 %; with them as"
        " failures, 67 %."
    ),
)
def strict_rate(cells: Iterable[CellLike]) -> Estimate:
    """pass@1 if attempts that the infrastructure failed counted as unresolved. All other rates exclude them.

    Formula: mean over tasks of resolved ÷ (graded attempts + those that the infrastructure failed), over the tasks that
    have one of either, with the 95 % interval of pass@1 over such attempts.

    Source: ours: the lowest value that the rate could have with the excluded attempts.

    Units: a share from 0 to 1, never above pass@1 over the same tasks; n counts tasks.

    Small n: no attempt of either kind gives no value; one task gives its own and a very wide interval.
    """
    started = [
        TaskScore(cell.attempts + cell.infrastructure_failed, cell.resolved, cell.group) for cell in cells
    ]
    return pass_rate([score for score in started if score.attempts])


@dataclass(frozen=True, slots=True)
class CellCount:
    """One agent on one task: graded attempts, those that resolved it, and infrastructure failures (not graded).

    `test_rate_sum` is the sum of the test pass rates of the `tested` attempts, all that have a valid one.
    """

    agent: str
    task: str
    attempts: int
    resolved: int
    infrastructure_failed: int = 0
    test_rate_sum: float = 0.0
    tested: int = 0
    group: str = ""


@dataclass(frozen=True, slots=True)
class CellCounts:
    """Runs as cells, sorted by agent and task.

    `excluded`: runs that no estimate can use; `untested`: graded runs without a test result, which count by their
    outcome in rates of tests.
    """

    cells: tuple[CellCount, ...]
    excluded: tuple[Exclusion, ...]
    untested: tuple[Exclusion, ...]


class _Attempt(NamedTuple):
    resolved: bool
    test_rate: float | None


def cells_of(runs: Sequence[RunFacts]) -> CellCounts:
    """Counts runs. Each graded run is one attempt, even if two evaluations gave attempts the same number."""
    sifted = sift(runs)
    graded: dict[tuple[str, str], list[_Attempt]] = defaultdict(list)
    untested: list[int] = []
    for run in sifted.usable:
        rate = run.test_rate if TESTS.holds(run) else None
        graded[run.agent, run.task].append(_Attempt(run.resolved, rate))
        if rate is None:
            untested.append(run.run)
    failed = Counter((run.agent, run.task) for run in runs if run.outcome == INFRASTRUCTURE_FAILED)
    groups = {run.task: run.scenario for run in runs}
    return CellCounts(
        tuple(
            _cell(*pair, graded[pair], failed[pair], groups[pair[1]])
            for pair in sorted(graded.keys() | failed.keys())
        ),
        sifted.excluded,
        (Exclusion(TESTS.reason, tuple(sorted(untested))),) if untested else (),
    )


def _cell(agent: str, task: str, graded: Sequence[_Attempt], failed: int, group: str) -> CellCount:
    rates = [attempt.test_rate for attempt in graded if attempt.test_rate is not None]
    resolved = sum(attempt.resolved for attempt in graded)
    return CellCount(agent, task, len(graded), resolved, failed, math.fsum(rates), len(rates), group)
