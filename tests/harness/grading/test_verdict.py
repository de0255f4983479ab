from __future__ import annotations

import pytest

from harness.grading.verdict import judge
from harness.records import TestResult, TestStatus

PASSED = TestStatus.PASSED


def results(**statuses: TestStatus) -> list[TestResult]:
    return [TestResult(name, status) for name, status in statuses.items()]


def test_all_expected_tests_passed_and_the_exit_code_agrees() -> None:
    verdict = judge(["a", "b"], results(b=PASSED, a=PASSED), exit_code=0)
    assert verdict.resolved
    assert [test.id for test in verdict.tests] == ["a", "b"]
    assert verdict.reason == "all 2 expected tests passed"


@pytest.mark.parametrize("status", [status for status in TestStatus if status is not PASSED])
def test_anything_but_passed_is_not_passed(status: TestStatus) -> None:
    verdict = judge(["a", "b"], results(a=PASSED, b=status), exit_code=0)
    assert not verdict.resolved
    assert verdict.reason == (f"1 of 2 expected tests did not pass: b ({status.value.replace('_', ' ')})")


def test_a_test_that_is_not_reported_is_missing() -> None:
    verdict = judge(["a", "b"], results(a=PASSED), exit_code=0)
    assert not verdict.resolved
    assert verdict.tests[1] == TestResult("b", TestStatus.MISSING)


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_results_of_one_test_the_worse_counts(order: int) -> None:
    """The reports have each test once, but results that stand in for those of altered tests are added later."""
    twice = [*results(a=PASSED), *results(a=TestStatus.FAILED)][::order]
    assert not judge(["a"], twice, exit_code=0).resolved


def test_unexpected_tests_are_ignored() -> None:
    verdict = judge(["a"], results(a=PASSED, extra=TestStatus.FAILED), exit_code=0)
    assert verdict.resolved
    assert [test.id for test in verdict.tests] == ["a"]


def test_an_exit_code_other_than_0_overrides_the_report() -> None:
    verdict = judge(["a"], results(a=PASSED), exit_code=1)
    assert not verdict.resolved
    assert verdict.reason == "all 1 expected tests passed, but the test script ended with exit code 1"


def test_a_time_out_is_unresolved_even_if_all_tests_passed() -> None:
    verdict = judge(["a"], results(a=PASSED), exit_code=None)
    assert not verdict.resolved
    assert verdict.reason == "the tests were stopped at their time-out"


def test_without_a_report_all_tests_are_missing_and_the_reason_is_shown() -> None:
    verdict = judge(["a", "b"], [], exit_code=0, trouble="the report holds no test")
    assert not verdict.resolved
    assert {test.status for test in verdict.tests} == {TestStatus.MISSING}
    assert verdict.reason == "the tests gave no verdict: the report holds no test (exit code 0)"


def test_only_the_first_failed_tests_are_named() -> None:
    verdict = judge(list("abcde"), [], exit_code=1)
    assert verdict.reason == (
        "5 of 5 expected tests did not pass: a (missing), b (missing), c (missing) and 2 more"
    )


def test_an_empty_manifest_is_refused() -> None:
    with pytest.raises(ValueError, match="no test is expected"):
        judge([], [], exit_code=0)
