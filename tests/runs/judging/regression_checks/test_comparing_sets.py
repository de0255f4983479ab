"""The verdict about two sets, its evidence, and the paper's flags beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.regression.paper_flags import PaperFlags, ToolSuccess
from runs.judging.regression_checks.comparing_sets import compare_sets, lost_reason, paper_rows, shown
from runs.models import RegressionCheck
from tests.runs.judging.regression_checks.members import member, member_set, passing

Verdict = RegressionCheck.Verdict


@pytest.mark.parametrize(
    ("anchor", "candidate", "verdict"),
    [
        (passing(10), passing(10), Verdict.NONE),
        (passing(10), passing(10, 0.0), Verdict.REGRESSION),
        (passing(10, 0.0), passing(10), Verdict.NONE),
        (passing(10), passing(10, limits="iterations 5"), Verdict.NOT_COMPARABLE),
        (passing(3), passing(3, 0.0), Verdict.NOT_COMPARABLE),
        (passing(10), replace(passing(10, 0.0), lost=2), Verdict.INFRASTRUCTURE),
        (replace(passing(10), lost=2), passing(10, 0.0), Verdict.INFRASTRUCTURE),
        (passing(10), replace(passing(10, 0.0), lost=1), Verdict.REGRESSION),
        (passing(10), member_set(), Verdict.INFRASTRUCTURE),
        (member_set(), passing(10), Verdict.NOT_COMPARABLE),
        (member_set(lost=2), passing(10), Verdict.INFRASTRUCTURE),
    ],
)
def test_the_verdict(anchor: object, candidate: object, verdict: str) -> None:
    assert compare_sets(anchor, candidate).verdict == verdict  # type: ignore[arg-type]


def test_reasons_are_sentences() -> None:
    few = compare_sets(passing(3), passing(3)).reason
    assert few.startswith("No quantity could be tested: ")
    assert "3 scenarios have values in both sets, and 5 are needed" in few
    limits = compare_sets(passing(3), passing(3, limits="tokens 5")).reason
    assert limits == "The limits differ: iterations 100 and tokens 5."
    assert compare_sets(member_set(), passing(3)).reason == "Night has no run of this agent."
    assert lost_reason(member_set(lost=4)) == "Night: none of 4 runs has a verdict."


def test_no_regression_is_said_of_what_was_tested_only() -> None:
    assert compare_sets(passing(10), passing(8)).reason == (
        "None of 1 tested quantities became worse. 10 of 11 could not be tested. "
        "2 scenarios and personas are in one of the sets only, and left out."
    )


def test_evidence_is_the_pairs_that_declined_most() -> None:
    anchor = member_set(*(member(number, {"cost_usd": 1.0}) for number in range(10)))
    candidate = member_set(*(member(number, {"cost_usd": 2.0 + number}) for number in range(10)))
    found = compare_sets(anchor, candidate)
    assert found.reason == "Became worse: Cost."
    assert [(pair.candidate.pk, pair.before, pair.after) for pair in found.evidence["cost_usd"]] == [
        (number, 1.0, 2.0 + number) for number in (9, 8, 7, 6, 5)
    ]


def test_the_paper_flags_what_changed_whether_or_not_it_can_be_chance() -> None:
    tool = {"read_file": ToolSuccess(20, 20)}
    broken = {"read_file": ToolSuccess(10, 20)}
    anchor = member_set(member(1, {"formal": 1.0, "cost_usd": 1.0, "seconds": 10.0}, tools=tool))
    candidate = member_set(
        member(1, {"formal": 1.0, "cost_usd": 1.3, "seconds": 10.0}, tools=broken, ending="wall_time")
    )
    rows = {row.title: row for row in paper_rows(anchor, candidate)}
    assert rows["Price, US$"].flags == PaperFlags(warning=True, alert=False)
    assert rows["Seconds"].flags == PaperFlags(warning=False, alert=False)
    assert rows["Success of read_file"].flags == PaperFlags(warning=True, alert=True)
    assert rows["Formal verification, runs"][1:3] == (1, 1)
    assert rows["Endings that differ"].second == 2
    assert compare_sets(anchor, candidate).verdict == Verdict.NOT_COMPARABLE


def test_of_many_tools_those_with_most_calls_are_compared() -> None:
    tools = {f"invented_{number}": ToolSuccess(1, 1) for number in range(200)}
    runs = member_set(member(1, {}, tools={**tools, "read_file": ToolSuccess(2, 2)}))
    found = compare_sets(runs, runs)
    assert len(found.check.tools) == 50
    assert "read_file" in {one.quantity.title for one in found.check.tools}
    assert sum(row.title.startswith("Success of ") for row in found.paper) == 50


def test_an_estimate_without_interval_has_no_ends() -> None:
    assert shown(Estimate(1.0, 3)) == (1.0, None, None)
    assert shown(Estimate(1.0, 3, interval=Interval(0.5, 2.0))) == (1.0, 0.5, 2.0)
    assert shown(Estimate.unknown("none")) == (None, None, None)
