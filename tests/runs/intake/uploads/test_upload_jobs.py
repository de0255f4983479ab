"""What operators do with uploads that are not imported."""

from __future__ import annotations

import pytest

from runs.intake.uploads.upload_jobs import mine, read_again, remove_upload
from runs.models import AuditEntry, Upload
from tests.runs.intake.uploads.made_uploads import State, add_upload, upload_row

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("state", [State.REFUSED, State.FAILED])
def test_one_that_ended_badly_is_queued_again(state: State) -> None:
    upload = upload_row(state=state, message="broken", losses=2, done=1, total=3)
    assert read_again(upload)
    upload.refresh_from_db()
    assert (upload.state, upload.message, upload.losses, upload.done, upload.total) == ("queued", "", 0, 0, 0)
    assert AuditEntry.objects.latest("pk").act == "retried"


@pytest.mark.parametrize("state", [State.QUEUED, State.RUNNING, State.FINISHED])
def test_others_are_not(state: State) -> None:
    upload = upload_row(state=state)
    assert not read_again(upload)
    upload.refresh_from_db()
    assert upload.state == state


def test_removing_deletes_the_files_and_is_recorded() -> None:
    upload = add_upload({"a.json": b"1"})
    assert upload.path.is_dir()
    assert remove_upload(upload)
    assert not upload.path.exists()
    assert not Upload.objects.exists()
    assert AuditEntry.objects.latest("pk").act == "deleted"


def test_one_that_is_read_now_is_not_removed() -> None:
    upload = upload_row(state=State.RUNNING)
    assert not remove_upload(upload)
    assert Upload.objects.exists()


def test_only_the_current_try_owns_the_row() -> None:
    upload = upload_row(tries=2)
    assert mine(upload).exists()
    Upload.objects.update(tries=3)
    assert not mine(upload).exists()
