"""Reads what Mocha's reporter `spec`, its default, prints.

Test ids are `describe > inner describe > test`, with the first line of titles: Mocha does not print the files. A hook
that failed is an error with its own name, `describe > "before all" hook for "test"`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from harness.grading.parsers.text import clean_lines, only_one, require_counts, seconds_of
from harness.grading.results import with_short_names
from harness.records import TestResult, TestStatus

_TEST = re.compile(r"((?:  )+)(?:([✔✓√])|(-)|(\d{1,6}\))) (.*)")
_SLOW = re.compile(r" \((\d[\d.,]*)(ms|s|m)\)$")
_HOOK = re.compile(r'"(?:before|after) (?:all|each)" hook\b')
_COUNT = re.compile(r"  (\d{1,9}) (passing|pending|failing)(?: \([^()]{1,20}\))?")


def parse_mocha(output: str) -> list[TestResult]:
    """The tests in the order in which they were printed."""
    lines = clean_lines(output)
    ends = list(_summaries(lines))
    said = only_one([counts for _, counts in ends], "Mocha's reporter spec")
    found = list(with_short_names(_verdicts(lines[: ends[-1][0]])))
    require_counts(said, Counter(word for word, _ in found), "run mocha once, with the reporter spec")
    return [result for _, result in found]


def _summaries(lines: Sequence[str]) -> Iterator[tuple[int, Mapping[str, int]]]:
    """Each `16 passing (147ms)` with the counts right below it, and its line."""
    for number, line in enumerate(lines):
        match = _COUNT.fullmatch(line)
        if match and match[2] == "passing":
            counts = {"passing": int(match[1])}
            for below in lines[number + 1 : number + 3]:
                if more := _COUNT.fullmatch(below):
                    counts.setdefault(more[2], int(more[1]))
            yield number, {word: count for word, count in counts.items() if count}


def _verdicts(lines: Sequence[str]) -> Iterator[tuple[str, TestResult]]:
    suites: list[str] = []
    for line in lines:
        if test := _TEST.fullmatch(line):
            word = "passing" if test[2] else "pending" if test[3] else "failing"
            yield word, _result(suites[: len(test[1]) // 2 - 1], word, test[5])
        elif line.startswith("  "):
            depth = (len(line) - len(line.lstrip(" "))) // 2 - 1
            suites = [*suites[:depth], line.strip()]


def _result(suites: Sequence[str], word: str, title: str) -> TestResult:
    seconds = 0.0
    status = {"passing": TestStatus.PASSED, "pending": TestStatus.SKIPPED}.get(word, TestStatus.FAILED)
    if status is TestStatus.PASSED and (slow := _SLOW.search(title)):
        title, seconds = title[: slow.start()], seconds_of(slow[1], slow[2])
    if status is TestStatus.FAILED and _HOOK.match(title):
        status = TestStatus.ERROR
    return TestResult(" > ".join([*suites, title.strip()]), status, seconds)
