"""Every login needs the password and, where there is one, the second factor."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.test import RequestFactory

from runs.access.accounts import one_time_password
from tests.runs.access.accounts.devices import code_of, enrol, wait_for_a_fresh_step
from tests.runs.roles import member

pytestmark = pytest.mark.django_db

PASSWORD = "pilot 17 tide"


@pytest.fixture
def vera() -> User:
    """An account with a second factor."""
    wait_for_a_fresh_step()
    made = member("vera", password=PASSWORD)
    enrol(made)
    return made


def log_in(**given: Any) -> User | None:
    """Who is logged in."""
    found = authenticate(RequestFactory().post("/"), username="vera", **given)
    assert found is None or isinstance(found, User)
    return found


def test_it_is_the_only_backend_that_logs_in() -> None:
    assert settings.AUTHENTICATION_BACKENDS == [
        "axes.backends.AxesStandaloneBackend",
        "runs.access.accounts.backend.AccountBackend",
    ]


def test_a_password_alone_is_refused(vera: User) -> None:
    assert log_in(password=PASSWORD) is None
    assert log_in(password=PASSWORD, otp_token="") is None


def test_a_password_and_a_code_are_accepted(vera: User) -> None:
    assert log_in(password=PASSWORD, otp_token=code_of(vera)) == vera


def test_a_wrong_password_does_not_use_up_a_code(vera: User) -> None:
    code = code_of(vera)
    assert log_in(password="wrong", otp_token=code) is None
    assert log_in(password=PASSWORD, otp_token=code) == vera


def test_a_wrong_code_does_not_use_up_a_one_time_password(vera: User) -> None:
    password = one_time_password.issue(vera)
    code = code_of(vera)
    assert log_in(password=password) is None
    assert log_in(password=password, otp_token=code) == vera
    assert log_in(password=password, otp_token=code_of(vera, steps=1)) is None


def test_guessed_codes_lock_the_account(vera: User) -> None:
    for number in range(10):
        assert log_in(password=PASSWORD, otp_token=f"{number:06d}") is None
    from runs.access.accounts import second_factor

    second_factor.turn_off(vera)
    assert log_in(password=PASSWORD) is None


def test_an_inactive_account_is_refused() -> None:
    user = member("vera", password=PASSWORD)
    user.is_active = False
    user.save()
    assert log_in(password=PASSWORD) is None
