"""What the hidden tests say of a submission, and how much of it an agent reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from harness.records import TestResult, TestStatus
from harness.sandbox.base import Changes
from harness.tools.inside.text import clip

MAX_CHARACTERS = 2_000
_MAX_OF_A_NAME = 300
_SPARE = 100  # for the sentence about what is left out


@dataclass(frozen=True, slots=True)
class Examination:
    """The expected tests after a submission. `trouble`: why there is no verdict, although all may have passed."""

    tests: tuple[TestResult, ...]
    resolved: bool
    trouble: str = ""

    @property
    def passed(self) -> int:
        """How many of the expected tests passed."""
        return sum(test.status is TestStatus.PASSED for test in self.tests)

    @property
    def failed(self) -> int:
        """How many of the expected tests did not pass, missing ones included."""
        return len(self.tests) - self.passed

    def counts(self) -> str:
        """The counts, and which test is the first that did not pass: what everybody may read, as of a grade."""
        counts = f"{self.passed} of {len(self.tests)} hidden tests passed, {self.failed} did not."
        if self.resolved:
            return f"{counts} The work is done."
        failure = self._first_failure()
        if failure is None:
            return f"{counts} There is no verdict."
        status = failure.status.value.replace("_", " ")
        return f"{counts}\nThe first failure: {clip(failure.id, 'it is too long', _MAX_OF_A_NAME)} ({status})"

    def message(self) -> str:
        """What the first test that did not pass wrote, cut; without such a test, why there is no verdict.

        With the counts it has at most MAX_CHARACTERS. It is for the agent and for operators: it may quote the tests.
        """
        failure = self._first_failure()
        text = "" if self.resolved else self.trouble if failure is None else failure.message.strip()
        return clip(text, "it is too long", MAX_CHARACTERS - len(self.counts()) - _SPARE)

    def _first_failure(self) -> TestResult | None:
        return next((test for test in self.tests if test.status is not TestStatus.PASSED), None)


class Examiner(Protocol):
    """Runs the hidden tests on the changes of a workspace."""

    def examine(self, changes: Changes) -> Examination:
        """Raises AgentError for changes that make no patch, InfrastructureError, and what interrupts a run."""
