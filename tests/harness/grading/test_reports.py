from __future__ import annotations

import json
from typing import Any

import pytest

from harness.dataset import REPORT_NAMES
from harness.grading import reports
from harness.grading.reports import FILE_REPORTS, PRINTED_REPORTS, read_results
from harness.grading.results import ReportError
from harness.records import TestResult, TestStatus


def junit(cases: str) -> bytes:
    return f"<testsuite>{cases}</testsuite>".encode()


def ctrf(*tests: dict[str, Any], summary: dict[str, int] | None = None) -> bytes:
    results = {"tool": {"name": "t"}, "summary": summary or {}, "tests": list(tests)}
    return json.dumps({"reportFormat": "CTRF", "results": results}).encode()


def test_a_dataset_may_use_every_format_with_a_parser() -> None:
    assert {*FILE_REPORTS, *PRINTED_REPORTS} == set(REPORT_NAMES)


def test_an_unknown_format_gives_no_verdict() -> None:
    with pytest.raises(ReportError, match="no reader for reports called 'cobol'"):
        read_results("cobol", {}, "")


class TestFiles:
    def test_all_files_of_the_format_count_and_no_other(self) -> None:
        files = {
            "b.xml": junit('<testcase name="b"/>'),
            "deep/a.XML": junit('<testcase name="a"/>'),
            "log.txt": b"<",
        }
        assert [result.id for result in read_results("junit", files, "c passed")] == ["b", "a"]

    def test_of_two_verdicts_on_one_test_the_worse_counts(self) -> None:
        files = {
            "1.xml": junit('<testcase name="a" time="1"><failure message="no"/></testcase>'),
            "2.xml": junit('<testcase name="a" time="2"/>'),
        }
        assert read_results("junit", files, "") == (TestResult("a", TestStatus.FAILED, 3.0, "no"),)

    def test_no_report_is_an_error(self) -> None:
        with pytest.raises(ReportError, match=r"left no report \(\*\.xml\)"):
            read_results("junit", {"log.txt": b"8 passed"}, "8 passed")

    def test_no_test_is_an_error(self) -> None:
        with pytest.raises(ReportError, match="holds no test"):
            read_results("junit", {"a.xml": junit("")}, "")

    def test_a_reason_names_a_file_in_one_line_of_text(self) -> None:
        """Code under test names files with any bytes, and a lone half of a character could not be printed."""
        with pytest.raises(ReportError, match=r"^a\ufffdb\ufffd\.xml, line 1: ") as caught:
            read_results("junit", {"a\udcffb\n.xml": b"<"}, "")
        assert str(caught.value).encode()
        with pytest.raises(ReportError, match=r"^a{200}, line 1: "):
            read_results("junit", {"a" * 3000 + ".xml": b"<"}, "")

    def test_too_large_reports_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reports, "MAX_BYTES", 1024**2)
        with pytest.raises(ReportError, match="larger than 1 MB"):
            read_results("junit", {"a.xml": b"x" * (1024**2 + 1)}, "")


class TestCtrf:
    def read(self, *tests: dict[str, Any], **more: Any) -> tuple[TestResult, ...]:
        return read_results("ctrf", {"ctrf.json": ctrf(*tests, **more)}, "")

    def test_suites_are_named_as_string_or_as_list(self) -> None:
        found = self.read(
            {"name": "adds", "status": "passed", "duration": 1500, "suite": "sums"},
            {"name": "adds", "status": "failed", "suite": ["sums", "below zero"], "message": "1 ≠ 2"},
            {"name": "adds", "status": "passed", "message": "said nothing of note"},
        )
        assert found == (
            TestResult("sums::adds", TestStatus.PASSED, 1.5),
            TestResult("sums > below zero::adds", TestStatus.FAILED, 0.0, "1 ≠ 2"),
            TestResult("adds", TestStatus.PASSED),
        )

    @pytest.mark.parametrize(
        ("test", "status"),
        [
            ({"status": "skipped"}, TestStatus.SKIPPED),
            ({"status": "pending"}, TestStatus.SKIPPED),
            ({"status": "other"}, TestStatus.ERROR),
            ({"status": "other", "rawStatus": "xfailed"}, TestStatus.EXPECTED_FAILURE),
            ({"status": "passed", "rawStatus": "xfailed"}, TestStatus.PASSED),
        ],
    )
    def test_each_verdict_is_recognised(self, test: dict[str, str], status: TestStatus) -> None:
        (found,) = self.read({"name": "a", **test})
        assert found.status is status

    @pytest.mark.parametrize("duration", ["soon", None, -1, True, float("nan"), 10**400])
    def test_odd_durations_are_nothing(self, duration: object) -> None:
        assert self.read({"name": "a", "status": "passed", "duration": duration})[0].seconds == 0.0

    def test_a_summary_that_contradicts_the_tests_is_not_believed(self) -> None:
        with pytest.raises(ReportError, match=r"ctrf\.json: the summary says failed: 1, the tests are 0"):
            self.read({"name": "a", "status": "passed"}, summary={"tests": 1, "failed": 1})

    @pytest.mark.parametrize(
        ("content", "complaint"),
        [
            (b"{", r"ctrf\.json: is not JSON"),
            (b"[" * 100_000, r"ctrf\.json: is not JSON"),
            (b"[]", r"ctrf\.json: must be an object"),
            (b"{}", r"ctrf\.json: is not CTRF: results is missing"),
            (b'{"results": {}}', r"results\.tests: must be a list"),
            (b'{"results": {"tests": [{"name": " ", "status": "passed"}]}}', r"tests\[0\]: has no name"),
            (b'{"results": {"tests": [{"name": "a", "status": "ok"}]}}', "status must be one of passed, "),
            (b'{"results": {"tests": [7]}}', r"tests\[0\]: must be an object"),
        ],
    )
    def test_what_is_no_ctrf_is_refused_with_its_place(self, content: bytes, complaint: str) -> None:
        with pytest.raises(ReportError, match=complaint):
            read_results("ctrf", {"ctrf.json": content}, "")
