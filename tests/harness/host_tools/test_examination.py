"""How much of a test run an agent reads."""

from __future__ import annotations

from harness.host_tools.examination import MOST_CHARACTERS, Examination
from harness.records import TestResult, TestStatus

PASSED = TestResult("a", TestStatus.PASSED)
FAILED = TestResult("b", TestStatus.FAILED, message="1 != 2")
MISSING = TestResult("c", TestStatus.MISSING)


def test_the_first_failure_is_shown_with_the_counts() -> None:
    found = Examination((PASSED, FAILED, MISSING), resolved=False)
    assert (found.passed, found.failed) == (1, 2)
    assert found.shown() == ("1 of 3 hidden tests passed, 2 did not.\nThe first failure:\nb (failed)\n1 != 2")
    assert Examination((MISSING,), resolved=False).first_failure == "c (missing)"


def test_when_all_passed_nothing_else_is_shown() -> None:
    assert Examination((PASSED,), resolved=True).shown() == (
        "1 of 1 hidden tests passed, 0 did not. The work is done."
    )


def test_without_a_failing_test_the_reason_is_shown() -> None:
    found = Examination((PASSED,), resolved=False, trouble="the tests were stopped at their time-out")
    assert found.shown().endswith("The first failure:\nthe tests were stopped at their time-out")


def test_a_long_failure_is_cut_in_the_middle() -> None:
    long = TestResult("n" * 5000, TestStatus.ERROR, message=f"{'x' * 50_000}\nlast line")
    found = Examination((long,), resolved=False)
    assert len(found.first_failure) <= len(found.shown()) <= MOST_CHARACTERS
    assert found.shown().endswith("last line")
