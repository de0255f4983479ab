"""What the database lets a session be."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from runs.models import PlaySession
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def test_a_user_has_one_open_session_and_it_outlives_the_account() -> None:
    cast, ada = Cast(), User.objects.create_user("ada")
    task, alice = cast.add_tasks(1)[0], cast.alice()
    first, second, third = (cast.add_run(alice, task, attempt) for attempt in (1, 2, 3))
    PlaySession.objects.create(user=ada, run=first, pseudonym="p-ada", ended_at=timezone.now())
    PlaySession.objects.create(user=ada, run=second, pseudonym="p-ada")
    with pytest.raises(IntegrityError), transaction.atomic():
        PlaySession.objects.create(user=ada, run=third, pseudonym="p-ada")
    ada.delete()
    PlaySession.objects.create(run=third, pseudonym="p-bea")
    assert [session.pseudonym for session in PlaySession.objects.order_by("run")] == [
        "p-ada",
        "p-ada",
        "p-bea",
    ]
