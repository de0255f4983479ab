"""Operators send files, and read what became of them."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from runs.intake.uploads.permits import may_be_large
from runs.intake.uploads.reading_uploads import read_upload
from runs.models import Run, Upload
from tests.markup import compact
from tests.runs.intake.uploads.made_uploads import (
    State,
    add_token,
    add_upload,
    found_by_check,
    packed,
    trajectories,
    upload_row,
)

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = "/uploads/"


def text(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == 200
    return compact(response.content.decode())


def files(**content: bytes) -> list[SimpleUploadedFile]:
    return [SimpleUploadedFile(name, data) for name, data in content.items()]


def test_files_are_stored_and_their_page_shows_what_became_of_them(admin_client: Client) -> None:
    sent = [SimpleUploadedFile(name, data) for name, data in trajectories("lab__one-1", "lab__one-2").items()]
    response = admin_client.post(PAGE, {"file": sent, "slug": "lab-bench", "title": "Lab bench"})

    upload = Upload.objects.get()
    assert response.headers["Location"] == upload.get_absolute_url()
    assert (upload.files, upload.given) == (2, {"slug": "lab-bench", "title": "Lab bench"})
    assert upload.created_by == User.objects.get(username="admin")
    assert "data-live" in text(admin_client, upload.get_absolute_url())

    read_upload(upload.pk, 0)
    assert not Run.objects.exists()
    page = text(admin_client, upload.get_absolute_url(), X_Partial="upload")
    assert "<b>2</b> new trajectories. Nothing is stored yet." in page
    assert "data-live" not in page
    assert "2 new: import or discard" in text(admin_client, PAGE)

    admin_client.post(upload.get_absolute_url(), {"act": "import"})
    read_upload(upload.pk, 1)
    page = text(admin_client, upload.get_absolute_url(), X_Partial="upload")
    assert "<b>2</b> trajectories imported" in page
    assert 'href="/sources/lab-bench/"' in page
    assert "data-live" not in page
    assert "<html" not in page


def test_a_check_shows_what_is_read_as_what_what_is_unknown_and_what_is_left_out(
    admin_client: Client,
) -> None:
    upload = upload_row(
        state=State.CHECKED, finished_at=timezone.now(), check_result=found_by_check("a.json")
    )
    page = text(admin_client, upload.get_absolute_url())
    for said in (
        "<b>5,000</b> new trajectories; 2 are known and stay as they are.",
        "read as mini-swe-agent, in dataset lab-bench",
        "outcomes: 4,000 unknown, 1,000 resolved",
        "outcome in 4,000 of 5,000",
        "Dollars equal in 1 of 2. The board keeps its numbers.",
        '<td class="num">4,995</td>',
        "and 4,990 more",
        "The first 3 of 5,000 runs, one by one",
        '"Calls">1</td><td class="num" data-name="Dollars">$0.25</td>',
    ):
        assert said in page


def test_only_its_sender_imports_a_checked_upload(admin_client: Client, admin_user: User) -> None:
    ada = User.objects.create_superuser("ada")
    values = {"state": State.CHECKED, "finished_at": timezone.now(), "check_result": found_by_check()}
    upload = upload_row(created_by=ada, **values)
    address = upload.get_absolute_url()
    assert "Only ada, who sent it, can import it." in text(admin_client, address)
    assert admin_client.post(address, {"act": "import"}).status_code == 403
    upload.refresh_from_db()
    assert upload.state == State.CHECKED

    for own in (upload_row(created_by=admin_user, **values), upload_row(token=add_token(), **values)):
        admin_client.post(own.get_absolute_url(), {"act": "import"})
        own.refresh_from_db()
        assert (own.state, own.check_first) == (State.QUEUED, False)
        admin_client.post(own.get_absolute_url(), {"act": "import"})
        assert "It is imported already, or does not wait for a decision." in text(admin_client, PAGE)
    for client in (Client(), visitor()):
        assert client.post(address, {"act": "import"}).status_code in (302, 403)
    upload.refresh_from_db()
    assert upload.state == State.CHECKED


def visitor() -> Client:
    client = Client()
    client.force_login(User.objects.create_user("eve"))
    return client


def test_progress_is_shown(admin_client: Client) -> None:
    page = text(admin_client, upload_row(done=3, total=8).get_absolute_url())
    assert "3 of 8 trajectories are read." in page
    assert 'max="8" value="3"' in page


def test_a_refusal_has_file_and_place_and_can_be_read_again_or_removed(admin_client: Client) -> None:
    upload = add_upload({"runs.zip": packed({"x/a.json": b"{"})})
    read_upload(upload.pk, 0)
    address = upload.get_absolute_url()
    assert "<b>Nothing was imported:</b> x/a.json: it is not JSON" in text(admin_client, address)
    assert "x/a.json: it is not JSON" in text(admin_client, PAGE)

    admin_client.post(address, {"act": "again"})
    upload.refresh_from_db()
    assert upload.state == State.QUEUED
    assert admin_client.post(address, {"act": "remove"}).headers["Location"] == PAGE
    assert "is removed. What was imported from it stays." in text(admin_client, PAGE)
    assert admin_client.get(address).status_code == 404


def test_one_that_is_read_now_is_not_removed(admin_client: Client) -> None:
    upload = upload_row()
    admin_client.post(upload.get_absolute_url(), {"act": "remove"})
    assert "It is read just now: wait for the end." in text(admin_client, upload.get_absolute_url())


def test_wrong_entries_store_nothing(admin_client: Client) -> None:
    response = admin_client.post(PAGE, {"file": files(a=b"1"), "slug": "A B"})
    assert response.status_code == 200
    assert '<a href="#id_slug">Dataset</a>: Use small letters' in compact(response.content.decode())
    assert "This field is required." in admin_client.post(PAGE, {"slug": "a"}).content.decode()
    assert not Upload.objects.exists()


def test_too_large_a_file_is_refused(admin_client: Client, settings: Any) -> None:
    settings.UPLOAD_BYTES = 1 << 20
    response = admin_client.post(PAGE, {"file": files(a=bytes((1 << 20) + 1))})
    assert response.status_code == 413
    assert "a: at most 1 MB are allowed." in compact(response.content.decode())


def test_more_than_a_hundred_files_are_refused(admin_client: Client) -> None:
    many = files(**{f"a{number}": b"1" for number in range(101)})
    assert admin_client.post(PAGE, {"file": many}).status_code == 400
    assert not Upload.objects.exists()


def test_the_address_of_the_form_lets_large_requests_arrive(admin_client: Client) -> None:
    found = text(admin_client, PAGE)
    action = found.partition('action="/uploads/?')[2].partition('"')[0]
    assert parse_qs(action)["permit"]
    assert may_be_large(PAGE, urlsplit(f"/?{action}").query, "")


def test_a_token_is_named_as_the_sender(admin_client: Client) -> None:
    upload = upload_row(token=add_token())
    assert "by The Lab, with a token" in text(admin_client, upload.get_absolute_url())


def test_a_form_without_its_csrf_token_is_refused(admin_user: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(admin_user)
    assert client.post(PAGE, {"file": files(a=b"1")}).status_code == 403
    assert not Upload.objects.exists()


def test_markup_in_what_was_sent_stays_text(admin_client: Client) -> None:
    evil = "<script>window.owned=1</script>\x1b[2J\u202e"
    upload = upload_row(
        name=evil, state=State.REFUSED, message=evil, given={evil: evil}, token=add_token(name=evil)
    )
    for address in (PAGE, upload.get_absolute_url(), "/uploads/tokens/"):
        page = text(admin_client, address)
        assert "<script>window" not in page
        assert "&lt;script&gt;window.owned=1" in page
        assert "\x1b" not in page
        assert "\u202e" not in page
