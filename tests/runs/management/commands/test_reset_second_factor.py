"""A person who lost the phone and the recovery codes signs in with the password alone again."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from runs.access.accounts import second_factor
from runs.models import AuditEntry
from tests.runs.access.accounts.devices import enrol
from tests.runs.roles import member

pytestmark = pytest.mark.django_db


def said(name: str) -> str:
    """What the command prints."""
    printed = StringIO()
    call_command("reset_second_factor", name, stdout=printed)
    return printed.getvalue().strip()


def test_it_turns_the_second_factor_off() -> None:
    vera = member("vera")
    enrol(vera)
    assert said("vera") == "vera: the second factor is off."
    assert second_factor.device_of(vera) is None
    newest = AuditEntry.objects.first()
    assert newest is not None
    assert (newest.act, newest.name, newest.address) == ("second factor off", "vera", "shell")
    assert said("vera") == "vera has no second factor."


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(CommandError, match="There is no account 'nobody'"):
        call_command("reset_second_factor", "nobody")
