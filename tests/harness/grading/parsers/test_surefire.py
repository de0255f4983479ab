"""What the printed classes of Surefire contradict. Recorded outputs are in `test_recorded_outputs.py`."""

from __future__ import annotations

import time

import pytest

from harness.grading.parsers.surefire import parse_surefire, without_altered
from harness.grading.results import ReportError
from harness.records import TestResult, TestStatus

COUNTS = "Tests run: 2, Failures: 0, Errors: 0, Skipped: 0"


def test_a_class_that_counts_no_failed_test_lists_none() -> None:
    listed = "[ERROR] shop.SumsTest.adds  Time elapsed: 0.01 s  <<< FAILURE!"
    output = f"[INFO] {COUNTS}, Time elapsed: 0.1 s - in shop.SumsTest\n{listed}\n[INFO] {COUNTS}\n"
    with pytest.raises(
        ReportError, match=r"shop\.SumsTest counts no failed test, the output lists 'shop\.SumsTest::adds'"
    ):
        parse_surefire(output)
    assert [result.id for result in parse_surefire(output.replace(listed, ""))] == ["shop.SumsTest (2 tests)"]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("[ERROR] adds  Time elapsed: 0.01 s  <<< FAILURE!", "adds"),
        ("adds(shop.SumsTest)  Time elapsed: 0.01 sec  <<< ERROR!", "adds(shop.SumsTest)"),
        ("[ERROR] shop.SumsTest.adds -- Time elapsed: 0.01 s <<< FAILURE!", "adds"),
        ("[ERROR] shop.SumsTest.adds(int)[2] two words  Time elapsed: 1,234.5 s <<< ERROR!", "adds(int)[2] two words"),
        ("  adds  Time elapsed: 0.01 s  <<< FAILURE!", None),
        ("a < b  Time elapsed: 0.01 s  <<< FAILURE!", None),
        ("adds Time elapsed: 0.01 s <<< FAILURE! and more", None),
    ],
)  # fmt: skip
def test_a_line_names_a_failed_test(line: str, name: str | None) -> None:
    counts = "Tests run: 2, Failures: 1, Errors: 0, Skipped: 0"
    output = f"{counts}, Time elapsed: 0.1 s <<< FAILURE! - in shop.SumsTest\n{line}\n{counts}\n"
    found = [result.id for result in parse_surefire(output)]
    assert found == ["shop.SumsTest (2 tests)", *([f"shop.SumsTest::{name}"] if name else [])]


def test_lines_of_spaces_behind_a_class_take_no_time() -> None:
    counts = "Tests run: 0, Failures: 0, Errors: 0, Skipped: 0"
    spaces = ("a" + " " * 3_990 + "\n") * 200
    began = time.monotonic()
    parse_surefire(f"{counts}, Time elapsed: 0 s - in shop.MoreTest\n{spaces}{counts}\n")
    assert time.monotonic() - began < 1


def test_a_class_that_is_reported_thousands_of_times_takes_no_time() -> None:
    """Each time with another number of tests, and another failed one behind it."""
    classes = [TestResult(f"shop.SumsTest ({count} tests)", TestStatus.FAILED) for count in range(2, 8_000)]
    failed = [TestResult(f"shop.SumsTest::a{number}", TestStatus.FAILED) for number in range(8_000)]
    began = time.monotonic()
    found = list(without_altered([*classes, *failed], {"SumsTest": ["adds"]}, {"SumsTest": []}))
    assert time.monotonic() - began < 2
    assert found[:2] == [
        TestResult("shop.SumsTest::adds", TestStatus.PASSED),
        TestResult("shop.SumsTest (1 test)", TestStatus.FAILED),
    ]
