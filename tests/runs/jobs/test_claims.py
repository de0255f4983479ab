"""Who works on what, and when failed work is tried again."""

from __future__ import annotations

from typing import Any

import pytest

from runs.jobs.claims import (
    claim,
    end_try,
    first_heartbeat,
    retry_delay,
    settle_owned,
    this_try,
    worker_name,
)
from runs.models import Upload
from tests.runs.intake.uploads.made_uploads import upload_row


def test_each_wait_is_four_times_as_long_and_no_two_are_alike(settings: Any) -> None:
    settings.RETRY_SECONDS = 5
    waits = {failures: [retry_delay(failures) for _ in range(50)] for failures in (1, 2, 3)}
    assert all(5 <= wait <= 6.25 for wait in waits[1])
    assert all(20 <= wait <= 25 for wait in waits[2])
    assert all(80 <= wait <= 100 for wait in waits[3])
    assert len(set(waits[1])) > 40


@pytest.mark.django_db
def test_of_two_claims_one_succeeds_and_counts_the_try() -> None:
    upload = upload_row(state=Upload.State.QUEUED, tries=0)
    row = Upload.objects.filter(pk=upload.pk, tries=0)
    assert [claim(row, **first_heartbeat()), claim(row, **first_heartbeat())] == [True, False]
    upload.refresh_from_db()
    assert (upload.state, upload.tries, upload.worker) == ("running", 1, worker_name())
    assert upload.heartbeat_at


@pytest.mark.django_db
def test_only_the_current_try_owns_a_row() -> None:
    upload = upload_row(tries=2)
    assert this_try(upload).exists()
    Upload.objects.update(tries=3)
    assert not this_try(upload).exists()
    assert not end_try(upload, Upload.State.FINISHED, "the end of an upload")
    upload.refresh_from_db()
    assert end_try(upload, Upload.State.FINISHED, "the end of an upload")
    assert not this_try(upload).exists()


@pytest.mark.django_db
def test_what_came_of_a_try_is_stored_whole_or_not_at_all() -> None:
    upload = upload_row()

    def rename(owned: Upload) -> None:
        Upload.objects.filter(pk=owned.pk).update(name="changed")
        if owned.tries == 2:
            raise ValueError("half")

    assert settle_owned(lambda: this_try(upload).first(), rename)
    assert not settle_owned(lambda: None, rename)
    Upload.objects.update(name="before", tries=2)
    with pytest.raises(ValueError, match="half"):
        settle_owned(Upload.objects.first, rename)
    assert Upload.objects.get().name == "before"
