"""A test that is reported twice, and a report without tests."""

from __future__ import annotations

from itertools import pairwise

import pytest

from harness.grading.reports import read_results
from harness.grading.results import (
    MAX_NAMES,
    MAX_TESTS,
    ReportError,
    merged,
    more_than_reported,
    with_short_names,
    worse,
)
from harness.records import TestResult, TestStatus

BEST_TO_WORST = (
    TestStatus.PASSED,
    TestStatus.EXPECTED_FAILURE,
    TestStatus.SKIPPED,
    TestStatus.FAILED,
    TestStatus.ERROR,
)


def test_every_status_that_a_report_can_have_has_its_place() -> None:
    assert {*BEST_TO_WORST, TestStatus.MISSING} == set(TestStatus)


@pytest.mark.parametrize(("better", "bad"), [*pairwise(BEST_TO_WORST)])
def test_the_worse_status_counts_whichever_comes_first(better: TestStatus, bad: TestStatus) -> None:
    one, other = TestResult("a", better, 1.0, "fine"), TestResult("a", bad, 2.0, "why")
    assert worse(one, other) == worse(other, one) == TestResult("a", bad, 3.0, "why")


def test_of_two_equal_results_the_first_message_stays() -> None:
    one, other = (TestResult("a", TestStatus.FAILED, 1.0, message) for message in ("first", "second"))
    assert worse(one, other) == TestResult("a", TestStatus.FAILED, 2.0, "first")
    assert worse(None, other) is other


def test_tests_stay_in_the_order_in_which_they_appeared() -> None:
    results = [
        TestResult("b", TestStatus.PASSED, 1.0),
        TestResult("a", TestStatus.PASSED, 1.0),
        TestResult("b", TestStatus.SKIPPED, 1.0),
    ]
    assert merged(results) == (TestResult("b", TestStatus.SKIPPED, 2.0), results[1])


def test_no_test_is_no_report() -> None:
    with pytest.raises(ReportError, match=r"^the report holds no test$"):
        merged([])


def test_there_may_be_fifty_thousand_tests_and_no_more() -> None:
    def results(count: int) -> list[TestResult]:
        return [TestResult(str(number), TestStatus.PASSED) for number in range(count)]

    assert len(merged(results(MAX_TESTS) * 2)) == MAX_TESTS == 50_000
    with pytest.raises(ReportError, match=r"^more than 50000 tests$"):
        merged(results(MAX_TESTS + 1))


class TestNames:
    """All names together have a limit, because a report says that of a suite once for all of its tests."""

    HALF = [TestResult(letter * (MAX_NAMES // 2), TestStatus.PASSED) for letter in "abc"]
    TOO_LONG = r"^the names of the tests have more than 64 million characters$"

    def test_may_be_as_long_as_the_limit_and_no_longer(self) -> None:
        assert len(merged(self.HALF[:2])) == 2
        with pytest.raises(ReportError, match=self.TOO_LONG):
            merged(self.HALF)

    def test_count_once_for_a_test_that_is_reported_twice(self) -> None:
        assert len(merged([*self.HALF[:2], *self.HALF[:2]])) == 2

    def test_are_counted_while_a_parser_makes_them(self) -> None:
        found = with_short_names(("passed", result) for result in self.HALF)
        assert [next(found)[1], next(found)[1]] == self.HALF[:2]
        with pytest.raises(ReportError, match=self.TOO_LONG):
            next(found)


@pytest.mark.parametrize(
    ("runner", "indent", "suite", "test", "end"),
    [
        ("jest", "  ", "", "✓ a", "Tests:       8000 passed, 8000 total"),
        ("mocha", "  ", "", "✔ a", "  8000 passing (1s)"),
        ("rspec", "  ", "", "a", "8000 examples, 0 failures"),
        ("junit-console", "│  ", "├─ ", "├─ a ✔", "[ 25 containers successful ]\n[ 8000 tests successful ]"),
    ],
)
def test_a_megabyte_of_output_makes_no_gigabyte_of_names(
    runner: str, indent: str, suite: str, test: str, end: str
) -> None:
    """25 suites inside of each other, with names that fill a line, and thousands of tests in the innermost one."""
    mark = " ✔" if suite else ""
    suites = [f"{indent * depth}{suite}{'x' * 3_900}{mark}" for depth in range(1, 26)]
    lines = ["PASS a.test.js", *suites, *[f"{indent * 26}{test}"] * 8_000, "", end]
    with pytest.raises(ReportError, match="the names of the tests have more than 64 million characters"):
        read_results(runner, {}, "\n".join(lines))


@pytest.mark.parametrize(
    ("reported", "more"),
    [
        (None, []),  # a runner that does not report while it runs
        ((), ["adds", "halves"]),  # one that was stopped before its first result
        ((("adds", "passed"), ("adds", "failed"), ("halves", "passed")), ["adds"]),
        ((("adds", "passed"), ("adds[2]", "passed"), ("halves", "passed")), []),
    ],
)
def test_no_test_passes_more_often_than_the_runner_reported(
    reported: tuple[tuple[str, str], ...] | None, more: list[str]
) -> None:
    results = [
        TestResult("test_sums::adds[1]", TestStatus.PASSED),
        TestResult("test_sums::adds[2]", TestStatus.PASSED),
        TestResult("test_sums::halves", TestStatus.PASSED),
        TestResult("test_sums::doubles", TestStatus.FAILED),
    ]
    assert more_than_reported(results, reported) == more


@pytest.mark.parametrize(
    ("report", "files", "output"),
    [
        (
            "junit",
            {"a.xml": b"<s><testcase name='a' time='1e308'/><testcase name='a' time='1e308'/></s>"},
            "",
        ),
        (
            "ctrf",
            {
                "a.json": b'{"results": {"tests": [{"name": "a", "status": "passed", "duration": %s}]}}'
                % (b"9" * 400)
            },
            "",
        ),
        ("jest", {}, f"PASS a.test.js\n  \u2713 a ({'9' * 400} ms)\n\nTests: 1 passed, 1 total\n"),
    ],
)
def test_a_duration_that_no_test_has_is_0(report: str, files: dict[str, bytes], output: str) -> None:
    (result,) = read_results(report, files, output)
    assert result.seconds == 0


def test_of_a_name_that_was_not_reported_the_beginning_is_told() -> None:
    written = [TestResult("m::" + "x" * 1_000_000, TestStatus.PASSED)]
    assert more_than_reported(written, []) == ["x" * 200]
