"""Uploads whose worker died are read again, a few times."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rq import Queue

from runs.intake.uploads.sweeping_uploads import UploadSweep, lose_upload
from runs.jobs import queue
from runs.jobs.job_kinds import UPLOADS
from tests.conftest import RedisServer
from tests.runs.intake.uploads.made_uploads import State, upload_row

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_silent_one_is_queued_again_and_the_row_says_why() -> None:
    upload = upload_row(heartbeat_at=timezone.now() - timedelta(hours=1))
    alive = upload_row(heartbeat_at=timezone.now())
    UploadSweep(watched=False).give_up_lost()
    upload.refresh_from_db()
    alive.refresh_from_db()
    assert (upload.state, upload.losses) == ("queued", 1)
    assert upload.message == "Its worker gave no sign of life for 20 s; it is read again."
    assert alive.state == "running"


def test_one_that_kills_every_worker_fails(settings: Any) -> None:
    settings.MAX_TRIES = 3
    upload = upload_row(losses=2)
    assert lose_upload(upload)
    upload.refresh_from_db()
    assert (upload.state, upload.losses) == ("failed", 3)
    assert upload.message.startswith("Its worker gave no sign of life for 20 s, 3 times.")
    assert upload.finished_at


def test_one_that_ended_meanwhile_is_not_lost() -> None:
    upload = upload_row(state=State.FINISHED)
    assert not lose_upload(upload)


@pytest.mark.redis
def test_waiting_ones_get_one_job_each(redis: RedisServer) -> None:
    upload, _ = upload_row(state=State.QUEUED), upload_row(state=State.RUNNING)
    sweep = UploadSweep()
    sweep.enqueue_waiting()
    sweep.enqueue_waiting()
    jobs = Queue(UPLOADS, connection=queue.connection()).get_jobs()
    assert [(job.id, job.func_name, job.args) for job in jobs] == [
        (f"upload-{upload.pk}-1", "read_upload", (upload.pk, 1))
    ]
