"""Tokens are random, stored as a digest, and stop working when they expire or are revoked."""

from __future__ import annotations

import hashlib
from datetime import timedelta

import pytest
from django.utils import timezone

from runs.intake.uploads.upload_tokens import (
    TokenRefused,
    create_token,
    reporter_of,
    revoke_token,
    stored_bytes,
    token_of,
    upload_of,
    waiting_uploads,
)
from runs.models import AuditEntry, Submission, UploadToken
from tasks.models import Dataset
from tests.runs.intake.uploads.made_uploads import State, add_token, upload_row

pytestmark = pytest.mark.django_db


def made() -> tuple[UploadToken, str]:
    return create_token("The Lab", "lab-bench", "trajectories", 30)


def test_only_a_digest_is_stored() -> None:
    token, text = made()
    stored = UploadToken.objects.values().get()
    assert stored["digest"] == hashlib.sha256(text.encode()).hexdigest()
    assert text not in repr(stored)
    assert timedelta(days=29) < token.expires_at - timezone.now() <= timedelta(days=30)
    assert all(text not in repr((one.before, one.after, one.name)) for one in AuditEntry.objects.all())


def test_it_is_found_by_its_text_and_the_use_is_noted() -> None:
    token, text = made()
    assert token_of(f"Bearer {text}") == token
    token.refresh_from_db()
    assert token.last_used_at


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("", "Send a token of this site"),
        ("Bearer nonsense", "Send a token of this site"),
        ("Bearer bbu_" + "a" * 43 + "." + "0" * 16, "The token is unknown."),
    ],
)
def test_another_text_is_refused(header: str, reason: str) -> None:
    made()
    with pytest.raises(TokenRefused, match=reason):
        token_of(header)


def test_an_expired_one_is_refused() -> None:
    _, text = made()
    UploadToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(TokenRefused, match="The token expired on"):
        token_of(f"Bearer {text}")


def test_a_revoked_one_is_refused_and_that_is_in_the_audit_log() -> None:
    token, text = made()
    assert revoke_token(token)
    assert not revoke_token(token)
    with pytest.raises(TokenRefused, match="The token was revoked on"):
        token_of(f"Bearer {text}")
    assert [(one.act, one.kind) for one in AuditEntry.objects.order_by("pk")] == [
        ("created", "upload token"),
        ("changed", "upload token"),
    ]


def test_a_token_has_its_own_uploads() -> None:
    token, other = add_token(), add_token(digest="2" * 64)
    mine = upload_row(token=token)
    upload_row(token=token, state=State.FINISHED)
    assert upload_of(token, mine.pk) == mine
    assert upload_of(other, mine.pk) is None
    assert (waiting_uploads(token), waiting_uploads(other)) == (1, 0)


def test_a_submission_waits_until_an_operator_decides() -> None:
    token = add_token()
    upload = upload_row(token=token, state=State.FINISHED)
    dataset = Dataset.objects.create(slug="lab-bench", title="Lab")
    submission = Submission.objects.create(dataset=dataset, sender="The Lab", token=token, upload=upload)
    assert waiting_uploads(token) == 1
    Submission.objects.filter(pk=submission.pk).update(state="accepted")
    assert waiting_uploads(token) == 0


def test_what_is_not_imported_counts_as_stored() -> None:
    token = add_token()
    for state in (State.QUEUED, State.REFUSED, State.FAILED, State.FINISHED):
        upload_row(token=token, state=state)
    assert stored_bytes(token) == 3 * 1234


def test_who_reports_is_what_the_dataset_says() -> None:
    token = add_token()
    assert reporter_of(token) == "The Lab"
    Dataset.objects.create(slug="lab-bench", title="Lab", reported_by="Another")
    assert reporter_of(token) == "Another"
