"""The paper's flags of dimensions: a warning is an alert of the scores or of the judge, an alert both."""

from __future__ import annotations

import pytest

from runs.judging.regression_checks.paper_dimensions import PaperDimension, judge_alert, paper_dimensions
from runs.models import JudgeSummary, JudgingPass, PanelJudge, Run
from tests.runs.cast import Cast
from tests.runs.panels import add_comparison, add_panel, add_pass, add_summary

pytestmark = pytest.mark.django_db
State = JudgeSummary.State


class Compared:
    """Six pairs of runs of Alice and Bob, in a pass of one dimension."""

    def __init__(self) -> None:
        cast = Cast()
        alice, bob = cast.alice(), cast.bob()
        tasks = cast.add_tasks(6)
        self.ours: list[Run] = [cast.add_run(alice, task) for task in tasks]
        self.theirs: list[Run] = [cast.add_run(bob, task) for task in tasks]
        self.judge: PanelJudge = add_panel(cast.add_model("Bench"), dimensions=["end_result"])
        self.made: JudgingPass = add_pass(self.judge, kind="comparisons")

    def scored(self, score: int) -> None:
        """All pairs have this score."""
        for pair in zip(self.ours, self.theirs, strict=True):
            add_comparison(self.made, self.judge, pair, score=score)

    def summarised(self, **more: object) -> None:
        """The judge's summary of the dimension."""
        add_summary(self.made, self.judge, self.ours, "end_result", others=self.theirs, **more)

    def only(self) -> PaperDimension:
        """The one row."""
        (row,) = paper_dimensions(self.made)
        return row


@pytest.mark.parametrize(
    ("score", "alert", "flags"),
    [
        (-5, True, (True, True, True, True)),
        (-5, False, (True, False, True, False)),
        (0, True, (False, True, True, False)),
        (0, False, (False, False, False, False)),
    ],
)
def test_both_alerts_make_an_alert_and_one_a_warning(
    score: int, alert: bool, flags: tuple[bool, ...]
) -> None:
    compared = Compared()
    compared.scored(score)
    compared.summarised(alert=alert)
    row = compared.only()
    assert (row.score_alert, row.judge_alert, row.warning, row.alert) == flags
    assert (row.title, row.pairs, row.value, row.reason) == ("End result", 6, score / 5, "")


def test_a_missing_alert_says_why_and_leaves_the_flags_of_the_scores() -> None:
    compared = Compared()
    compared.scored(-5)
    assert judge_alert(compared.made, "end_result") == (None, "too few pairs of runs for a summary")
    compared.summarised(state=State.MALFORMED, reason="alert: Field required")
    row = compared.only()
    assert (row.judge_alert, row.reason) == (None, "malformed: alert: Field required")
    assert (row.score_alert, row.warning, row.alert) == (True, True, False)


def test_without_a_comparison_only_the_judge_counts() -> None:
    compared = Compared()
    compared.summarised(alert=True)
    row = compared.only()
    assert (row.pairs, row.value, row.p, row.warning, row.alert) == (0, None, None, True, False)
