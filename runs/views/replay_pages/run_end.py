"""The end of a run: its tests, failed ones first, its patch and its last edit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from harness.records import RunRecord, TestResult, TestStatus
from runs.data.queries.visibility import Reader, sees_grading_output
from runs.data.replay.record import named_tests
from runs.data.replay.run_submissions import ShownSubmission, submissions_of
from runs.models import Run
from runs.presentation.formatting.text import Text, cut
from runs.views.replay_pages.assertion_diff import ComparedValues, compared
from runs.views.replay_pages.last_edit import LastEdit, last_edit
from runs.views.source_display.diff_rows import FileDiff, patch_diffs
from runs.views.source_display.syntax import Painter

# The first messages are open. The others, which are often similar, are folded and shorter.
MAX_OPEN = 5
MAX_MESSAGE_LENGTH = 4_000
MAX_FOLDED_LENGTH = 600
MAX_FAILED = 200
MAX_PASSED = 1_000
MAX_COMPARED_LENGTH = 20_000  # how much of a message is searched for volatile parts
# Parts that differ from test to test without meaning: temporary files, memory addresses.
_VOLATILE = re.compile(r"""(?:/var)?/tmp/[^\s'"]+|\b0x[0-9a-fA-F]{4,}""")


@dataclass(frozen=True, slots=True)
class EndedTest:
    """One test that did not pass. `folded`: only the first line of its message shows until it is opened.

    `same`: id and status of later tests with the same message, apart from temporary paths and memory addresses.
    """

    id: str
    status: str
    message: Text
    compared: ComparedValues | None
    folded: bool
    same: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class End:
    """The first failed tests, grouped by message, and the first passed ones; the counts are of all.

    `failed_named`: how many failed tests are listed. `last`: the run's last edit. `output`: whether the messages of the
    tests, and their raw output, are shown. `submissions`: what the agent submitted during the run.
    """

    failed: tuple[EndedTest, ...]
    failed_named: int
    failed_count: int
    passed: tuple[str, ...]
    passed_count: int
    patch: tuple[FileDiff, ...]
    patch_is_cut: bool
    last: LastEdit | None
    output: bool
    submissions: tuple[ShownSubmission, ...] = ()


def end_of(found: Run, reader: Reader, painter: Painter | None = None) -> End | None:
    """None before there are tests or a patch. `painter` limits the syntax colours of the patch, if given."""
    output = sees_grading_output(reader)
    tests = named_tests([found], output=output)[found.pk]
    diff = RunRecord(found.path).patch() if found.directory else b""
    if not tests and not diff:
        return None
    failed = [test for test in tests if test.status is not TestStatus.PASSED]
    passed = [test.id for test in tests if test.status is TestStatus.PASSED]
    files, is_cut = patch_diffs(diff.decode("utf-8", "replace"), painter or Painter())
    return End(
        failed=_grouped(failed[:MAX_FAILED]),
        failed_named=min(len(failed), MAX_FAILED),
        failed_count=len(failed),
        passed=tuple(cut(test, 300).shown for test in passed[:MAX_PASSED]),
        passed_count=len(passed),
        patch=files,
        patch_is_cut=is_cut,
        last=last_edit(found.path),
        output=output,
        submissions=submissions_of(found.path, output=output) if found.directory else (),
    )


def _grouped(failed: Sequence[TestResult]) -> tuple[EndedTest, ...]:
    """Tests with the same message form one entry, at the place of the first; tests without a message stay apart."""
    groups: dict[object, list[TestResult]] = {}
    for place, test in enumerate(failed):
        groups.setdefault(_stable(test.message) or place, []).append(test)
    return tuple(
        _ended(first, same, folded=place >= MAX_OPEN) for place, (first, *same) in enumerate(groups.values())
    )


def _stable(message: str) -> str:
    head, rest = message[:MAX_COMPARED_LENGTH], message[MAX_COMPARED_LENGTH:]
    return _VOLATILE.sub("…", head) + rest


def _ended(test: TestResult, same: Sequence[TestResult], *, folded: bool) -> EndedTest:
    message = cut(test.message, MAX_FOLDED_LENGTH if folded else MAX_MESSAGE_LENGTH)
    found = compared(message.shown)
    return EndedTest(
        id=_name(test),
        status=test.status.value,
        message=message,
        compared=found,
        folded=folded or found is not None,
        same=tuple((_name(other), other.status.value) for other in same),
    )


def _name(test: TestResult) -> str:
    return cut(test.id, 300).shown
