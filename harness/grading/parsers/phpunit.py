"""Reads what PHPUnit prints with --testdox. Without this option PHPUnit does not name passed tests.

Test ids are `heading::test` as PHPUnit prints them, for example `Sums::Adds with data set "a b"`. With colours, PHPUnit
prints data sets differently (`Adds with a·b`), so a task must always use the same mode. Failures and errors have the
same mark and both count as failures. Warnings and risky tests are failures too, incomplete tests are skipped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from harness.grading.parsers.text import clean_lines, only_one, require_counts, seconds_of
from harness.grading.results import with_short_names
from harness.records import TestResult, TestStatus

_MARKS = {
    "✔": ("passed", TestStatus.PASSED),
    "✘": ("failed", TestStatus.FAILED),
    "↩": ("not passed", TestStatus.SKIPPED),
    "∅": ("not passed", TestStatus.SKIPPED),
    "☢": ("not passed", TestStatus.FAILED),
    "⚠": ("not passed", TestStatus.FAILED),
}
_TEST = re.compile(r" ([✔✘↩∅☢⚠]) (\S.*)")
_TIME = re.compile(r" \[(\d[\d.]*) ms\]$")
_OK = re.compile(r"OK \((\d{1,9}) tests?, \d+ assertions?\)")
_COUNTS = re.compile(r"Tests: (\d{1,9}), Assertions: \d+((?:, [A-Z][A-Za-z ]{1,30}: \d{1,9})*)\.")
ADVICE = "run phpunit once, with --testdox"


def parse_phpunit(output: str) -> list[TestResult]:
    """The tests in the order in which they were printed."""
    lines = clean_lines(output)
    said = only_one([totals for line in lines if (totals := _totals(line)) is not None], "PHPUnit")
    end = next((number for number, line in enumerate(lines) if line.startswith("Time: ")), len(lines))
    found = list(with_short_names(_tests(lines[:end])))
    listed = Counter(word for word, _ in found)
    require_counts(said, {"tests": len(found), "failures and errors": listed["failed"]}, ADVICE)
    return [result for _, result in found]


def _totals(line: str) -> Mapping[str, int] | None:
    """`OK (2 tests, 3 assertions)` or `Tests: 2, Assertions: 3, Failures: 1.`; None for any other line."""
    if well := _OK.fullmatch(line):
        return {"tests": int(well[1]), "failures and errors": 0}
    counts = _COUNTS.fullmatch(line)
    if counts is None:
        return None
    more = dict(part.split(": ") for part in counts[2].split(", ") if part)
    return {
        "tests": int(counts[1]),
        "failures and errors": int(more.get("Failures", 0)) + int(more.get("Errors", 0)),
    }


def _tests(lines: Sequence[str]) -> Iterator[tuple[str, TestResult]]:
    # A heading follows an empty line, possibly with output in between, and is directly above its first test.
    heading, below_gap = "", True
    for line in lines:
        if test := _TEST.fullmatch(line):
            word, status = _MARKS[test[1]]
            name, seconds = test[2], 0.0
            if time := _TIME.search(name):
                name, seconds = name[: time.start()], seconds_of(time[1], "ms")
            yield word, TestResult(f"{heading}::{name}" if heading else name, status, seconds)
        elif line[:1].strip() and below_gap:
            heading = line.strip()
        below_gap = not line.strip() or (below_gap and not test)
