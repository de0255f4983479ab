"""What the printed classes of Surefire contradict. Recorded outputs are in `test_recorded_outputs.py`."""

from __future__ import annotations

import pytest

from harness.grading.parsers.surefire import parse_surefire
from harness.grading.results import ReportError

COUNTS = "Tests run: 2, Failures: 0, Errors: 0, Skipped: 0"


def test_a_class_that_counts_no_failed_test_lists_none() -> None:
    listed = "[ERROR] shop.SumsTest.adds  Time elapsed: 0.01 s  <<< FAILURE!"
    output = f"[INFO] {COUNTS}, Time elapsed: 0.1 s - in shop.SumsTest\n{listed}\n[INFO] {COUNTS}\n"
    with pytest.raises(
        ReportError, match=r"shop\.SumsTest counts no failed test, the output lists 'shop\.SumsTest\.adds'"
    ):
        parse_surefire(output)
    assert [result.id for result in parse_surefire(output.replace(listed, ""))] == ["shop.SumsTest (2 tests)"]
