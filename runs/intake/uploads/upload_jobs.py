"""What operators do with uploads: try one again, or remove it; and the fence around the try that reads one."""

from __future__ import annotations

import shutil

from django.db import transaction
from django.db.models import QuerySet

from runs.access.audit.audit_log import record
from runs.jobs import queue
from runs.jobs.job_kinds import READ_UPLOAD
from runs.models import AuditEntry, Upload

State = Upload.State


def mine(upload: Upload) -> QuerySet[Upload]:
    """The row of this try of the upload, as long as it is live."""
    return Upload.objects.filter(pk=upload.pk, tries=upload.tries, state=State.RUNNING)


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
