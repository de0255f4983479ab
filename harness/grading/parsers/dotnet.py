"""Reads what `dotnet test --logger "console;verbosity=normal"` (or detailed) prints, by VSTest.

Test ids are the displayed names, with the arguments of a theory: `Calc.Tests.SumsTest.Adds(text: "a b", number: 1)`.
The newer Microsoft.Testing.Platform prints differently; let it write JUnit XML.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from harness.grading.parsers.text import clean_lines, require_counts, seconds_of
from harness.grading.results import ReportError
from harness.records import TestResult, TestStatus

_STATUS = {"Passed": TestStatus.PASSED, "Failed": TestStatus.FAILED, "Skipped": TestStatus.SKIPPED}
_TEST = re.compile(r"  (Passed|Failed|Skipped) (\S.*?)(?: \[([^\[\]]{1,30})\])?")
_TOTAL = re.compile(r"Total tests: (\d{1,9})")
_COUNT = re.compile(r" +(Passed|Failed|Skipped): (\d{1,9})")
_PART = re.compile(r"(\d{1,9}(?:\.\d{1,6})?) (ms|s|m|h)")
ADVICE = 'run dotnet test --logger "console;verbosity=normal"'


def parse_dotnet(output: str) -> list[TestResult]:
    """The tests of all projects in the order in which they were printed."""
    lines = clean_lines(output)
    if any(line.startswith("Test Run Aborted") for line in lines):
        raise ReportError("the test run was aborted")
    found = [_result(match) for line in lines if (match := _TEST.fullmatch(line.rstrip()))]
    said = _totals(lines)
    listed = Counter(word for word, _ in found)
    require_counts(said, {**listed, "tests": len(found)}, ADVICE)
    return [result for _, result in found]


def _totals(lines: Sequence[str]) -> Counter[str]:
    """The sums of the counts below each `Total tests: 4`."""
    totals: Counter[str] = Counter()
    ended = False
    for number, line in enumerate(lines):
        if total := _TOTAL.fullmatch(line.rstrip()):
            ended = True
            totals["tests"] += int(total[1])
            for below in lines[number + 1 : number + 4]:
                if count := _COUNT.fullmatch(below.rstrip()):
                    totals[count[1]] += int(count[2])
    if not ended:
        raise ReportError(f"the output holds no closing summary of dotnet test; {ADVICE}")
    return totals


def _result(match: re.Match[str]) -> tuple[str, TestResult]:
    """`  Passed name [1 m 2 s]`; a duration below a millisecond is 0."""
    seconds = sum(seconds_of(number, unit) for number, unit in _PART.findall(match[3] or ""))
    return match[1], TestResult(match[2], _STATUS[match[1]], seconds)
