"""Rules for new passwords: not the one-time password; each change is recorded."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import password_validators_help_texts, validate_password
from django.core.exceptions import ValidationError
from django.core.management import call_command

from runs.access.accounts import one_time_password
from runs.models import AuditEntry
from tests.runs.roles import member

pytestmark = pytest.mark.django_db


def test_the_one_time_password_cannot_be_kept() -> None:
    user = member("vera")
    password = one_time_password.issue(user)
    with pytest.raises(ValidationError, match="This is the one-time password"):
        validate_password(password, user)
    validate_password("pilot 17 tide", user)


def test_an_own_password_may_be_kept() -> None:
    validate_password("pilot 17 tide", member("vera", password="pilot 17 tide"))


def test_a_new_account_is_checked_like_any_other() -> None:
    validate_password("pilot 17 tide", User(username="new"))


def test_a_change_at_the_shell_is_recorded_and_ends_a_one_time_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    user = member("vera")
    one_time_password.issue(user)
    monkeypatch.setattr("getpass.getpass", lambda prompt="": "pilot 17 tide")
    call_command("changepassword", "vera", stdout=StringIO())
    assert not one_time_password.is_set(user)
    newest = AuditEntry.objects.first()
    assert newest is not None
    assert (newest.act, newest.name, newest.address) == ("password changed", "vera", "shell")


def test_each_rule_is_told_to_people_who_choose_a_password() -> None:
    texts = password_validators_help_texts()
    assert all(texts)
    assert texts[-1] == "It has to differ from a one-time password."
