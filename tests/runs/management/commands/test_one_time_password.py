"""A person who lost the password gets a one-time password from whoever has a shell."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from runs.access.accounts import one_time_password
from tests.runs.roles import member

pytestmark = pytest.mark.django_db


def test_it_is_printed_and_works() -> None:
    member("vera", password="pilot 17 tide")
    printed = StringIO()
    call_command("one_time_password", "vera", stdout=printed)
    vera = User.objects.get(username="vera")
    assert vera.check_password(printed.getvalue().strip())
    assert one_time_password.is_set(vera)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(CommandError, match="There is no account 'nobody'"):
        call_command("one_time_password", "nobody")
