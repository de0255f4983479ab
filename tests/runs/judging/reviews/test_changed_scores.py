"""Public numbers change with reviews, so caches must not show old ones."""

from __future__ import annotations

from functools import partial

import pytest

from harness.judges.review_file import ReviewState
from runs.data.cache.results import data_version
from runs.judging.reviews.judging_passes import retry_failed, stop_queued
from runs.judging.reviews.settling_reviews import (
    copy_answer,
    end_without_answer,
    fail_work,
    requeue_work,
    settle_work,
)
from runs.models import JudgeReview, JudgingPass
from tests.runs.cast import Cast
from tests.runs.panels import add_panel, add_pass, add_review, answer

pytestmark = pytest.mark.django_db(transaction=True)
State = JudgeReview.State


def running(*, listed: bool = True) -> JudgeReview:
    """A claimed review of Alice's run."""
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    cast.evaluation.listed = listed
    cast.evaluation.save()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    cast.settle()
    started = add_pass(judge, state=JudgingPass.State.RUNNING)
    return add_review(started, judge, run, state=State.RUNNING, score=None, tries=1)


@pytest.mark.parametrize("ending", ["scored", "malformed", "failed", "unpaid", "again", "deleted"])
def test_what_becomes_of_a_review_changes_the_data_version(ending: str, settings: object) -> None:
    review = running()
    settings.MAX_TRIES = 1  # type: ignore[attr-defined]
    if ending in {"again", "deleted"}:
        settle_work(review, partial(copy_answer, answer=answer(), reused=False))
    JudgeReview.objects.update(
        state={"unpaid": State.QUEUED, "again": State.FAILED}.get(ending, State.RUNNING)
    )
    before = data_version()

    if ending == "scored":
        assert settle_work(review, partial(copy_answer, answer=answer(), reused=False))
    elif ending == "malformed":
        malformed = answer(
            state=ReviewState.MALFORMED, score=None, reason="two calls", evidence=(), burden=None
        )
        assert settle_work(review, partial(copy_answer, answer=malformed, reused=False))
    elif ending == "failed":
        assert fail_work(review, "the provider is down")
    elif ending == "unpaid":
        assert stop_queued(review.judging_pass_id, State.UNPAID, "the budget is used up") == 1
    elif ending == "again":
        assert retry_failed(review.judging_pass) == 1
    else:
        review.judging_pass.delete()
    assert data_version() != before


def test_a_review_that_is_queued_again_or_of_a_trial_changes_nothing() -> None:
    review = running()
    before = data_version()
    assert requeue_work(review)
    assert data_version() == before


def test_reviews_of_trials_change_no_public_number() -> None:
    review = running(listed=False)
    before = data_version()
    assert end_without_answer(review, State.FAILED, "its records are gone")
    assert data_version() == before
