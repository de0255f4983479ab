"""What a runner prints last, held against its report: two tellings of one test run that have to agree.

A program that forges the report and ends its runner forgets the last words, or leaves those that contradict it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from harness.grading.parsers.pytest import pytest_totals
from harness.grading.parsers.text import clean_lines

_LOOKED_AT = 20
_LAST = 6
_TELLING = re.compile(
    r"\b(?:pass(?:ed|es|ing)?|ok|tests?|success\w*|examples?|assertions?|specs?)\b", re.IGNORECASE
)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*(?: ?(?:ms|s|sec|secs|seconds?|m|min)\b)?")
_CLOCK = re.compile(r" *\([\d:., ]{1,40}\)")
_WARNINGS = re.compile(r", # warnings?\b")
_UNITTEST = re.compile(r"FAILED \((?:failures|errors)=(\d{1,9})(?:, errors=(\d{1,9}))?.*\)")
_FAILURES = re.compile(
    r"\b(\d{1,9}) (?:failed|failures?|failing|errors?|broken)\b|\b(?:failed|failures?|errors?)[:=] ?(\d{1,9})\b",
    re.IGNORECASE,
)
_JEST = re.compile(r"Tests: +(\d{1,9}) failed, .*total")


def closing_of(outputs: Iterable[str]) -> str:
    """The last line that all these outputs of one script share and that tells of tests, as `shape` has it.

    '' where there is none: then nobody knows how this script ends.
    """
    shared: list[str] | None = None
    for output in outputs:
        shapes = [shape(line) for line in _end(output, _LOOKED_AT) if _TELLING.search(line)]
        shared = shapes if shared is None else [known for known in shared if known in shapes]
    return shared[-1] if shared else ""


def closes(output: str, closing: str) -> bool:
    """Whether one of the last lines has that shape, whatever the code under test has left in front of it."""
    for line in map(shape, _end(output, _LOOKED_AT)):
        before, found, behind = line.rpartition(closing)
        if found and not behind and not before.endswith((", ", "# ")):
            return True
    return False


def tells(output: str) -> bool:
    """Whether any line at all tells of tests."""
    return any(_TELLING.search(line) for line in clean_lines(output))


def shape(line: str) -> str:
    """A line without what differs from run to run: numbers other than 0, durations, warnings, its frame."""
    masked = _NUMBER.sub(lambda number: "0" if number[0] == "0" else "#", _CLOCK.sub("", line))
    return _WARNINGS.sub("", masked).strip("=- ")


def printed_failures(output: str, closing: str = "") -> int:
    """How many tests failed by the last of the closing lines; 0 where there is none, or where it names no failure.

    Known are those of pytest, unittest and Jest, and whatever has the shape `closing` but for its zeros.
    """
    like = closing.replace("0", "#")
    for line in reversed(_end(output, _LAST)):
        if (totals := pytest_totals(line)) is not None:
            return totals["failed"] + totals["errors"]
        if match := _UNITTEST.fullmatch(line) or _JEST.fullmatch(line):
            return sum(int(count) for count in match.groups() if count)
        if like and shape(line).replace("0", "#") == like:
            return sum(int(before or behind) for before, behind in _FAILURES.findall(line))
    return 0


def _end(output: str, most: int) -> Sequence[str]:
    """The last lines that are not empty."""
    return [line.strip() for line in clean_lines(output[-100_000:]) if line.strip()][-most:]
