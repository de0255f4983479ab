"""Reads JUnit XML, as written by pytest, CTest, GoogleTest, Jest, Maven and plain scripts.

Reports are untrusted: document types (and with them entities) are rejected, and size and number are limited.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from xml.parsers import expat

from harness.grading.results import MAX_MESSAGE, MAX_TESTS, ReportError, plausible_seconds, worse
from harness.records import TestResult, TestStatus

_VERDICTS = {"failure": TestStatus.FAILED, "error": TestStatus.ERROR, "skipped": TestStatus.SKIPPED}
_NOT_RUN = {"notrun", "disabled", "suppressed"}


def parse_junit(content: bytes, name: str = "report") -> list[TestResult]:
    """The test cases of one report, in order, as `classname::name`. Raises ReportError with the line."""
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = reader.refuse_doctype
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parse_xml(parser, content, name)
    return reader.results


def parse_xml(parser: expat.XMLParserType, content: bytes, name: str) -> None:
    """Gives the parser all of a report. Raises ReportError with the line, also where a handler raises one."""
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise ReportError(f"{name}, line {error.lineno}: {expat.ErrorString(error.code)}") from None
    except ReportError as error:
        raise ReportError(f"{name}, line {parser.CurrentLineNumber}: {error}") from None
    except (LookupError, ValueError) as error:  # of Python's decoders
        raise ReportError(f"{name}: its encoding cannot be read: {error}") from None


class _Reader:
    """Collects test cases while expat parses the file."""

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
            self._case = worse(replace(self._case, seconds=0.0), verdict)
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
        return plausible_seconds(float(written.replace(",", "")))
    except ValueError:
        return 0.0
