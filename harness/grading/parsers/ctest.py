"""Reads what CTest prints, with -V or without.

Test ids are the names of the tests. A test that could not be run (no program or fixture) is an error. Disabled tests
and tests that skip themselves are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from harness.grading.parsers.text import clean_lines, only_one, require_counts, seconds_of
from harness.records import TestResult, TestStatus

_TEST = re.compile(r" *\d{1,6}/\d{1,6} Test +#\d{1,6}: (.*)")
_PASSED = re.compile(r"(.*\.) +Passed +(\d[\d.]*) sec")
_SECONDS = re.compile(r"(\d[\d.]*) sec$")
_TOTALS = re.compile(r"\d{1,3}% tests passed, (\d{1,9}) tests? failed out of (\d{1,9})")
_DISABLED = "Not Run (Disabled)"
ADVICE = "run ctest once"


def parse_ctest(output: str) -> list[TestResult]:
    """The tests in the order in which they ended."""
    lines = clean_lines(output)
    found = [_result(match[1]) for line in lines if (match := _TEST.fullmatch(line))]
    said = only_one([totals for line in lines if (totals := _totals(line)) is not None], "CTest")
    disabled = sum(result.message.startswith(_DISABLED) for result in found)
    failed = sum(result.status in (TestStatus.FAILED, TestStatus.ERROR) for result in found)
    require_counts(said, {"tests": len(found) - disabled, "failed": failed}, ADVICE)
    return found


def _totals(line: str) -> Mapping[str, int] | None:
    match = _TOTALS.fullmatch(line.strip())
    return {"tests": int(match[2]), "failed": int(match[1])} if match else None


def _result(rest: str) -> TestResult:
    """`name ......   Passed    0.01 sec` or `name ......***Failed  more text  0.01 sec`."""
    if passed := _PASSED.fullmatch(rest):
        return TestResult(_name(passed[1]), TestStatus.PASSED, seconds_of(passed[2]))
    name, _, verdict = rest.partition("***")
    status = TestStatus.FAILED
    if verdict.startswith(("Skipped", _DISABLED)):
        status = TestStatus.SKIPPED
    elif verdict.startswith("Not Run"):
        status = TestStatus.ERROR
    time = _SECONDS.search(verdict)
    return TestResult(_name(name), status, seconds_of(time[1]) if time else 0.0, verdict.strip())


def _name(dotted: str) -> str:
    """The name without the dots in front of the status."""
    return dotted.rstrip().rstrip(".").rstrip()
