"""What a worker does for a job: the queued reviews of one run by one judge, one after another.

So the requests about one run follow each other, and the provider's cache serves all but the first.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from harness.errors import HarnessError, RunCancelled, RunRequeued
from harness.judges.dimensions import dimension_named
from harness.judges.panel import JudgeSpec
from harness.judges.review import JudgedRun, client_of, key_of, review_directory, room
from harness.judges.review_file import REVIEWS, Review, ReviewState, read_review
from harness.limits import Limits, Spending
from harness.llm.client import Client
from harness.session import Control, stop_if_unwanted
from runs.execution.db_retry import with_retries
from runs.execution.heartbeats import Heartbeat
from runs.execution.jobs import LEAVING, worker_name
from runs.execution.rate_limits import shared_rates
from runs.execution.run_signature import sign_file
from runs.models import JudgeReview, JudgingPass
from runs.monitoring.health import no_space
from runs.queries.filters import is_due
from runs.reviews.panel_specs import judge_spec
from runs.reviews.pass_file import write_pass
from runs.reviews.review_budget import ledger_of_review, pass_over_budget
from runs.reviews.settling_reviews import end_without_answer, fail_review, requeue_review, settle_review

log = logging.getLogger(__name__)


def review_run(pass_id: int, run_id: int, judge_id: int) -> None:
    """Makes all queued reviews of a run by a judge. A second or late call finds them claimed, and does nothing.

    Without space for files they stay queued, and the sweeper enqueues them again.
    """
    reviews = list(
        JudgeReview.objects.filter(
            is_due(), judging_pass=pass_id, run=run_id, judge=judge_id, state=JudgeReview.State.QUEUED
        )
        .select_related("judging_pass__panel", "judge__model", "run")
        .order_by("sample", "pk")
    )
    if not reviews or LEAVING.is_set():
        return
    if trouble := no_space():
        log.error("reviews of %s stay queued: %s", reviews[0].run.key, trouble)
        return
    started = reviews[0].judging_pass
    desk = _Desk.of(reviews[0])
    for review in reviews:
        if LEAVING.is_set() or pass_over_budget(started):
            return
        if not claim_review(review):
            continue
        with Heartbeat(running_review(review), str(review)) as heartbeat:
            _try(review, desk, ReviewControl(review, heartbeat))


def claim_review(review: JudgeReview) -> bool:
    """Claims a queued review for this worker. Of concurrent calls, one returns True."""
    with transaction.atomic():
        taken = JudgeReview.objects.filter(
            is_due(), pk=review.pk, state=JudgeReview.State.QUEUED, tries=review.tries
        ).update(
            state=JudgeReview.State.RUNNING,
            tries=F("tries") + 1,
            worker=worker_name(),
            heartbeat_at=Now(),
            not_before=None,
            reason="",
        )
    if taken:
        review.refresh_from_db(fields=["state", "tries"])
    return bool(taken)


def running_review(review: JudgeReview) -> QuerySet[JudgeReview]:
    """The row of this try of a review, as long as it is running."""
    return JudgeReview.objects.filter(pk=review.pk, tries=review.tries, state=JudgeReview.State.RUNNING)


class ReviewControl(Control):
    """Says whether a review has to stop: its pass was cancelled, another try owns it, or the worker ends."""

    def __init__(self, review: JudgeReview, heartbeat: Heartbeat) -> None:
        self._pass = JudgingPass.objects.filter(pk=review.judging_pass_id, state=JudgingPass.State.CANCELLED)
        self._heartbeat = heartbeat

    def cancelled(self) -> bool:
        """Whether the operator cancelled the pass, or a newer try ends this one."""
        return self._heartbeat.stopped.is_set() or self._pass.exists()

    def leaving(self) -> bool:
        """Whether this worker has to end."""
        return LEAVING.is_set()


@dataclass(slots=True)
class _Desk:
    """What all reviews of a run by one judge share: the model's client, and the text of the run once it is rendered."""

    directory: Path
    judge: JudgeSpec
    client: Client
    run: JudgedRun | None = None

    @classmethod
    def of(cls, review: JudgeReview) -> _Desk:
        """Raises ConfigurationError for a judge that is invalid now."""
        judge = judge_spec(review.judge)
        return cls(review.run.path, judge, client_of(judge))

    def judged_run(self) -> JudgedRun:
        """The run as judges see it. Raises ValueError if it has no readable trajectory."""
        if self.run is None:
            self.run = JudgedRun.read(self.directory, most_characters=room(self.client, self.judge))
        return self.run


def _try(review: JudgeReview, desk: _Desk, control: ReviewControl) -> None:
    """One try of a claimed review, to its settlement."""
    try:
        write_pass(desk.directory, review.judging_pass)
        answer, reused = _answer(review, desk, control)
    except RunRequeued:
        with_retries(lambda: requeue_review(review), "a requeued review")
    except RunCancelled as error:
        _end(review, JudgeReview.State.CANCELLED, str(error))
    except ValueError as error:
        # The records, not the infrastructure: another try would fail as well.
        _end(review, JudgeReview.State.FAILED, str(error))
    except Exception as error:
        log.exception("%s, try %d broke", review, review.tries)
        _fail(review, str(error) if isinstance(error, HarnessError) else f"{type(error).__name__}: {error}")
    else:
        if answer.state is ReviewState.FAILED:
            _fail(review, answer.reason)
        else:
            with_retries(lambda: settle_review(review, answer, reused=reused), "a review")


def _answer(review: JudgeReview, desk: _Desk, control: ReviewControl) -> tuple[Review, bool]:
    """The review from its file, or from the judge; and whether it is an earlier one."""
    dimension = dimension_named(review.dimension)
    run = desk.judged_run()
    stored = read_review(desk.directory, key_of(run, dimension, desk.judge, review.sample))
    if stored is not None and stored.state is ReviewState.DONE:
        return stored, True
    made = review_directory(
        desk.directory,
        dimension,
        judge=desk.judge,
        spending=Spending(
            Limits(iterations=None, wall_seconds=settings.REVIEW_SECONDS),
            ledger=ledger_of_review(review, control),
            rates=shared_rates(),
        ),
        client=desk.client,
        run=run,
        sample=review.sample,
        checkpoint=lambda: stop_if_unwanted(control),
    )
    sign_file(desk.directory / REVIEWS / f"{made.key}.json")
    return made, False


def _fail(review: JudgeReview, reason: str) -> None:
    with_retries(lambda: fail_review(review, reason), "a failed review")


def _end(review: JudgeReview, state: JudgeReview.State, reason: str) -> None:
    with_retries(lambda: end_without_answer(review, state, reason), "a review without an answer")
