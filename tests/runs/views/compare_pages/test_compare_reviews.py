"""The reviews of two runs, dimension by dimension."""

from __future__ import annotations

import pytest

from runs.models import JudgeReview
from runs.views.compare_pages.compare_reviews import compare_reviews
from tests.runs.cast import Cast
from tests.runs.panels import add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db


def test_pairs_are_by_dimension_and_burdens_of_one_judge_are_compared() -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    one, two = cast.add_run(cast.alice(), task), cast.add_run(cast.bob(), task)
    assert compare_reviews(one, two) == []

    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    for run, burden in ((one, 14), (two, 12)):
        add_review(started, judge, run, "pitfalls", score=0.5, burden=burden)
    add_review(started, judge, one, "pitfalls", score=1.0, sample=2)
    add_review(started, judge, two, "end_result", state=JudgeReview.State.FAILED, score=None)

    end_result, pitfalls = compare_reviews(one, two)
    assert [side.value for side in pitfalls.scores] == [0.75, 0.5]
    assert pitfalls.burdens == "points of pitfalls: 14 and 12, a tie"
    assert [(side.value, len(side.reviews)) for side in end_result.scores] == [(None, 0), (None, 1)]
    JudgeReview.objects.filter(run=one, sample=1).update(burden=40)
    assert compare_reviews(one, two)[1].burdens == "points of pitfalls: 40 and 12, B is better by 5 of 5"
