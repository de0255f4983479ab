"""Reads what Jest prints with --verbose. Vitest and others print differently; let them write JUnit XML.

Test ids are `path::describe > inner describe > test`, with the first line of titles. A `test.failing` that fails counts
as passed, as in Jest. A file with only skipped tests is not listed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from harness.grading.parsers.text import clean_lines, only_one, require_counts, seconds_of
from harness.grading.results import with_short_names
from harness.records import TestResult, TestStatus

_MARKS = {"✓": "passed", "√": "passed", "✕": "failed", "×": "failed", "○": "skipped", "✎": "todo"}
_STATUS = {
    "passed": TestStatus.PASSED,
    "failed": TestStatus.FAILED,
    "skipped": TestStatus.SKIPPED,
    "todo": TestStatus.SKIPPED,
}
_FILE = re.compile(r"\S+\.[cm]?[jt]sx?")
_TOTALS = re.compile(r"Tests: +((?:\d{1,9} [a-z]{4,8}, )*)\d{1,9} total")
_TEST = re.compile(r"((?:  )+)([✓√✕×○✎]) (.*)")
_DURATION = re.compile(r" \((\d[\d.]*) (ms|s|m)\)$")
_BROKEN = "● Test suite failed to run"


def parse_jest(output: str) -> list[TestResult]:
    """The tests in printed order. A file that could not be run is an error with the file's name."""
    lines = clean_lines(output)
    found = list(with_short_names(_verdicts(lines)))
    said = only_one([counts for line in lines if (counts := _totals(line)) is not None], "Jest")
    listed = Counter(word for word, _ in found if word in _STATUS)
    for word in ("skipped", "todo"):
        listed[word] = max(listed[word], said.get(word, 0))
    require_counts(said, listed, "run jest --verbose once")
    return [result for _, result in found]


def _verdicts(lines: Sequence[str]) -> Iterator[tuple[str, TestResult]]:
    """Each test of each block: a heading with the file, then an indented tree up to the first empty line."""
    file, inside = "", False
    suites: list[str] = []
    for line in lines:
        test = _TEST.fullmatch(line)
        if not test and (header := _header(line)):
            file, inside, suites = header, True, []
        elif line.strip() == _BROKEN:
            yield (
                "broken",
                TestResult(file or "a test suite", TestStatus.ERROR, 0.0, "Test suite failed to run"),
            )
        elif not inside or not line:
            inside = False
        elif test:
            depth = len(test[1]) // 2 - 1
            yield _verdict(f"{file}::", suites[:depth], _MARKS[test[2]], test[3])
        elif line.startswith("  "):
            depth = (len(line) - len(line.lstrip(" "))) // 2 - 1
            suites = [*suites[:depth], line.strip()]


def _header(line: str) -> str:
    """The file in `FAIL ./path.test.js (1.2 s)`, also after other output on its line; else ''."""
    at = max(line.rfind("PASS "), line.rfind("FAIL "))
    words = _DURATION.sub("", line[at + len("PASS ") :]).split() if at >= 0 else []
    return words[-1].removeprefix("./") if words and _FILE.fullmatch(words[-1]) else ""


def _verdict(file: str, suites: Sequence[str], word: str, title: str) -> tuple[str, TestResult]:
    seconds = 0.0
    if word in ("skipped", "todo"):
        title = title.removeprefix(f"{word} ")
    elif duration := _DURATION.search(title):
        title, seconds = title[: duration.start()], seconds_of(duration[1], duration[2])
    return word, TestResult(file + " > ".join([*suites, title.strip()]), _STATUS[word], seconds)


def _totals(line: str) -> Mapping[str, int] | None:
    """`Tests:       1 failed, 2 passed, 3 total`; None for any other line."""
    match = _TOTALS.fullmatch(line.rstrip())
    if match is None:
        return None
    parts = (part.split() for part in match[1].split(", ") if part)
    return {word: int(count) for count, word in parts}
