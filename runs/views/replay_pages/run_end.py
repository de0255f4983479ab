"""The end of a run: its tests, failed ones first, its patch and its last edit."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from harness.patches import named_files
from harness.records import EDITS, PATCH, RunRecord, TestResult, TestStatus
from runs.data.queries.visibility import Reader, sees_grading_output, sees_test_messages
from runs.data.replay.jsonl import Stamp, edits_in, last_lines, read_at, stamp
from runs.data.replay.open_index import outline
from runs.data.replay.record import any_message, named_tests
from runs.data.replay.run_submissions import ShownSubmission, submissions_of
from runs.models import Run
from runs.presentation.formatting.text import Text, cut, one_line
from runs.views.source_display.diff_rows import FileDiff, file_diff, patch_diffs
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
MAX_LENGTH = 4_000

# One pattern for each format of message. "left" and "right" where the runner does not say which value was expected.
_PATTERNS = tuple(
    (one, two, re.compile(pattern, re.MULTILINE))
    for one, two, pattern in (
        # Jest, Vitest
        ("expected", "got", r"^ *Expected[^:\n]{0,40}: +(?P<one>\S.*)\n+ *Received.{0,40}?: +(?P<two>\S.*)$"),
        # JUnit
        ("expected", "got", r"expected: ?<(?P<one>[^>\n]*)> but was: ?<(?P<two>[^>\n]*)>"),
        # xUnit, NUnit
        ("expected", "got", r"^ *Expected: +(?P<one>\S.*)\n+ *(?:Actual|But was): +(?P<two>\S.*)$"),
        # RSpec
        ("expected", "got", r"^ *expected: (?P<one>\S.*)\n+ *got: (?P<two>\S.*)$"),
        # testify
        ("expected", "got", r"^\s*expected: +(?P<one>\S.*)\n\s*actual *: +(?P<two>\S.*)$"),
        # Go, by convention
        ("got", "expected", r"\bgot:? (?P<one>[^\n,;]{1,400})[,;] want:? (?P<two>[^\n]{1,400})$"),
        # Rust
        ("left", "right", r"^ *left: (?P<one>\S.*)\n *right: (?P<two>\S.*)$"),
        # pytest, unittest
        ("left", "right", r"^(?:E +)?(?:AssertionError: )?assert (?P<one>.{1,400}?) == (?P<two>.{1,400})$"),
        ("left", "right", r"^(?:E +)?AssertionError: (?P<one>.{1,400}?) != (?P<two>.{1,400})$"),
    )
)
MAX_BYTES = 1 << 20  # read from the end of the record
MAX_PATCH_BYTES = 1 << 20  # read from the beginning of the patch
MAX_LINES = 60
MAX_PATH_LENGTH = 160


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

    `failed_named`: how many failed tests are listed. `last`: the run's last edit. `messages`: whether the messages of
    the tests are shown; `output`: whether their raw output is. `withholds`: whether messages are recorded that the
    reader may not see. `first`: file → the step that changed it first, as far as it is recorded. `submissions`:
    what the agent submitted during the run.
    """

    failed: tuple[EndedTest, ...]
    failed_named: int
    failed_count: int
    passed: tuple[str, ...]
    passed_count: int
    patch: tuple[FileDiff, ...]
    patch_is_cut: bool
    first: Mapping[str, int]
    last: LastEdit | None
    messages: bool
    output: bool
    withholds: bool
    submissions: tuple[ShownSubmission, ...] = ()

    @property
    def changed(self) -> list[tuple[FileDiff, int | None]]:
        """The files of the patch, each with the step that changed it first; None if no record says it."""
        return [(file, self.first.get(file.path)) for file in self.patch]


def end_of(found: Run, reader: Reader, painter: Painter | None = None) -> End | None:
    """None before there are tests or a patch. `painter` limits the syntax colours of the patch, if given."""
    messages = sees_test_messages(reader, found.task.repository.dataset)
    tests = named_tests([found], output=messages)[found.pk]
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
        first=_first_changes(found) if files else {},
        last=last_edit(found.path),
        messages=messages,
        output=sees_grading_output(reader),
        withholds=not messages and bool(found.directory) and any_message(found.path),
        submissions=submissions_of(found.path, output=messages) if found.directory else (),
    )


def _first_changes(found: Run) -> Mapping[str, int]:
    with outline(found.path) as steps:
        return steps.first_changes()


def _grouped(failed: Sequence[TestResult]) -> tuple[EndedTest, ...]:
    """Tests with the same message form one entry, at the place of the first; tests without a message stay apart."""
    groups: dict[object, list[TestResult]] = {}
    for place, test in enumerate(failed):
        head, rest = test.message[:MAX_COMPARED_LENGTH], test.message[MAX_COMPARED_LENGTH:]
        groups.setdefault(_VOLATILE.sub("…", head) + rest or place, []).append(test)
    return tuple(
        _ended(first, same, folded=place >= MAX_OPEN) for place, (first, *same) in enumerate(groups.values())
    )


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


@dataclass(frozen=True, slots=True)
class ComparedValues:
    """The two values of a failed comparison, each with its label."""

    one_is: str
    one: str
    two_is: str
    two: str


def compared(message: str) -> ComparedValues | None:
    """The first comparison in a message; None without one."""
    text = message[:MAX_LENGTH]
    for one_is, two_is, pattern in _PATTERNS:
        if found := pattern.search(text):
            return ComparedValues(one_is, found["one"].strip(), two_is, found["two"].strip())
    return None


@dataclass(frozen=True, slots=True)
class LastEdit:
    """The last step that changed a file of the final patch, and the first such file, with its diff.

    Files outside of the patch, such as compiler output, do not count. If there is no patch, or no change of its files
    is recorded, it is the last step that changed any file. `others`: number of the step's other files. `diff` has no
    rows if the record has none (a binary file).
    """

    step: int
    path: str
    change: str
    added: int
    removed: int
    others: int
    diff: FileDiff
    is_compared: bool = True


def last_edit(directory: Path) -> LastEdit | None:
    """The last edit of a run; None without edits, or if the record is missing or unreadable."""
    return _last_edit(directory, stamp(directory / EDITS), stamp(directory / PATCH))


@lru_cache(maxsize=256)
def _last_edit(directory: Path, _edits: Stamp, _patch: Stamp) -> LastEdit | None:
    patched = named_files(read_at(directory / PATCH, 0, MAX_PATCH_BYTES))
    last: LastEdit | None = None
    for line in reversed(last_lines(directory / EDITS, MAX_BYTES)):
        edits = edits_in(line)
        if edits is None:
            continue
        in_patch = [file for file in edits.files if file.path in patched]
        if in_patch or (edits.files and last is None):
            file, others = (in_patch or edits.files)[0], len(edits.files) - 1
            path = one_line(file.path, MAX_PATH_LENGTH)
            # Without syntax colours: a page may show many.
            diff = file_diff(file.diff, path, Painter(most=0), most=MAX_LINES)
            counts = (file.added, file.removed, others)
            last = LastEdit(edits.step_id, path, file.change, *counts, diff, file.is_compared)
            if in_patch or not patched:
                return last
    return last
