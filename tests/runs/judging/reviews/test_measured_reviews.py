"""Which reviews measure judges, and what they say."""

from __future__ import annotations

from typing import Any

import pytest

from runs.judging.reviews import measured_reviews as module
from runs.judging.reviews.measured_reviews import measured_reviews, reviews_version
from runs.models import JudgeReview, JudgingPass, PanelJudge, Run
from tasks.loading import hide
from tests.runs.cast import Cast
from tests.runs.panels import add_evidence, add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return Cast()


@pytest.fixture
def judge(cast: Cast) -> PanelJudge:
    return add_panel(cast.add_model("Bench"))


@pytest.fixture
def run(cast: Cast) -> Run:
    return cast.add_run(cast.alice(), cast.add_tasks(1)[0])


@pytest.fixture
def judged(judge: PanelJudge) -> JudgingPass:
    return add_pass(judge)


def test_of_equal_reviews_the_newest_with_a_score_counts(
    judge: PanelJudge, run: Run, judged: JudgingPass
) -> None:
    add_review(judged, judge, run, score=0.0)
    add_review(add_pass(judge, "second"), judge, run, score=1.0)
    failed: dict[str, Any] = {"state": JudgeReview.State.FAILED, "score": None}
    add_review(add_pass(judge, "third"), judge, run, **failed)
    add_review(judged, judge, run, "end_result", **failed)

    found = measured_reviews().reviews

    assert {(one.dimension, one.score) for one in found} == {("pitfalls", 1.0), ("end_result", None)}


def test_a_review_that_was_used_again_has_the_cost_of_the_first_one(
    judge: PanelJudge, run: Run, judged: JudgingPass
) -> None:
    paid: dict[str, Any] = {"spent_usd": 0.25, "key": "a" * 32}
    add_review(judged, judge, run, **paid)
    add_review(add_pass(judge, "second"), judge, run, reused=True, key="a" * 32)
    add_review(judged, judge, run, "end_result", spent_usd=0.5, cost_unknown=True)
    add_review(judged, judge, run, "tool_calls", reused=True, key="b" * 32)

    costs = {one.dimension: one.cost_usd for one in measured_reviews().reviews}

    assert costs == {"pitfalls": 0.25, "end_result": None, "tool_calls": None}


def test_open_and_cancelled_reviews_and_those_of_an_earlier_try_are_left_out(
    judge: PanelJudge, run: Run, judged: JudgingPass
) -> None:
    for number, state in enumerate(
        (JudgeReview.State.QUEUED, JudgeReview.State.RUNNING, JudgeReview.State.CANCELLED)
    ):
        add_review(judged, judge, run, f"other {number}", state=state, score=None)
    add_review(judged, judge, run, run_try=run.tries + 1)
    assert measured_reviews().reviews == ()


def test_quotes_are_counted_with_those_that_are_struck(
    judge: PanelJudge, run: Run, judged: JudgingPass
) -> None:
    review = add_review(judged, judge, run)
    add_evidence(review, 1)
    add_evidence(review, 2, status="unverified")
    (one,) = measured_reviews().reviews
    assert (one.quotes, one.struck) == (2, 1)


def test_reviews_of_hidden_datasets_are_not_among_them(
    cast: Cast, judge: PanelJudge, run: Run, judged: JudgingPass
) -> None:
    add_review(judged, judge, run)
    hide(cast.dataset, hidden=True)
    assert measured_reviews() == module.MeasuredReviews((), (), (), 0)


def test_older_reviews_beyond_the_limit_are_left_out_and_counted(
    judge: PanelJudge, run: Run, judged: JudgingPass, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_REVIEWS", 2)
    for dimension in ("pitfalls", "end_result", "tool_calls"):
        add_review(judged, judge, run, dimension)
    found = measured_reviews()
    assert {one.dimension for one in found.reviews} == {"end_result", "tool_calls"}
    assert found.left_out == 1


def test_the_version_changes_with_each_review_and_with_names(
    judge: PanelJudge, run: Run, judged: JudgingPass
) -> None:
    versions = [reviews_version()]
    review = add_review(judged, judge, run)
    versions.append(reviews_version())
    review.finished_at = run.queued_at
    review.save()
    versions.append(reviews_version())
    PanelJudge.objects.update(name="Balthazar")
    versions.append(reviews_version())
    assert len(set(versions)) == 4
    assert reviews_version() == versions[-1]
