"""Reads CTRF, the Common Test Report Format (ctrf.io): one JSON object that many runners write with a plug-in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from harness.grading.results import MAX_MESSAGE, MAX_TESTS, ReportError, plausible_seconds
from harness.records import TestResult, TestStatus

_STATUS = {
    "passed": TestStatus.PASSED,
    "failed": TestStatus.FAILED,
    "skipped": TestStatus.SKIPPED,
    "pending": TestStatus.SKIPPED,
    "other": TestStatus.ERROR,
}
_EXPECTED = {"xfail", "xfailed", "expectedfailure", "expected_failure", "todo"}
_MILLISECONDS = 1000.0


def parse_ctrf(content: bytes, name: str = "report") -> list[TestResult]:
    """The tests of one report, in order, as `suite > subsuite::name`, or the name alone without a suite.

    The status `other` is an error, unless the runner's own status (`rawStatus`) is an expected failure.
    Raises ReportError with the position if it is not CTRF or the summary contradicts the tests.
    """
    try:
        stored = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ReportError(f"{name}: is not JSON: {error}") from None
    results = _member(_object(stored, name), "results", name)
    tests = results.get("tests")
    if not isinstance(tests, list):
        raise ReportError(f"{name}, results.tests: must be a list")
    if len(tests) > MAX_TESTS:
        raise ReportError(f"{name}: more than {MAX_TESTS} tests")
    found = [_result(test, f"{name}, results.tests[{number}]") for number, test in enumerate(tests)]
    _check_summary(results.get("summary"), tests, name)
    return found


def _result(test: Any, where: str) -> TestResult:
    test = _object(test, where)
    title, status = test.get("name"), test.get("status")
    if not isinstance(title, str) or not title.strip():
        raise ReportError(f"{where}: has no name")
    if not isinstance(status, str) or status not in _STATUS:
        raise ReportError(f"{where}: status must be one of {', '.join(_STATUS)}")
    verdict = _STATUS[status]
    if status == "other" and str(test.get("rawStatus", "")).lower() in _EXPECTED:
        verdict = TestStatus.EXPECTED_FAILURE
    texts = (text.strip() for text in (test.get("message"), test.get("trace")) if isinstance(text, str))
    # Older reports hold a string, newer ones a list from the outermost suite to the innermost.
    written = test.get("suite")
    parts = written if isinstance(written, list) else [written]
    suite = " > ".join(part.strip() for part in parts if isinstance(part, str) and part.strip())
    duration = test.get("duration")
    usable = isinstance(duration, int | float) and not isinstance(duration, bool)
    return TestResult(
        id=f"{suite}::{title.strip()}" if suite else title.strip(),
        status=verdict,
        seconds=plausible_seconds(duration) / _MILLISECONDS if usable else 0.0,
        message="" if verdict is TestStatus.PASSED else "\n".join(filter(None, texts))[:MAX_MESSAGE],
    )


def _check_summary(summary: Any, tests: list[Any], name: str) -> None:
    """Raises ReportError if the summary contradicts the tests, as after a manipulation."""
    if not isinstance(summary, dict):
        return
    statuses = [test["status"] for test in tests]
    for field, counted in {"tests": len(tests), **{word: statuses.count(word) for word in _STATUS}}.items():
        said = summary.get(field, counted)
        if said != counted:
            raise ReportError(f"{name}: the summary says {field}: {said!r}, the tests are {counted}")


def _member(parent: Mapping[str, Any], key: str, name: str) -> Mapping[str, Any]:
    if key not in parent:
        raise ReportError(f"{name}: is not CTRF: {key} is missing")
    return _object(parent[key], f"{name}, {key}")


def _object(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ReportError(f"{where}: must be an object")
    return value
