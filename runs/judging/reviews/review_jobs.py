"""What a worker does for a job: the queued reviews of one run by one judge, one after another.

So the requests about one run follow each other, and the provider's cache serves all but the first.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from django.conf import settings

from harness.errors import HarnessError, RunCancelled, RunRequeued
from harness.judges.dimensions import dimension_named
from harness.judges.panel import JudgeSpec
from harness.judges.review import JudgedRun, client_of, key_of, review_directory, room
from harness.judges.review_file import REVIEWS, Review, ReviewState, read_stored
from harness.limits import Limits, Spending
from harness.llm.client import Client
from harness.session import Control, stop_if_unwanted
from runs.data.queries.filters import is_due
from runs.jobs.claims import LEAVING, claim, first_heartbeat, this_try
from runs.jobs.db_retry import with_retries
from runs.jobs.disk_space import no_space
from runs.jobs.heartbeats import Heartbeat
from runs.judging.reviews.judging_passes import CANCELLED
from runs.judging.reviews.panel_specs import judge_spec
from runs.judging.reviews.pass_file import write_pass
from runs.judging.reviews.review_budget import ledger_of_work, pass_over_budget
from runs.judging.reviews.settling_reviews import (
    Work,
    end_without_answer,
    fail_work,
    requeue_work,
    settle_review,
)
from runs.models import JudgeReview, JudgeWork, JudgingPass, Run
from runs.work.execution.rate_limits import shared_rates
from runs.work.execution.run_signature import is_signed, sign_file

log = logging.getLogger(__name__)


def review_run(pass_id: int, run_id: int, judge_id: int) -> None:
    """Makes all queued reviews of a run by a judge. A second or late call finds them claimed, and does nothing.

    Without space for files they stay queued, and the sweeper enqueues them again.
    """
    reviews = list(
        JudgeReview.objects.filter(
            is_due(), judging_pass=pass_id, run=run_id, judge=judge_id, state=JudgeReview.State.QUEUED
        )
        .select_related("judging_pass__panel", "judge__model", "run__evaluation")
        .order_by("sample", "pk")
    )
    if has_room(reviews):
        # Made inside of a try: a judge that has become invalid fails its reviews, not the job.
        desk = cache(lambda: _Desk.of(reviews[0]))
        work_through(reviews, lambda review, control: _attempt(review, desk(), control))


def claim_work(work: JudgeWork) -> bool:
    """Claims queued work for this worker. Of concurrent calls, one returns True."""
    row = type(work)._default_manager.filter(is_due(), pk=work.pk, tries=work.tries)
    taken = claim(row, **first_heartbeat(), not_before=None, reason="")
    if taken:
        work.refresh_from_db(fields=["state", "tries"])
    return taken


class WorkControl(Control):
    """Says whether work has to stop: its pass was cancelled, another try owns it, or the worker ends."""

    def __init__(self, work: JudgeWork, heartbeat: Heartbeat) -> None:
        self._pass = JudgingPass.objects.filter(pk=work.judging_pass_id, state=JudgingPass.State.CANCELLED)
        self._heartbeat = heartbeat

    def cancelled(self) -> bool:
        """Whether the operator cancelled the pass, or a newer try ends this one."""
        return self._heartbeat.stopped.is_set() or self._pass.exists()

    def leaving(self) -> bool:
        """Whether this worker has to end."""
        return LEAVING.is_set()


def work_through(queued: Sequence[Work], attempt: Callable[[Work, WorkControl], None]) -> None:
    """Claims and tries the queued work of one pass, one after another, until its budget or this worker ends.

    `attempt` makes and stores the answer of claimed work. What it raises ends the try, never the others.
    """
    for work in queued:
        if LEAVING.is_set() or pass_over_budget(work.judging_pass):
            return
        if not claim_work(work):
            continue
        with Heartbeat(this_try(work), str(work)) as heartbeat:
            _try(work, partial(attempt, work, WorkControl(work, heartbeat)))


def has_room(queued: Sequence[JudgeWork]) -> bool:
    """Whether there is work and space for its files. Without space it stays queued; the sweeper enqueues it again."""
    if not queued or LEAVING.is_set():
        return False
    if trouble := no_space():
        log.error("%s stays queued: %s", queued[0], trouble)
        return False
    return True


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


def _try(work: JudgeWork, attempt: Callable[[], None]) -> None:
    """One try of claimed work, to its settlement."""
    try:
        attempt()
    except RunRequeued:
        with_retries(lambda: requeue_work(work), "requeued work of a judge")
    except RunCancelled:
        end_work(work, JudgeWork.State.CANCELLED, CANCELLED)  # the error speaks of an evaluation
    except ValueError as error:
        # The records, not the infrastructure: another try would fail as well.
        end_work(work, JudgeWork.State.FAILED, str(error))
    except Exception as error:
        log.exception("%s, try %d broke", work, work.tries)
        fail_try(work, _in_words(error))


def _in_words(error: Exception) -> str:
    """An error for readers: without the paths of this machine, which errors of files have."""
    if isinstance(error, HarnessError):
        return str(error)
    words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"{type(error).__name__}: {words}"


def _attempt(review: JudgeReview, desk: _Desk, control: WorkControl) -> None:
    """Makes the answer of a claimed review, or takes it from its file, and stores it. ValueError: its run is gone."""
    if not desk.directory.is_dir():
        raise ValueError("the directory of the run is gone")
    write_pass(desk.directory, review.judging_pass)
    answer, reused = _answer(review, desk, control)
    if answer.state is ReviewState.FAILED:
        fail_try(review, answer.reason)
    else:
        with_retries(lambda: settle_review(review, answer, reused=reused), "a review")


def _answer(review: JudgeReview, desk: _Desk, control: WorkControl) -> tuple[Review, bool]:
    """The review from its file, or from the judge; and whether it is an earlier one."""
    dimension = dimension_named(review.dimension)
    run = desk.judged_run()
    key = key_of(run, dimension, desk.judge, review.sample)
    claim_file(review.run, desk.directory / REVIEWS / f"{key}.json")
    stored = read_stored(desk.directory, key, Review)
    if stored is not None and stored.state is ReviewState.DONE:
        return stored, True
    made = review_directory(
        desk.directory,
        dimension,
        judge=desk.judge,
        spending=spending_of(review, control),
        client=desk.client,
        run=run,
        sample=review.sample,
        checkpoint=lambda: stop_if_unwanted(control),
    )
    sign_file(desk.directory / REVIEWS / f"{made.key}.json")
    return made, False


def claim_file(run: Run, path: Path) -> None:
    """Makes sure that an answer in a run directory is one of this site before it is used again.

    A run from elsewhere may bring files that name any judge: a file that this site did not sign is removed, and the
    review is requested. In a run of this site, a missing signature is added: a worker may have died before it signed
    the file.
    """
    if path.is_file() and not is_signed(path):
        if run.evaluation.origin:
            path.unlink()
        else:
            sign_file(path)


def fail_try(work: JudgeWork, reason: str) -> None:
    """Ends a try that failed, also while the database is away for a while."""
    with_retries(lambda: fail_work(work, reason), "failed work of a judge")


def end_work(work: JudgeWork, state: JudgeWork.State, reason: str) -> None:
    """Ends work without an answer, also while the database is away for a while."""
    with_retries(lambda: end_without_answer(work, state, reason), "work without an answer")


def spending_of(work: JudgeWork, control: Control) -> Spending:
    """What one question of claimed work may spend."""
    limits = Limits(iterations=None, wall_seconds=settings.REVIEW_SECONDS)
    return Spending(limits, ledger=ledger_of_work(work, control), rates=shared_rates())
