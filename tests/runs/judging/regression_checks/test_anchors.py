"""With which evaluation a new one is compared: the named one, the newest without a regression, or the best."""

from __future__ import annotations

from typing import Any

import pytest

from runs.judging.regression_checks.anchors import anchor_for, green_checks
from runs.judging.regression_checks.stored_members import members_of_evaluation
from runs.models import RegressionCheck, Schedule
from tests.runs.judging.regression_checks.nights import Nights, everything, nothing, play

pytestmark = pytest.mark.django_db


@pytest.fixture
def nights(monkeypatch: pytest.MonkeyPatch) -> Nights:
    monkeypatch.setattr("tests.runs.judging.regression_checks.nights.SCENARIOS", 8)
    return Nights()


def anchor_of(nights: Nights, night: int, **more: object) -> object:
    """The anchor of a new night."""
    check = nights.begin(night)
    evaluation = play(check, **more)  # type: ignore[arg-type]
    return anchor_for(check, members_of_evaluation(evaluation, nights.agent))


def test_last_green_leaves_out_regressions(nights: Nights) -> None:
    first, second, third = nights.night(0), nights.night(1), nights.night(2, nothing)
    assert third.verdict == RegressionCheck.Verdict.REGRESSION
    assert anchor_of(nights, 3) == second.candidate
    newest = RegressionCheck.objects.get(due_at__day=4)
    assert list(green_checks(newest)) == [second, first]


def test_best_is_the_highest_share_and_of_equal_ones_the_newest(nights: Nights) -> None:
    Schedule.objects.update(anchor=Schedule.Anchor.BEST)
    nights.schedule.refresh_from_db()
    nights.night(0, nothing)
    second, third = nights.night(1, everything), nights.night(2, everything)
    assert third.anchor == second.candidate
    assert anchor_of(nights, 3) == third.candidate


def test_an_explicit_anchor_is_taken_as_it_is(nights: Nights) -> None:
    first = nights.night(0, nothing)
    nights.night(1)
    Schedule.objects.update(anchor=Schedule.Anchor.EXPLICIT, anchor_evaluation=first.candidate)
    nights.schedule.refresh_from_db()
    assert anchor_of(nights, 2, environment={"limits": {"iterations": 1}}) == first.candidate
    assert RegressionCheck.objects.get(due_at__day=3).state == "evaluating"


def test_an_evaluation_that_cannot_be_compared_begins_anew(nights: Nights) -> None:
    nights.night(0)
    changed: dict[str, Any] = {"environment": {"limits": {"iterations": 1}}}
    second = nights.night(1, **changed)
    assert second.is_first
    third = nights.night(2, **changed)
    assert (third.anchor, third.verdict) == (second.candidate, RegressionCheck.Verdict.NONE)


def test_an_earlier_evaluation_whose_records_are_gone_is_no_anchor(nights: Nights) -> None:
    first = nights.night(0)
    assert first.candidate is not None
    for run in first.candidate.runs.all():
        (run.path / "run_summary.json").unlink()
    assert anchor_of(nights, 1) is None
