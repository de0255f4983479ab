"""Drift of judges on the anchor's runs: now against the newest earlier pass of the same panel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runs.judging.regression_checks.rejudging import drifts_of
from runs.judging.regression_checks.set_members import MemberSet
from runs.models import JudgeReview, JudgingPass, PanelJudge
from tests.runs.cast import Cast
from tests.runs.judging.regression_checks.members import member, member_set
from tests.runs.panels import add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db
COUNT = 8


class Anchor:
    """Eight runs that one judge reviews again and again."""

    def __init__(self) -> None:
        cast = Cast()
        alice = cast.alice()
        self.runs = [cast.add_run(alice, task) for task in cast.add_tasks(COUNT)]
        self.judge: PanelJudge = add_panel(cast.add_model("Bench"))
        self.other: PanelJudge = add_panel(cast.add_model("Other"), slug="other-panel")

    def judged(self, score: float, judge: PanelJudge | None = None, **more: Any) -> JudgingPass:
        """One more pass with the same score everywhere."""
        judge = judge or self.judge
        made = add_pass(judge, f"pass-{JudgingPass.objects.count()}")
        for run in self.runs:
            add_review(made, judge, run, score=score, **more)
        return made

    def members(self) -> MemberSet:
        """The runs as a set."""
        return member_set(*(member(place, {}, pk=run.pk) for place, run in enumerate(self.runs)))


def test_a_judge_that_gives_other_scores_has_moved() -> None:
    anchor = Anchor()
    anchor.judged(1.0)
    anchor.judged(0.0, anchor.other)
    again = anchor.judged(0.5, sample=2)
    (drift,) = drifts_of(anchor.members(), again).values()
    assert (drift.dimension, drift.change.value, drift.same.value, drift.movement) == (
        "pitfalls",
        -0.5,
        0.0,
        "moved",
    )


def test_the_newest_earlier_pass_counts() -> None:
    anchor = Anchor()
    anchor.judged(1.0)
    anchor.judged(0.5, sample=2)
    again = anchor.judged(0.5, sample=3)
    assert drifts_of(anchor.members(), again)["pitfalls"].same.value == 1.0


def test_without_an_earlier_score_nothing_is_known() -> None:
    anchor = Anchor()
    anchor.judged(1.0, anchor.other)
    missing: dict[str, Any] = {"state": JudgeReview.State.MALFORMED}
    anchor.judged(1.0, **missing)
    JudgeReview.objects.filter(state=JudgeReview.State.MALFORMED).update(score=None)
    assert drifts_of(anchor.members(), anchor.judged(0.5, sample=2)) == {}


def test_runs_of_others_do_not_count(tmp_path: Path) -> None:
    anchor = Anchor()
    anchor.judged(1.0)
    assert drifts_of(member_set(), anchor.judged(0.5, sample=2)) == {}


def test_a_pass_that_compares_is_no_earlier_judgement() -> None:
    anchor = Anchor()
    anchor.judged(1.0)
    anchor.judged(0.5, sample=2)
    compared = anchor.judged(1.0)
    JudgingPass.objects.filter(pk=compared.pk).update(kind=JudgingPass.Kind.COMPARISONS)
    again = anchor.judged(0.5, sample=3)
    (drift,) = drifts_of(anchor.members(), again).values()
    assert drift.change.value == 0.0
