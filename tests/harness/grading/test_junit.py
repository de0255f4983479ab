from __future__ import annotations

import pytest

from harness.grading import junit
from harness.grading.junit import parse_junit
from harness.grading.results import MAX_MESSAGE, ReportError
from harness.records import TestResult, TestStatus


def report(cases: str) -> bytes:
    return f'<?xml version="1.0"?><testsuites><testsuite name="s">{cases}</testsuite></testsuites>'.encode()


def status(case: str) -> TestStatus:
    (result,) = parse_junit(report(case))
    return result.status


class TestOneCase:
    def test_a_case_without_a_verdict_passed(self) -> None:
        assert parse_junit(report('<testcase classname="a.B" name="c" time="1.25"/>')) == [
            TestResult("a.B::c", TestStatus.PASSED, 1.25)
        ]

    def test_a_case_without_a_class_is_its_name(self) -> None:
        assert parse_junit(report('<testcase name="suite/case one"/>'))[0].id == "suite/case one"

    @pytest.mark.parametrize(
        ("case", "expected"),
        [
            ('<testcase name="a"><failure message="no"/></testcase>', TestStatus.FAILED),
            ('<testcase name="a"><error message="no"/></testcase>', TestStatus.ERROR),
            ('<testcase name="a"><skipped message="later"/></testcase>', TestStatus.SKIPPED),
            ('<testcase name="a"><skipped type="pytest.xfail"/></testcase>', TestStatus.EXPECTED_FAILURE),
            ('<testcase name="a" status="notrun"/>', TestStatus.SKIPPED),
            ('<testcase name="a" status="run" result="suppressed"/>', TestStatus.SKIPPED),
            ('<testcase name="a"><failure/><error/></testcase>', TestStatus.ERROR),
            (
                '<testcase name="a"><system-out>&lt;failure/&gt; PASSED</system-out></testcase>',
                TestStatus.PASSED,
            ),
        ],
    )
    def test_each_verdict_is_recognised(self, case: str, expected: TestStatus) -> None:
        assert status(case) is expected

    def test_message_and_text_of_a_failure_are_recorded(self) -> None:
        case = '<testcase name="a"><failure message="1 != 2">Traceback:\n  line</failure></testcase>'
        assert parse_junit(report(case))[0].message == "1 != 2\nTraceback:\n  line"

    def test_a_long_message_is_cut(self) -> None:
        case = f'<testcase name="a"><failure>{"x" * 10_000}</failure></testcase>'
        assert len(parse_junit(report(case))[0].message) == MAX_MESSAGE

    @pytest.mark.parametrize(
        ("time", "seconds"), [("", 0.0), ("1,234.5", 1234.5), ("nan", 0.0), ("-1", 0.0), ("soon", 0.0)]
    )
    def test_odd_times_are_understood_or_nothing(self, time: str, seconds: float) -> None:
        assert parse_junit(report(f'<testcase name="a" time="{time}"/>'))[0].seconds == seconds


class TestHostileReports:
    def test_entities_are_refused(self) -> None:
        bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>'
        with pytest.raises(ReportError, match="line 1: a document type is not allowed"):
            parse_junit(bomb)

    def test_broken_xml_names_file_and_line(self) -> None:
        with pytest.raises(ReportError, match=r"a\.xml, line 2: mismatched tag"):
            parse_junit(b"<testsuite>\n<testcase name='a'></testsuite>", "a.xml")

    @pytest.mark.parametrize("encoding", ["idna", "hex", "big5", "no-such-encoding"])
    def test_an_encoding_that_cannot_be_read_is_refused(self, encoding: str) -> None:
        content = f'<?xml version="1.0" encoding="{encoding}"?><testsuite><testcase name="a"/></testsuite>'
        with pytest.raises(ReportError, match=r"a\.xml: its encoding cannot be read"):
            parse_junit(content.encode(), "a.xml")

    def test_a_nameless_case_is_refused(self) -> None:
        with pytest.raises(ReportError, match="a test case has no name"):
            parse_junit(report('<testcase classname="a"/>'))

    def test_too_many_tests_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(junit, "MAX_TESTS", 2)
        with pytest.raises(ReportError, match="more than 2 tests"):
            parse_junit(report('<testcase name="a"/>' * 3))
