"""Operators make and revoke tokens; the text of one is shown once."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from runs.intake.uploads.upload_tokens import token_of
from runs.models import UploadToken
from tests.markup import compact
from tests.runs.intake.uploads.made_uploads import add_token

pytestmark = pytest.mark.django_db
PAGE = "/uploads/tokens/"
ENTERED = {"name": "The Lab", "purpose": "trajectories", "dataset": "lab-bench", "days": "30"}


def test_the_text_of_a_token_is_shown_once(admin_client: Client) -> None:
    response = admin_client.post(PAGE, ENTERED)
    page = response.content.decode()
    (text,) = set(re.findall(r"bbu_[\w-]+\.[0-9a-f]+", page))
    token = token_of(f"Bearer {text}")
    assert (token.name, token.dataset, token.purpose) == ("The Lab", "lab-bench", "trajectories")
    assert token.created_by is not None
    assert "no-store" in response.headers["Cache-Control"]
    assert "bbu_" not in admin_client.get(PAGE).content.decode()


def test_a_token_is_revoked(admin_client: Client) -> None:
    token = add_token()
    admin_client.post(PAGE, {"revoke": token.pk})
    token.refresh_from_db()
    assert token.revoked_at
    page = compact(admin_client.get(PAGE).content.decode())
    assert "The token of The Lab is revoked." in page
    assert 'name="revoke"' not in page


@pytest.mark.parametrize(("number", "status"), [("999", 404), ("x", 400), ("-1", 400)])
def test_an_unknown_token_is_not_revoked(admin_client: Client, number: str, status: int) -> None:
    assert admin_client.post(PAGE, {"revoke": number}).status_code == status


def test_wrong_entries_make_no_token(admin_client: Client) -> None:
    response = admin_client.post(PAGE, {**ENTERED, "days": "0"})
    assert '<a href="#id_days">Valid for days</a>' in compact(response.content.decode())
    assert not UploadToken.objects.exists()
