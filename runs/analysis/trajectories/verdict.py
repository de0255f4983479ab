"""The verdict of a run, separate from `Trace` and `Exercise`, so that results from those do not depend on it."""

from __future__ import annotations

from dataclasses import dataclass

from harness.limits import Ending
from harness.records import RunSummary, TestResult, TestStatus


@dataclass(frozen=True, slots=True)
class RunVerdict:
    """The verdict of a run.

    `resolved` None: no one knows. `ending` is a value of `harness.limits.Ending`. `tests` are those of the hidden
    suite. `iteration_limit` is the limit of this run; None: none, or unknown: then only `ending` shows that it was
    reached.
    `floor_passed`: how many of the tests pass on the untouched code, from the task's proof; None: unknown.
    """

    resolved: bool | None
    ending: str
    tests: tuple[TestResult, ...] = ()
    infrastructure_failed: bool = False
    iteration_limit: int | None = None
    floor_passed: int | None = None

    @property
    def reports_completion(self) -> bool:
        """Whether the agent ended by itself, not by a limit or an error."""
        return self.ending == Ending.COMPLETED

    @property
    def failed_tests(self) -> tuple[TestResult, ...]:
        """The tests that ran and failed, without errors and missing tests."""
        return tuple(test for test in self.tests if test.status == TestStatus.FAILED)

    @property
    def gain(self) -> float | None:
        """The share of the tests that fail on the untouched code, by which the passed tests exceed its own.

        (passed - floor) / (tests - floor): 0 for untouched code, 1 if all tests pass, below 0 if more tests broke than
        were mended. None: the floor is unknown, or leaves no test to win.
        """
        floor = self.floor_passed
        if floor is None or not 0 <= floor < len(self.tests):
            return None
        passed = sum(test.status == TestStatus.PASSED for test in self.tests)
        return (passed - floor) / (len(self.tests) - floor)


def iteration_limit_of(summary: RunSummary | None) -> int | None:
    """The iteration limit of a run: the smaller of its own and its agent's. None: unknown."""
    if summary is None:
        return None
    limits = summary.environment.get("limits")
    stated = (
        summary.identity.effective.get("iterations"),
        limits.get("iterations") if isinstance(limits, dict) else None,
    )
    return min((limit for limit in stated if isinstance(limit, int)), default=None)
