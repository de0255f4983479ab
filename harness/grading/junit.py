"""Reads JUnit XML, as written by pytest, CTest, GoogleTest, Jest, Maven and plain scripts.

A report is hostile until read: document types (and with them entities) are refused, size and number are bounded.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from xml.parsers import expat

from harness.errors import HarnessError
from harness.records import TestResult, TestStatus

MAX_BYTES = 64 * 1024 * 1024
MAX_TESTS = 50_000
MAX_MESSAGE = 4_000

# From best to worst: of two verdicts on one test, the worse one counts.
_ORDER = (
    TestStatus.PASSED,
    TestStatus.EXPECTED_FAILURE,
    TestStatus.SKIPPED,
    TestStatus.FAILED,
    TestStatus.ERROR,
)
_VERDICTS = {"failure": TestStatus.FAILED, "error": TestStatus.ERROR, "skipped": TestStatus.SKIPPED}
_NOT_RUN = {"notrun", "disabled", "suppressed"}


class ReportError(HarnessError):
    """There is no usable report. The message completes the sentence "the tests gave no verdict: ..."."""


def read_reports(files: Mapping[str, bytes]) -> tuple[TestResult, ...]:
    """Every test of every `*.xml` file, in order; a test that is reported twice has the worse verdict.

    Raises ReportError when there is no report, when one cannot be read, and when all of them together hold no test.
    """
    reports = {name: content for name, content in sorted(files.items()) if name.lower().endswith(".xml")}
    if not reports:
        raise ReportError("the test script left no report (*.xml) in $RESULTS_DIR")
    if sum(map(len, reports.values())) > MAX_BYTES:
        raise ReportError(f"the reports are larger than {MAX_BYTES // 1024**2} MB")
    results: dict[str, TestResult] = {}
    for name, content in reports.items():
        for result in parse_junit(content, name):
            results[result.id] = _worse(results.get(result.id), result)
    if not results:
        raise ReportError("the report holds no test")
    return tuple(results.values())


def parse_junit(content: bytes, name: str = "report") -> list[TestResult]:
    """The test cases of one report, in order, as `classname::name`. Raises ReportError naming the line."""
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = reader.refuse_doctype
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise ReportError(f"{name}, line {error.lineno}: {expat.ErrorString(error.code)}") from None
    except ReportError as error:
        raise ReportError(f"{name}, line {parser.CurrentLineNumber}: {error}") from None
    return reader.results


class _Reader:
    """Collects test cases while expat walks through the file."""

    def __init__(self) -> None:
        self.results: list[TestResult] = []
        self._case: TestResult | None = None
        self._verdict: TestResult | None = None
        self._text = ""

    def refuse_doctype(self, *_: object) -> None:
        raise ReportError("a document type is not allowed in a report")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        if tag == "testcase":
            self._case = _case(attributes)
        elif tag in _VERDICTS and self._case is not None:
            expected = tag == "skipped" and attributes.get("type") == "pytest.xfail"
            status = TestStatus.EXPECTED_FAILURE if expected else _VERDICTS[tag]
            self._verdict = replace(self._case, status=status, message=attributes.get("message", ""))
            self._text = ""

    def text(self, text: str) -> None:
        if self._verdict is not None and len(self._text) < MAX_MESSAGE:
            self._text += text

    def end(self, tag: str) -> None:
        tag = tag.rpartition(":")[2]
        if tag in _VERDICTS and self._verdict is not None and self._case is not None:
            message = "\n".join(filter(None, (self._verdict.message.strip(), self._text.strip())))
            verdict = replace(self._verdict, message=message[:MAX_MESSAGE])
            self._case = _worse(replace(self._case, seconds=0.0), verdict)
            self._verdict = None
        elif tag == "testcase" and self._case is not None:
            if len(self.results) >= MAX_TESTS:
                raise ReportError(f"more than {MAX_TESTS} tests")
            self.results.append(self._case)
            self._case = None


def _case(attributes: Mapping[str, str]) -> TestResult:
    classname, name = attributes.get("classname", "").strip(), attributes.get("name", "").strip()
    if not name:
        raise ReportError("a test case has no name")
    ran = {attributes.get("status", "").lower(), attributes.get("result", "").lower()}.isdisjoint(_NOT_RUN)
    return TestResult(
        id=f"{classname}::{name}" if classname else name,
        status=TestStatus.PASSED if ran else TestStatus.SKIPPED,
        seconds=_seconds(attributes.get("time", "")),
    )


def _seconds(written: str) -> float:
    try:
        seconds = float(written.replace(",", ""))
    except ValueError:
        return 0.0
    return seconds if math.isfinite(seconds) and seconds >= 0 else 0.0


def _worse(one: TestResult | None, other: TestResult) -> TestResult:
    """The worse of two verdicts on one test, with the time of both."""
    if one is None:
        return other
    worse = max(one, other, key=lambda result: _ORDER.index(result.status))
    return replace(worse, seconds=one.seconds + other.seconds)
