"""What a run left behind: its tests, failed ones first, its patch, and what it changed last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from harness.records import RunRecord, TestResult, TestStatus
from runs.formatting.text import Text, cut, one_line
from runs.models import Run
from runs.replay.record import cached_tests
from runs.views.replay_pages.assertion_diff import ComparedValues, compared
from runs.views.replay_pages.last_edit import LastEdit, last_edit
from runs.views.source_display.diff_rows import FileDiff, patch_diffs
from runs.views.source_display.syntax import Painter

# The first messages stand open; of the others, which are often the same again, only the beginning is kept, folded.
MOST_OPEN = 5
LONGEST_MESSAGE = 4_000
LONGEST_FOLDED = 600
MOST_FAILED = 200
MOST_PASSED = 1_000
LONGEST_COMPARED = 20_000  # what of a message is looked through for names of the moment
# Differs from test to test without saying anything: temporary files, addresses in memory.
_OF_THE_MOMENT = re.compile(r"""(?:/var)?/tmp/[^\s'"]+|\b0x[0-9a-fA-F]{4,}""")


@dataclass(frozen=True, slots=True)
class NamedTest:
    """One test that did not pass, whose message stands elsewhere."""

    id: str
    status: str


@dataclass(frozen=True, slots=True)
class EndedTest:
    """One test that did not pass. `folded`: its message shows only its first line until it is opened.

    `same`: the tests after it whose message is the same, but for temporary paths and addresses in memory.
    """

    id: str
    status: str
    message: Text
    compared: ComparedValues | None
    folded: bool
    same: tuple[NamedTest, ...]

    @property
    def first_line(self) -> str:
        """How its message begins."""
        return one_line(self.message.shown, 160)


@dataclass(frozen=True, slots=True)
class End:
    """`failed_count` and `passed_count` say how many there are; these are the first, equal messages once.

    `failed_named`: how many of the failed ones are named here. `last`: the run's last change.
    """

    failed: tuple[EndedTest, ...]
    failed_named: int
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
        failed=_together(failed[:MOST_FAILED]),
        failed_named=min(len(failed), MOST_FAILED),
        failed_count=len(failed),
        passed=tuple(cut(test, 300).shown for test in passed[:MOST_PASSED]),
        passed_count=len(passed),
        patch=files,
        patch_is_cut=is_cut,
        last=last_edit(found.path),
    )


def _together(failed: Sequence[TestResult]) -> tuple[EndedTest, ...]:
    """Tests with one message are one entry, where the first of them stands; those without any stay apart."""
    alike: dict[object, list[TestResult]] = {}
    for place, test in enumerate(failed):
        alike.setdefault(_lasting(test.message) or place, []).append(test)
    return tuple(
        _ended(first, same, place >= MOST_OPEN) for place, (first, *same) in enumerate(alike.values())
    )


def _lasting(message: str) -> str:
    head, rest = message[:LONGEST_COMPARED], message[LONGEST_COMPARED:]
    return _OF_THE_MOMENT.sub("…", head) + rest


def _ended(test: TestResult, same: Sequence[TestResult], far_down: bool) -> EndedTest:
    message = cut(test.message, LONGEST_FOLDED if far_down else LONGEST_MESSAGE)
    found = compared(message.shown)
    return EndedTest(
        id=_name(test),
        status=test.status.value,
        message=message,
        compared=found,
        folded=far_down or found is not None,
        same=tuple(NamedTest(_name(other), other.status.value) for other in same),
    )


def _name(test: TestResult) -> str:
    return cut(test.id, 300).shown
