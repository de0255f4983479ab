"""What the sweeper does for submissions: it queues again what a dead worker had, and enqueues what waits."""

from __future__ import annotations

import logging
import socket

from django.conf import settings
from django.db.models import QuerySet

from harness.sandbox import open_engine
from harness.sandbox.base import Engine
from runs.data.queries.filters import is_due
from runs.intake.submissions.regrading import lose_regrading, regrading_instance, this_try
from runs.jobs import queue
from runs.jobs.disk_space import no_space
from runs.jobs.heartbeats import Watch, silent_by_clock
from runs.jobs.job_kinds import ACCEPT, REGRADE
from runs.models import Submission, SubmittedRun

log = logging.getLogger(__name__)

State = SubmittedRun.State


class SubmissionSweep:
    """Each of its methods is safe at any time. `watched`: False for a single pass, by the database's clock."""

    def __init__(self, engine: Engine | None = None, *, watched: bool = True) -> None:
        self._engine = engine
        self._watch = Watch(running_regradings) if watched else None

    def give_up_lost(self) -> None:
        """Ends gradings whose worker gives no sign of life, and removes their containers.

        On a full disk none is lost, as with runs.
        """
        if no_space():
            if self._watch:
                self._watch.forget()
            return
        for dead in self._watch.silent() if self._watch else silent_by_clock(running_regradings()):
            if lose_regrading(
                dead, f"Its worker gave no sign of life for {settings.LOST_AFTER_SECONDS:.0f} s"
            ):
                log.warning("the grading of %s is lost (%s)", dead.key, dead.worker)
                engine = self._engine or open_engine()
                if engine.status().available:
                    engine.sweep(regrading_instance(dead.pk))

    def enqueue_waiting(self) -> None:
        """Enqueues every queued grading that is due, and every acceptance, without a job. Raises RedisError."""
        due = SubmittedRun.objects.filter(is_due(), state=State.QUEUED)
        if count := queue.enqueue(REGRADE, due):
            log.info("enqueued %d gradings of submissions that had no job", count)
        accepting = Submission.objects.filter(state=Submission.State.ACCEPTING)
        queue.enqueue(ACCEPT, accepting)


def requeue_regradings_here() -> list[str]:
    """Queues the running gradings of this host again after its workers ended.

    Returns the labels of their containers.
    """
    here = running_regradings().filter(worker__startswith=f"{socket.gethostname()}:")
    reason = "The site was stopped while it was graded; it is graded again."
    return [
        regrading_instance(run.pk)
        for run in here
        if this_try(run).update(state=State.QUEUED, worker="", message=reason)
    ]


def running_regradings() -> QuerySet[SubmittedRun]:
    """The submitted runs whose grading sends heartbeats."""
    return SubmittedRun.objects.filter(state=State.RUNNING)
