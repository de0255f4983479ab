"""Reviews of dead workers are queued again, and those without a job get one."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rq import Queue

from runs.jobs import queue
from runs.jobs.job_kinds import REVIEW, REVIEWS, SUMMARISE
from runs.jobs.sweeping import KindSweep
from runs.models import JudgeReview, JudgingPass
from tests.conftest import RedisServer
from tests.runs.cast import Cast
from tests.runs.panels import add_panel, add_pass, add_review, add_summary

pytestmark = pytest.mark.django_db(transaction=True)
State = JudgeReview.State


@pytest.fixture
def review() -> JudgeReview:
    """A queued review."""
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    return add_review(
        add_pass(judge, state=JudgingPass.State.RUNNING),
        judge,
        cast.add_run(cast.alice(), cast.add_tasks(1)[0]),
        state=State.QUEUED,
        score=None,
    )


def running(review: JudgeReview, seconds_ago: float) -> None:
    """A worker claimed it, and sent its last heartbeat so long ago."""
    at = timezone.now() - timedelta(seconds=seconds_ago)
    JudgeReview.objects.filter(pk=review.pk).update(state=State.RUNNING, tries=1, heartbeat_at=at)


def test_a_review_without_heartbeats_is_queued_again(review: JudgeReview) -> None:
    running(review, 15)
    KindSweep(REVIEW, watched=False).give_up_lost()
    assert JudgeReview.objects.get().state == State.RUNNING

    running(review, 25)
    KindSweep(REVIEW, watched=False).give_up_lost()
    found = JudgeReview.objects.get()
    assert (found.state, found.failures) == (State.QUEUED, 1)
    assert found.reason == "Its worker gave no sign of life for 20 s."


def test_on_a_full_disk_no_review_is_lost(review: JudgeReview, monkeypatch: pytest.MonkeyPatch) -> None:
    running(review, 25)
    monkeypatch.setattr("runs.jobs.sweeping.no_space", lambda: "full")
    KindSweep(REVIEW, watched=False).give_up_lost()
    KindSweep(REVIEW).give_up_lost()
    assert JudgeReview.objects.get().state == State.RUNNING


@pytest.mark.redis
def test_a_review_that_redis_lost_gets_a_job_once(
    review: JudgeReview, redis: RedisServer, settings: Any
) -> None:
    del settings
    sweep = KindSweep(REVIEW, watched=False)
    sweep.enqueue_waiting()
    sweep.enqueue_waiting()
    assert len(Queue(REVIEWS, connection=queue.connection())) == 1

    JudgeReview.objects.update(not_before=timezone.now() + timedelta(hours=1), tries=1)
    sweep.enqueue_waiting()
    assert len(Queue(REVIEWS, connection=queue.connection())) == 1


def test_a_summary_without_heartbeats_is_queued_again() -> None:
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    at = timezone.now() - timedelta(seconds=25)
    started = add_pass(judge, state=JudgingPass.State.RUNNING)
    summary = add_summary(started, judge, [run], state=State.RUNNING, tries=1, heartbeat_at=at)
    KindSweep(SUMMARISE, watched=False).give_up_lost()
    summary.refresh_from_db()
    assert (summary.state, summary.failures) == (State.QUEUED, 1)
