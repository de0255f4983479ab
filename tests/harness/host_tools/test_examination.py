"""How much of a test run an agent reads."""

from __future__ import annotations

import pytest

from harness.host_tools.examination import MAX_CHARACTERS, Examination
from harness.records import TestResult, TestStatus

PASSED = TestResult("a", TestStatus.PASSED)
FAILED = TestResult("b", TestStatus.FAILED, message="1 != 2")
MISSING = TestResult("c", TestStatus.MISSING)


def test_everybody_may_read_the_counts_and_which_test_failed_first() -> None:
    found = Examination((PASSED, FAILED, MISSING), resolved=False)
    assert (found.passed, found.failed) == (1, 2)
    assert found.counts() == "1 of 3 hidden tests passed, 2 did not.\nThe first failure: b (failed)"
    assert found.message() == "1 != 2"


def test_when_all_passed_nothing_else_is_shown() -> None:
    found = Examination((PASSED,), resolved=True)
    assert found.counts() == "1 of 1 hidden tests passed, 0 did not. The work is done."
    assert found.message() == ""


def test_without_a_failing_test_there_is_no_verdict_for_a_reason() -> None:
    found = Examination((PASSED,), resolved=False, trouble="the report is no XML: <secret>")
    assert found.counts() == "1 of 1 hidden tests passed, 0 did not. There is no verdict."
    assert found.message() == "the report is no XML: <secret>"


@pytest.mark.parametrize("name", ["n", "n" * 5000])
def test_name_and_message_are_cut(name: str) -> None:
    long = TestResult(name, TestStatus.ERROR, message=f"{'x' * 50_000}\nlast line")
    found = Examination((long,), resolved=False)
    assert 1500 < len(f"{found.counts()}\n{found.message()}") <= MAX_CHARACTERS
    assert found.message().endswith("last line")
