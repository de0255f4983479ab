"""What the sweeper does for the work of judges: it ends what a dead worker had, and enqueues what has no job."""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from runs.jobs import queue
from runs.jobs.disk_space import no_space
from runs.jobs.heartbeats import Watch, silent_by_clock
from runs.jobs.job_kinds import COMPARE, REVIEW, SUMMARISE
from runs.judging.reviews.judging_passes import waiting_comparisons, waiting_reviews
from runs.judging.reviews.pass_summaries import waiting_summaries
from runs.judging.reviews.settling_reviews import fail_work
from runs.models import JudgeReview, JudgeSummary, JudgeWork, RunComparison

log = logging.getLogger(__name__)


class ReviewSweep:
    """Each of its methods is safe at any time. `watched`: False for a single pass, by the database's clock."""

    def __init__(self, *, watched: bool = True) -> None:
        self._watches: tuple[Watch[Any], ...] = (
            (Watch(running_reviews), Watch(running_comparisons), Watch(running_summaries)) if watched else ()
        )

    def give_up_lost(self) -> None:
        """Ends the tries without heartbeats. On a full disk none is lost, as with runs."""
        if no_space():
            for watch in self._watches:
                watch.forget()
            return
        for dead in self._silent():
            reason = f"Its worker gave no sign of life for {settings.LOST_AFTER_SECONDS:.0f} s."
            if fail_work(dead, reason):
                log.warning("%s, try %d is lost: %s (%s)", dead, dead.tries, reason, dead.worker)

    def _silent(self) -> list[JudgeWork]:
        if self._watches:
            return [dead for watch in self._watches for dead in watch.silent()]
        running = (running_reviews(), running_comparisons(), running_summaries())
        return [dead for rows in running for dead in silent_by_clock(rows)]

    def enqueue_waiting(self) -> None:
        """Enqueues every batch of reviews, comparisons or summaries that is due and has no job. Raises RedisError."""
        for kind, waiting in (
            (REVIEW, waiting_reviews),
            (COMPARE, waiting_comparisons),
            (SUMMARISE, waiting_summaries),
        ):
            if count := queue.enqueue(kind, waiting()):
                log.info("enqueued %d batches of reviews that had no job", count)


def running_reviews() -> QuerySet[JudgeReview]:
    """The reviews that send heartbeats."""
    return JudgeReview.objects.filter(state=JudgeReview.State.RUNNING)


def running_comparisons() -> QuerySet[RunComparison]:
    """The comparisons that send heartbeats."""
    return RunComparison.objects.filter(state=JudgeWork.State.RUNNING)


def running_summaries() -> QuerySet[JudgeSummary]:
    """The summaries that send heartbeats."""
    return JudgeSummary.objects.filter(state=JudgeWork.State.RUNNING)
