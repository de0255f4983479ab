"""Reads what `go test -v` prints, or `go test -json`.

Test ids are `package::TestName/subtest`, the names as Go prints them (spaces are underscores). Go prints no totals, but
a status for each test that it started. A started test without a status is an error. A package that failed without a
failed test, or did not build, is an error with the package as its id.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from harness.grading.parsers.text import clean_lines, seconds_of
from harness.grading.results import ReportError, plausible_seconds
from harness.records import TestResult, TestStatus

_STATUS = {
    "PASS": TestStatus.PASSED,
    "FAIL": TestStatus.FAILED,
    "SKIP": TestStatus.SKIPPED,
    "RUN": TestStatus.ERROR,
}
_BEGAN = re.compile(r"=== RUN +(\S+)")
# Output of a test may precede a failure on its line; a pass must be on a line of its own.
_BAD = re.compile(r"--- (FAIL|SKIP): (\S+) \((\d+\.\d+)s\)")
_GOOD = re.compile(r"(?:    )*--- (PASS): (\S+) \((\d+\.\d+)s\)")
_PACKAGE = re.compile(
    r"(ok|FAIL) *\t([^\s\[]+)(?:\t| \[).*|(FAIL) *\t(\S+)|(\?) *\t(\S+)\t\[no test files\]|\t(\S+)\t\tcoverage: .*"
)
_UNFINISHED = "began and did not end"

# Name, status word and seconds of a test.
_Verdict = tuple[str, str, float]


def parse_go(output: str) -> list[TestResult]:
    """The tests, package by package. Raises ReportError if the output ends before the last package."""
    lines = clean_lines(output)
    events = [event for line in lines if line.startswith("{") and (event := _event(line))]
    found = list(_from_events(events, lines) if events else _from_text(lines))
    if not found:
        raise ReportError("the output lists no test: run go test with -v")
    return found


def _from_text(lines: Sequence[str]) -> Iterator[TestResult]:
    open_tests: list[_Verdict] = []
    for line in lines:
        if began := _BEGAN.fullmatch(line):
            open_tests.append((began[1], "RUN", 0.0))
        elif verdict := _GOOD.fullmatch(line) or _BAD.search(line):
            open_tests.append((verdict[2], verdict[1], seconds_of(verdict[3])))
        elif package := _PACKAGE.fullmatch(line):
            name = package[2] or package[4] or package[6] or package[7]
            yield from _results(name, open_tests, failed="FAIL" in (package[1], package[3]))
            open_tests = []
    if open_tests:
        raise ReportError("the output of go test broke off: its last package has no end")


def _from_events(events: Iterable[dict[str, Any]], lines: Sequence[str]) -> Iterator[TestResult]:
    tests: dict[str, list[_Verdict]] = {}
    for event in events:
        package, test, action = event["Package"], event.get("Test"), event["Action"].upper()
        if test is not None and action in _STATUS:
            elapsed = event.get("Elapsed")
            seconds = plausible_seconds(elapsed) if isinstance(elapsed, int | float) else 0.0
            tests.setdefault(package, []).append((str(test), action, seconds))
        elif test is None and action in _STATUS:
            yield from _results(package, tests.pop(package, []), failed=action == "FAIL")
    if tests:
        raise ReportError(f"the output of go test broke off: {', '.join(tests)} has no end")
    for line in lines:
        # Older versions print no event for a package that did not build.
        if (package := _PACKAGE.fullmatch(line)) and package[1] == "FAIL":
            yield from _results(package[2], [], failed=True)


def _results(package: str, verdicts: Sequence[_Verdict], *, failed: bool) -> Iterator[TestResult]:
    ended = {name for name, word, _ in verdicts if word != "RUN"}
    bad = False
    for name, word, seconds in verdicts:
        if word != "RUN":
            yield TestResult(f"{package}::{name}", _STATUS[word], seconds)
        elif name not in ended:
            yield TestResult(f"{package}::{name}", TestStatus.ERROR, 0.0, _UNFINISHED)
        bad = bad or word == "FAIL" or name not in ended
    if failed and not bad:
        yield TestResult(package, TestStatus.ERROR, 0.0, "the package failed without a failed test")


def _event(line: str) -> dict[str, Any] | None:
    """One line of `go test -json`; None for any other line."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    usable = isinstance(event, dict) and all(isinstance(event.get(k), str) for k in ("Action", "Package"))
    return event if usable else None
