"""What the hidden tests say of a submission, and how much of it an agent reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from harness.records import TestResult, TestStatus
from harness.sandbox.base import Changes
from harness.tools.inside.text import clip

MOST_CHARACTERS = 2_000
_SPARE = 200  # for the counts, and for the sentence about what is left out


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

    @property
    def first_failure(self) -> str:
        """Name, status and message of the first test that did not pass, cut; without one, the trouble."""
        for test in self.tests:
            if test.status is not TestStatus.PASSED:
                status = test.status.value.replace("_", " ")
                whole = f"{test.id} ({status})\n{test.message}".strip()
                return clip(whole, "it is too long", MOST_CHARACTERS - _SPARE)
        return clip(self.trouble, "it is too long", MOST_CHARACTERS - _SPARE)

    def shown(self) -> str:
        """The counts and the first failure, at most MOST_CHARACTERS."""
        counts = f"{self.passed} of {len(self.tests)} hidden tests passed, {self.failed} did not."
        if self.resolved:
            return f"{counts} The work is done."
        return f"{counts}\nThe first failure:\n{self.first_failure}"[:MOST_CHARACTERS]


class Examiner(Protocol):
    """Runs the hidden tests on the changes of a workspace."""

    def examine(self, changes: Changes) -> Examination:
        """Raises AgentError for changes that make no patch, InfrastructureError, and what interrupts a run."""
