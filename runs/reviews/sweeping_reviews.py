"""What the sweeper does for reviews: it ends those whose worker died, and enqueues those without a job."""

from __future__ import annotations

import logging

from django.conf import settings
from django.db.models import QuerySet

from runs import queue
from runs.execution.heartbeats import Watch, silent_by_clock
from runs.models import JudgeReview
from runs.monitoring.health import no_space
from runs.reviews.judging_passes import waiting_batches
from runs.reviews.settling_reviews import fail_review

log = logging.getLogger(__name__)


class ReviewSweep:
    """Each of its methods is safe at any time. `watched`: False for a single pass, by the database's clock."""

    def __init__(self, *, watched: bool = True) -> None:
        self._watch = Watch(running_reviews) if watched else None

    def give_up_lost(self) -> None:
        """Ends the tries of reviews without heartbeats. On a full disk none is lost, as with runs."""
        if no_space():
            if self._watch:
                self._watch.forget()
            return
        for dead in self._watch.silent() if self._watch else silent_by_clock(running_reviews()):
            reason = f"Its worker gave no sign of life for {settings.LOST_AFTER_SECONDS:.0f} s."
            if fail_review(dead, reason):
                log.warning("%s, try %d is lost: %s (%s)", dead, dead.tries, reason, dead.worker)

    def enqueue_waiting(self) -> None:
        """Enqueues every batch of reviews that is due and has no job. Raises RedisError."""
        if count := queue.enqueue_reviews(waiting_batches()):
            log.info("enqueued %d batches of reviews that had no job", count)


def running_reviews() -> QuerySet[JudgeReview]:
    """The reviews that send heartbeats."""
    return JudgeReview.objects.filter(state=JudgeReview.State.RUNNING)
