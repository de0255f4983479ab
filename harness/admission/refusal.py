"""The error of a task that is not usable, and what all admissions have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from uuid import uuid4

from harness.dataset import Repository, Tally, Task
from harness.errors import HarnessError
from harness.grading.verdict import NAMED
from harness.records import TestResult, TestStatus
from harness.sandbox.base import ContainerUse, Engine, Owner


class AdmissionRefused(HarnessError):
    """A task that is not usable. The message gives the reason.

    `null` and `oracle` are the test results of these agents, if they were run.
    """

    def __init__(
        self, repository: Repository, task: Task, reason: str, null: Tally | None, oracle: Tally | None
    ) -> None:
        self.reason = reason
        self.null = null
        self.oracle = oracle
        super().__init__(f"{repository.slug}/{task.slug}: {reason}")


class Admission:
    """One task while it is proved; `null` and `oracle` as in `AdmissionRefused`, as soon as they are known."""

    def __init__(self, repository: Repository, task: Task, engine: Engine, instance: str) -> None:
        self.repository = repository
        self.task = task
        self.engine = engine
        self.use = ContainerUse(Owner(instance, f"admission-{uuid4().hex}"))
        self.null: Tally | None = None
        self.oracle: Tally | None = None

    def require_same(self, where: str, repeats: Sequence[Sequence[TestResult]], *, note: str = "") -> None:
        """Refuses the task unless all repeats have the same results; `note` stands before the names."""
        first, *others = [{(result.id, result.status) for result in results} for results in repeats]
        for number, other in enumerate(others, 2):
            if differing := sorted({test for test, _ in first ^ other}):
                raise self.refused(
                    f"{where} repeats 1 and {number} do not agree{note}: {', '.join(differing)}"
                )

    def refused(self, reason: str) -> AdmissionRefused:
        """The error for this task."""
        return AdmissionRefused(self.repository, self.task, reason, self.null, self.oracle)


def tally(results: Sequence[TestResult]) -> Tally:
    """The counts of these results."""
    counts = Counter(result.status for result in results)
    return Tally(
        passed=counts[TestStatus.PASSED],
        failed=counts[TestStatus.FAILED],
        errors=counts[TestStatus.ERROR],
        skipped=counts[TestStatus.SKIPPED] + counts[TestStatus.EXPECTED_FAILURE],
    )


def passed(results: Sequence[TestResult]) -> frozenset[str]:
    """The ids of those that passed."""
    return frozenset(result.id for result in results if result.status is TestStatus.PASSED)


def named(results: Sequence[TestResult]) -> str:
    """The first of these results, with their messages."""
    shown = "; ".join(f"{result.id} ({result.status}): {result.message[:300]}" for result in results[:NAMED])
    return shown + (" ..." if len(results) > NAMED else "")
