"""The sessions of an account."""

from __future__ import annotations

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.sessions.models import Session
from django.utils import timezone


def end_sessions(user: AbstractBaseUser, *, except_for: str | None) -> None:
    """Signs the account out everywhere but in the session with this key.

    Reads all open sessions: only staff has any.
    """
    opened = Session.objects.filter(expire_date__gt=timezone.now()).exclude(session_key=except_for)
    account = str(user.pk)
    ended = [session.pk for session in opened if session.get_decoded().get(SESSION_KEY) == account]
    Session.objects.filter(pk__in=ended).delete()
