"""What came of a run. Kept apart from `Trace` and `Exercise`, so that nothing made of those two can know it."""

from __future__ import annotations

from dataclasses import dataclass

from harness.limits import Ending
from harness.records import RunSummary, TestResult, TestStatus


@dataclass(frozen=True, slots=True)
class RunVerdict:
    """What came of a run.

    `ending` is a value of `harness.limits.Ending`. `tests` are those of the hidden suite. `iteration_limit` is the one
    that this run was held to; None: none, or not known, and then `ending` alone tells that it was reached.
    """

    resolved: bool
    ending: str
    tests: tuple[TestResult, ...] = ()
    infrastructure_failed: bool = False
    iteration_limit: int | None = None

    @property
    def reports_completion(self) -> bool:
        """Whether the agent said that it was done: it ended by itself, not by a limit or an error."""
        return self.ending == Ending.COMPLETED

    @property
    def failed_tests(self) -> tuple[TestResult, ...]:
        """The tests that ran and failed. An error, or a test that is missing, did not get as far as that."""
        return tuple(test for test in self.tests if test.status == TestStatus.FAILED)


def iteration_limit_of(summary: RunSummary | None) -> int | None:
    """The iterations that a run was allowed: of its own limit and its agent's the smaller one. None: not known."""
    if summary is None:
        return None
    limits = summary.environment.get("limits")
    stated = (
        summary.identity.effective.get("iterations"),
        limits.get("iterations") if isinstance(limits, dict) else None,
    )
    return min((limit for limit in stated if isinstance(limit, int)), default=None)
