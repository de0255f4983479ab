"""The tests of two runs side by side."""

from __future__ import annotations

from harness.records import TestResult, TestStatus
from runs.views.compare_pages.compare_tests import MAX_SHOWN, ComparedTests, compare_tests

PASSED, FAILED, ERROR = TestStatus.PASSED, TestStatus.FAILED, TestStatus.ERROR


def report(**statuses: TestStatus) -> list[TestResult]:
    return [TestResult(name, status) for name, status in statuses.items()]


def test_differing_tests_are_apart_from_those_that_fail_or_pass_in_both() -> None:
    one = report(a=PASSED, b=PASSED, c=FAILED, d=FAILED)
    two = report(d=ERROR, c=FAILED, b=FAILED, a=PASSED)
    assert compare_tests(one, two) == ComparedTests(
        differing=(("b", "passed", "failed"), ("d", "failed", "error")),
        failing=(("c", "failed", "failed"),),
        passing=(("a", "passed", "passed"),),
        counts=(2, 1, 1),
        unshown=0,
    )


def test_a_test_of_only_one_report_differs_and_those_of_the_second_come_last() -> None:
    found = compare_tests(report(b=PASSED), report(a=PASSED))
    assert found.differing == (("b", "passed", ""), ("a", "", "passed"))


def test_without_reports_there_is_nothing() -> None:
    assert compare_tests([], []) == ComparedTests((), (), (), (0, 0, 0), 0)


def test_each_group_is_cut_and_all_are_counted() -> None:
    one = [TestResult(str(number), PASSED) for number in range(MAX_SHOWN + 2)]
    same, other = compare_tests(one, one), compare_tests(one, [])
    assert (len(same.passing), same.counts, same.unshown) == (500, (0, 0, 502), 2)
    assert (len(other.differing), other.counts, other.unshown) == (500, (502, 0, 0), 2)


def test_names_are_cut_and_cleaned() -> None:
    found = compare_tests([TestResult("x" * 400, PASSED), TestResult("a\x1b[31mb", PASSED)], [])
    assert [name for name, _, _ in found.differing] == ["x" * 300, "ab"]
