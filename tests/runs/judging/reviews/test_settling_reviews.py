"""What became of a review is stored once, and only by the try that owns it."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from harness.judges.review_file import ReviewState
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


@pytest.fixture
def review() -> JudgeReview:
    """The only review of a pass; a worker has claimed it and has reserved a dollar."""
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    return add_review(
        add_pass(judge, state=JudgingPass.State.RUNNING),
        judge,
        cast.add_run(cast.alice(), cast.add_tasks(1)[0]),
        state=State.RUNNING,
        score=None,
        text="",
        tries=1,
        heartbeat_at=timezone.now(),
        reserved_usd=1.0,
        spent_usd=0.25,
    )


def test_an_answer_is_stored_with_its_evidence_and_ends_the_pass(review: JudgeReview) -> None:
    assert settle_work(review, partial(copy_answer, answer=answer(), reused=False))

    review.refresh_from_db()
    assert (review.state, review.score, review.burden, review.shown_share) == (State.DONE, 0.5, 3, 0.75)
    assert (review.spent_usd, review.reserved_usd, review.doubtful_usd) == (0.25, 0.0, 1.0)
    (line,) = review.evidence.all()
    assert (line.place, line.quote, line.found_step, line.part, line.end) == (
        1,
        "I am done.",
        2,
        "message",
        10,
    )
    assert JudgingPass.objects.get().state == JudgingPass.State.FINISHED


def test_an_answer_without_a_score_is_stored_with_the_reason(review: JudgeReview) -> None:
    malformed = answer(state=ReviewState.MALFORMED, score=None, reason="two calls", evidence=(), burden=None)
    assert settle_work(review, partial(copy_answer, answer=malformed, reused=False))

    review.refresh_from_db()
    assert (review.state, review.score, review.reason) == (State.MALFORMED, None, "two calls")
    assert not review.evidence.exists()


def test_a_late_try_changes_nothing(review: JudgeReview) -> None:
    JudgeReview.objects.update(tries=2)

    assert not settle_work(review, partial(copy_answer, answer=answer(), reused=False))
    assert not fail_work(review, "late")
    assert not end_without_answer(review, State.CANCELLED, "late")
    assert not requeue_work(review)

    found = JudgeReview.objects.get()
    assert (found.state, found.score, found.reason, found.reserved_usd) == (State.RUNNING, None, "", 1.0)


def test_an_answer_is_stored_once(review: JudgeReview) -> None:
    assert settle_work(review, partial(copy_answer, answer=answer(), reused=False))
    assert not settle_work(review, partial(copy_answer, answer=answer(score=1), reused=False))
    assert JudgeReview.objects.get().score == 0.5


def test_a_failed_try_waits_and_the_last_one_ends_the_review(review: JudgeReview, settings: Any) -> None:
    settings.MAX_TRIES = 2
    assert fail_work(review, "the provider is down")
    review.refresh_from_db()
    assert (review.state, review.failures, review.heartbeat_at) == (State.QUEUED, 1, None)
    assert review.not_before
    assert review.not_before > timezone.now()
    assert review.doubtful_usd == 1.0

    JudgeReview.objects.update(state=State.RUNNING, tries=2)
    review.refresh_from_db()
    assert fail_work(review, "the provider is down")
    review.refresh_from_db()
    assert (review.state, review.reason, review.score) == (State.FAILED, "the provider is down", None)
    assert JudgingPass.objects.get().state == JudgingPass.State.FINISHED


def test_a_worker_that_ends_gives_its_review_back(review: JudgeReview) -> None:
    assert requeue_work(review)
    review.refresh_from_db()
    assert (review.state, review.failures, review.not_before) == (State.QUEUED, 0, None)
    assert JudgingPass.objects.get().state == JudgingPass.State.RUNNING


def test_secrets_in_a_reason_are_not_stored(review: JudgeReview, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-abcdefghijklmnopqrstuvwxyz0123456789")
    end_without_answer(review, State.CANCELLED, "key sk-abcdefghijklmnopqrstuvwxyz0123456789 refused")
    review.refresh_from_db()
    assert "abcdefgh" not in review.reason
