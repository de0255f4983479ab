"""The verifier of coverage, with commands on this host that write reports."""

from __future__ import annotations

import pytest

from harness.dataset.verifier_kinds import Coverage, Metric, Unit
from harness.grading.verifiers.findings import Finding
from harness.grading.verifiers.measuring import check_coverage
from tests.harness.grading.verifiers.conftest import Run
from tests.harness.grading.verifiers.test_coverage_reports import REPORTS

COPY = f"cp {REPORTS}/coverage_py.xml $RESULTS_DIR/coverage.xml"


def check(run: Run, verifier: Coverage, patch: bytes = b"", *, seconds: float = 20.0) -> Finding:
    return check_coverage(verifier, run.bench(patch, seconds=seconds), run.state(patch))


@pytest.mark.parametrize(
    ("verifier", "passed", "message"),
    [
        (Coverage("n", COPY, 80), True, "line coverage of at least 80 %; the lowest is all 81.8 %"),
        (Coverage("n", COPY, 82), False, "line coverage below 82 %: all 81.8 %"),
        (
            Coverage("n", COPY, 90, Unit.FILE),
            False,
            "line coverage below 90 %: calc/a.py 66.7 %",
        ),
        (
            Coverage("n", COPY, 60, Unit.FILE, target="calc/**"),
            True,
            "line coverage of at least 60 %; the lowest is calc/a.py 66.7 %",
        ),
        (
            Coverage("n", COPY, 100, Unit.PACKAGE, target="calc/sub"),
            True,
            "line coverage of at least 100 %; the lowest is calc/sub 100.0 %",
        ),
        (
            Coverage("n", COPY, 60, Unit.FILE, Metric.BRANCH),
            False,
            "branch coverage below 60 %: calc/a.py 50.0 %",
        ),
        (
            Coverage("n", COPY, 10, Unit.FILE, target="src/**"),
            False,
            "the report has no file for the line coverage of src/**",
        ),
        (
            Coverage("n", "touch $RESULTS_DIR/other.xml", 10),
            False,
            "the command left no coverage.xml in $RESULTS_DIR; it left 1 file: other.xml",
        ),
        (
            Coverage("n", f"{COPY}; exit 1", 10),
            False,
            "the command ended with exit code 1: it printed nothing",
        ),
        (
            Coverage("n", "echo '<a/>' > $RESULTS_DIR/coverage.xml", 10),
            False,
            "the report is not usable: coverage.xml, line 1: is no report of Cobertura or JaCoCo: its root is <a>",
        ),
    ],
)
def test_coverage(run: Run, verifier: Coverage, passed: bool, message: str) -> None:
    found = check(run, verifier)
    assert (found.passed, found.message) == (passed, message)


def test_a_command_that_hangs_has_failed(run: Run) -> None:
    found = check(run, Coverage("n", "sleep 60", 10), seconds=1.0)
    assert (found.passed, found.message) == (False, "the command was stopped after 1 s")


def test_a_report_that_the_agent_wrote_is_not_measured(run: Run) -> None:
    forged = (
        '<coverage><class name="a" filename="a"><lines><line number="1" hits="1"/></lines></class></coverage>'
    )
    patch = run.patch(target__coverage_dot_xml=forged)
    found = check(run, Coverage("n", "cp target/coverage.xml $RESULTS_DIR/", 10), patch)
    assert (found.passed, found.message) == (
        False,
        "coverage.xml is a copy of target/coverage.xml in the workspace, and was not measured",
    )
