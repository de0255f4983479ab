"""Claims of a source, and how they fit its own results."""

from __future__ import annotations

import pytest

from runs.models import Claim, ReportedTests, ResultReport
from tasks.models import Dataset


@pytest.mark.parametrize(
    ("own", "ends", "verdict"),
    [
        (64.8, (60.5, 68.9), "differs"),
        (64.93, (60.5, 68.9), "agrees"),
        (10.2, (7.8, 13.2), "contradicts"),
        (10.2, (None, None), "differs"),
        (None, (None, None), "unknown"),
    ],
)
def test_a_claim_has_a_verdict(
    own: float | None, ends: tuple[float | None, float | None], verdict: str
) -> None:
    claim = Claim(name="Ada", metric="resolved_percent", printed="64.93", own=own, own_n=500)
    claim.own_low, claim.own_high = ends

    assert claim.verdict == verdict


def test_they_have_names() -> None:
    report = ResultReport(dataset=Dataset(slug="lab-bench"), version="a1")

    assert str(report) == "lab-bench a1"
    assert str(Claim(report=report, name="Ada", metric="pass_at_2", printed="0.5")) == "Ada: pass_at_2 0.5"
    assert str(ReportedTests(run_id=7)) == "tests of run 7"
