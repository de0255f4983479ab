"""What operators do with uploads: try one again, or remove it; and what the sweeper does with those of dead workers."""

from __future__ import annotations

import logging
import shutil

from django.conf import settings
from django.db import transaction
from django.db.models import F

from runs.access.audit.audit_log import record
from runs.jobs import queue
from runs.jobs.claims import this_try
from runs.jobs.job_kinds import READ_UPLOAD
from runs.jobs.swept_work import RowWork
from runs.models import AuditEntry, Upload

log = logging.getLogger(__name__)

State = Upload.State
MAX_MESSAGE = 2_000  # characters


class UploadWork(RowWork[Upload]):
    """Uploads whose worker died are read again; after MAX_TRIES such losses one fails."""

    model = Upload
    plural = "uploads"
    called = "upload"
    ended = "read, removed"
    related = ("token",)
    goes_on = "it is read again"
    remedy = "try again"

    def plain(self, reason: str) -> str:
        """As senders read it: where the files of this host are is none of their business."""
        inside = reason.replace(f"{settings.DATA}/", "")[:MAX_MESSAGE]
        return "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in inside)

    def lose(self, dead: Upload) -> bool:
        """Counts the loss."""
        values = self.after_loss(dead.losses + 1)
        lost = bool(this_try(dead).update(losses=F("losses") + 1, worker="", **values))
        if lost:
            log.warning("upload %d is lost: its worker gave no sign of life (%s)", dead.pk, dead.worker)
        return lost


def read_again(upload: Upload) -> bool:
    """Queues an upload again that was refused or that failed. False if it is open, or imported."""
    with transaction.atomic():
        queued = Upload.objects.filter(pk=upload.pk, state__in=(State.REFUSED, State.FAILED)).update(
            state=State.QUEUED, message="", losses=0, done=0, total=0, finished_at=None
        )
        if queued:
            record(AuditEntry.Act.RETRIED, upload)
            queue.enqueue_on_commit(READ_UPLOAD, [upload])
    return bool(queued)


def remove_upload(upload: Upload) -> bool:
    """Deletes an upload with its files. What was imported from it stays. False while it is read."""
    with transaction.atomic():
        locked = Upload.objects.select_for_update().filter(pk=upload.pk).first()
        if locked is None or locked.state == State.RUNNING:
            return False
        path = locked.path
        locked.delete()
        transaction.on_commit(lambda: shutil.rmtree(path, ignore_errors=True))
    return True
