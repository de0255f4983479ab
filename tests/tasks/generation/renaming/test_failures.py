"""Which names failures mention."""

from __future__ import annotations

from harness.records import TestResult, TestStatus
from tasks.generation.renaming.failures import mentioned_names
from tasks.generation.suite.hidden_suite import SuiteRun

NEW = {"add": "zuba", "Shelf": "Romid", "fill": "kedo"}


def failed(test: str, message: str) -> TestResult:
    return TestResult(test, TestStatus.FAILED, message=message)


def test_old_and_new_names_in_the_errors_of_failing_tests_are_found() -> None:
    run = SuiteRun(
        (
            failed("one", "    kedo(Romid())\nE       AttributeError: no attribute 'zuba'\nE   at x"),
            failed("two", "assert 'Shelf' == 'x'\n kedo"),
            failed("three", "E   fill"),
        ),
        1.0,
    )
    assert mentioned_names(run, ["one", "two"], NEW) == {"add", "Shelf"}
    assert mentioned_names(run, ["two"], NEW) == {"Shelf"}


def test_the_output_counts_where_no_test_ran() -> None:
    run = SuiteRun((), 1.0, trouble="no report", output="ImportError: cannot import name 'kedo'")
    assert mentioned_names(run, ["one"], NEW) == {"fill"}
