"""Compares the last lines that a test runner prints with its report.

A program that forges the report and stops the runner often leaves no closing line, or one that contradicts the report.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from harness.grading.parsers.pytest import pytest_totals
from harness.grading.parsers.text import clean_lines

_CLOSING_LINES = 20
_FAILURE_LINES = 6
_MENTIONS_TESTS = re.compile(
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


def closing_of(outputs: Iterable[str], names: Collection[str] = ()) -> str:
    """The pattern (see `shape`) of the last line that mentions tests and is in all these outputs of one script.

    '' if there is no such line. Lines with one of these names of tests do not count.
    """
    named = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)") if names else None
    shared: list[str] | None = None
    for output in outputs:
        lines = [line for line in _end(output, _CLOSING_LINES) if _MENTIONS_TESTS.search(line)]
        shapes = [shape(line) for line in lines if named is None or not named.search(line)]
        shared = shapes if shared is None else [known for known in shared if known in shapes]
    return shared[-1] if shared else ""


def closes(output: str, closing: str) -> bool:
    """Whether one of the last lines ends with the pattern `closing`; other output may be in front of it."""
    for line in map(shape, _end(output, _CLOSING_LINES)):
        before, found, behind = line.rpartition(closing)
        if found and not behind and not before.endswith((", ", "# ")):
            return True
    return False


def mentions_tests(output: str) -> bool:
    """Whether any line mentions tests."""
    return any(_MENTIONS_TESTS.search(line) for line in clean_lines(output))


def shape(line: str) -> str:
    """The pattern of a line: it leaves out numbers other than 0, durations, warnings and the frame of the line."""
    masked = _NUMBER.sub(lambda number: "0" if number[0] == "0" else "#", _CLOCK.sub("", line))
    return _WARNINGS.sub("", masked).strip("=- ")


def printed_failures(output: str, closing: str = "") -> int:
    """The number of failed tests in the last closing line; 0 if there is no such line or it names no failure.

    Recognizes the lines of pytest, unittest and Jest, and lines that differ from the pattern `closing` in zeros only.
    """
    like = closing.replace("0", "#")
    for line in reversed(_end(output, _FAILURE_LINES)):
        if (totals := pytest_totals(line)) is not None:
            return totals["failed"] + totals["errors"]
        if match := _UNITTEST.fullmatch(line) or _JEST.fullmatch(line):
            return sum(int(count) for count in match.groups() if count)
        if like and shape(line).replace("0", "#") == like:
            return sum(int(before or behind) for before, behind in _FAILURES.findall(line))
    return 0


def _end(output: str, most: int) -> Sequence[str]:
    """The last `most` lines that are not empty."""
    return [line.strip() for line in clean_lines(output[-100_000:]) if line.strip()][-most:]
