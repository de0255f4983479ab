"""What the sweeper does for uploads: it queues again what a dead worker had, and enqueues what waits."""

from __future__ import annotations

import logging

from django.conf import settings
from django.db.models import F, QuerySet
from django.utils import timezone

from runs.intake.uploads.upload_jobs import mine
from runs.jobs import queue
from runs.jobs.disk_space import no_space
from runs.jobs.heartbeats import Watch, silent_by_clock
from runs.jobs.job_kinds import READ_UPLOAD
from runs.models import Upload

log = logging.getLogger(__name__)

State = Upload.State


class UploadSweep:
    """Each of its methods is safe at any time. `watched`: False for a single pass, by the database's clock."""

    def __init__(self, *, watched: bool = True) -> None:
        self._watch = Watch(running_uploads) if watched else None

    def give_up_lost(self) -> None:
        """Queues uploads again whose worker gives no sign of life; after MAX_TRIES such losses one fails.

        On a full disk none is lost, as with runs.
        """
        if no_space():
            if self._watch:
                self._watch.forget()
            return
        for dead in self._watch.silent() if self._watch else silent_by_clock(running_uploads()):
            if lose_upload(dead):
                log.warning("upload %d is lost: its worker gave no sign of life (%s)", dead.pk, dead.worker)

    def enqueue_waiting(self) -> None:
        """Enqueues every queued upload that has no job in Redis. Raises RedisError."""
        waiting = Upload.objects.filter(state=State.QUEUED)
        if count := queue.enqueue(READ_UPLOAD, waiting):
            log.info("enqueued %d uploads that had no job", count)


def lose_upload(dead: Upload) -> bool:
    """Ends a try without heartbeats. False if it has ended by itself, or if another try began."""
    reason = f"Its worker gave no sign of life for {settings.LOST_AFTER_SECONDS:.0f} s"
    values: dict[str, object]
    if dead.losses + 1 < settings.MAX_TRIES:
        values = {"state": State.QUEUED, "message": f"{reason}; it is read again."}
    else:
        values = {
            "state": State.FAILED,
            "message": f"{reason}, {settings.MAX_TRIES} times. Read the log of the workers, then try again.",
            "finished_at": timezone.now(),
        }
    return bool(mine(dead).update(losses=F("losses") + 1, worker="", **values))


def running_uploads() -> QuerySet[Upload]:
    """The uploads that send heartbeats."""
    return Upload.objects.filter(state=State.RUNNING)
