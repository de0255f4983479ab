"""What a run left behind: its tests, failed ones first, its patch, and what it changed last."""

from __future__ import annotations

from dataclasses import dataclass

from harness.records import RunRecord, TestResult, TestStatus
from runs.models import Run
from runs.views.diffs import FileDiff, patch_diffs
from runs.views.expectations import Compared, compared
from runs.views.highlight import Painter
from runs.views.last_edit import LastEdit, last_edit
from runs.views.text import Text, cut
from runs.views.trajectory import cached_tests

LONGEST_MESSAGE = 4_000
MOST_FAILED = 200
MOST_PASSED = 1_000


@dataclass(frozen=True, slots=True)
class EndedTest:
    """One test that did not pass."""

    id: str
    status: str
    seconds: float
    message: Text
    compared: Compared | None


@dataclass(frozen=True, slots=True)
class End:
    """`failed_count` and `passed_count` say how many there are; these are the first. `last`: the run's last change."""

    failed: tuple[EndedTest, ...]
    failed_count: int
    passed: tuple[str, ...]
    passed_count: int
    patch: tuple[FileDiff, ...]
    patch_is_cut: bool
    last: LastEdit | None


def end_of(found: Run, painter: Painter | None = None) -> End | None:
    """None before there are tests or a patch. `painter` marks the patch, where it must not take all of a page."""
    tests = cached_tests(found.path)
    diff = RunRecord(found.path).patch()
    if not tests and not diff:
        return None
    failed = [test for test in tests if test.status is not TestStatus.PASSED]
    passed = [test.id for test in tests if test.status is TestStatus.PASSED]
    files, is_cut = patch_diffs(diff.decode("utf-8", "replace"), painter or Painter())
    return End(
        failed=tuple(map(_ended, failed[:MOST_FAILED])),
        failed_count=len(failed),
        passed=tuple(cut(test, 300).shown for test in passed[:MOST_PASSED]),
        passed_count=len(passed),
        patch=files,
        patch_is_cut=is_cut,
        last=last_edit(found.path),
    )


def _ended(test: TestResult) -> EndedTest:
    message = cut(test.message, LONGEST_MESSAGE)
    return EndedTest(
        cut(test.id, 300).shown, test.status.value, test.seconds, message, compared(message.shown)
    )
