"""Measures in containers which tests a merged change makes pass, with the test runs of admission."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from harness.admission.admit import REPEATS, AdmissionRefused, admit
from harness.dataset import Proof, Repository, Task, started
from harness.patches import apply_patch
from harness.records import TestResult, TestStatus
from harness.sandbox.base import Engine
from tasks.generation.pulls.changes import Reason
from tasks.generation.suite.hidden_suite import HiddenSuite

MAX_NAMED = 5  # tests in a message
MAX_OUTPUT = 500  # characters of the tests' output in a message
# Words of an admission that is refused.
_REFUSED = {
    "do not agree, the tests are flaky": Reason.FLAKY,
    "changes files that are never carried over": Reason.NOT_CARRIED,
}
_NOT_RUN = frozenset({TestStatus.SKIPPED, TestStatus.EXPECTED_FAILURE})


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why the tests make no task of a change."""

    reason: Reason
    detail: str


@dataclass(frozen=True, slots=True)
class Screened:
    """What one run without and one with the change showed. `leave_out`: tests that do not run with it, by id."""

    fail_to_pass: tuple[str, ...]
    pass_to_pass: tuple[str, ...]
    missing_before: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()


class Measurement(Protocol):
    """Runs the hidden tests of a task. `allow_missing`: whether tests may be missing without the change."""

    @property
    def allow_missing(self) -> bool: ...

    def screen(self, repository: Repository, task: Task) -> Screened | Unfit:
        """One run without and one with the reference patch."""

    def prove(self, repository: Repository, task: Task) -> Proof | Unfit:
        """The proof of admission, of several runs each."""


@dataclass(frozen=True, slots=True)
class ContainerMeasurement:
    """Measures in containers of `engine`. `allow_missing`: whether tests may be missing without the change.

    A test is missing if the runner does not even find it, mostly because its file cannot be imported. It then says
    little on the change: any name that can be imported makes it appear.
    """

    engine: Engine
    repeats: int = REPEATS
    allow_missing: bool = False
    instance: str = "collect"

    def screen(self, repository: Repository, task: Task) -> Screened | Unfit:
        """Refuses quickly: most changes fail here. One image of the repository serves all changes."""
        suite = HiddenSuite(self.engine, repository, task.tests, report=task.report, instance=self.instance)
        source = started(repository, task).source
        begun = {state.path: state for state in source.changed}
        repaired = {state.path: state for state in apply_patch(task.reference_diff.read_bytes(), source.read)}
        after = suite([*{**begun, **repaired}.values()], task.test_timeout)
        if after.trouble:
            return Unfit(Reason.BROKEN_TESTS, f"{after.trouble}; output ends: {after.output[-MAX_OUTPUT:]}")
        before = suite([*begun.values()], task.test_timeout)
        return compare(before.results, after.results, allow_missing=self.allow_missing)

    def prove(self, repository: Repository, task: Task) -> Proof | Unfit:
        """Admits the task: equal results in `repeats` runs without and with the change, and traps."""
        try:
            return admit(repository, task, self.engine, self.repeats, instance=self.instance, strength=False)
        except AdmissionRefused as refused:
            reasons = (reason for words, reason in _REFUSED.items() if words in refused.reason)
            return Unfit(next(reasons, Reason.BROKEN_TESTS), refused.reason)


def compare(
    before: Sequence[TestResult], after: Sequence[TestResult], *, allow_missing: bool = False
) -> Screened | Unfit:
    """What the results without and with the change say.

    A change that makes no test pass is refused first: tests that fail either way say nothing about it.
    """
    passed_before = {result.id for result in before if result.status is TestStatus.PASSED}
    seen_before = {result.id for result in before}
    passed = [result.id for result in after if result.status is TestStatus.PASSED]
    failed = [result for result in after if result.status not in {TestStatus.PASSED, *_NOT_RUN}]
    missing = tuple(test for test in passed if test not in seen_before)
    fail_to_pass = tuple(test for test in passed if test not in passed_before)
    named = _named(f"{result.id} ({result.status}): {result.message[:200]}" for result in failed)
    if not passed:
        return Unfit(Reason.BROKEN_TESTS, f"none of {len(after)} passes: {named}")
    if not fail_to_pass:
        also = f"; {len(failed)} do not pass with it" if failed else ""
        return Unfit(Reason.EMPTY, f"{len(passed)} tests pass, all of them without the change, too{also}")
    if failed:
        return Unfit(Reason.BROKEN_TESTS, f"{len(failed)} of {len(after)}: {named}")
    if missing and not allow_missing:
        return Unfit(
            Reason.MISSING_TESTS,
            f"{len(missing)} of {len(passed)}, as if their files were unreadable: {_named(missing)}",
        )
    return Screened(
        fail_to_pass,
        tuple(test for test in passed if test in passed_before),
        missing,
        tuple(result.id for result in after if result.status in _NOT_RUN),
    )


def _named(names: Iterable[str]) -> str:
    listed = list(names)
    return "; ".join(listed[:MAX_NAMED]) + ("; ..." if len(listed) > MAX_NAMED else "")
