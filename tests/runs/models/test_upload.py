"""Uploads and tokens as rows."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from runs.models import Upload, UploadToken
from runs.models.open_rows import without_hidden
from tests.runs.intake.uploads.made_uploads import State, add_token, upload_row

pytestmark = pytest.mark.django_db


def test_readers_see_no_upload_and_no_token() -> None:
    upload_row(token=add_token())
    assert not without_hidden(Upload.objects.all()).exists()
    assert not without_hidden(UploadToken.objects.all()).exists()


def test_the_sender_is_an_account_or_who_has_the_token() -> None:
    ada = User.objects.create_user("ada")
    assert upload_row(created_by=ada).sender == "ada"
    assert upload_row(token=add_token()).sender == "The Lab"
    assert upload_row().sender == ""


def test_an_upload_is_open_until_it_has_ended() -> None:
    assert {state for state in State if upload_row(state=state).is_open} == {State.QUEUED, State.RUNNING}


def test_a_token_is_valid_until_it_expires_or_is_revoked() -> None:
    now = timezone.now()
    token = add_token()
    assert token.is_valid
    token.revoked_at = now
    assert not token.is_valid
    token.revoked_at, token.expires_at = None, now - timedelta(seconds=1)
    assert not token.is_valid
