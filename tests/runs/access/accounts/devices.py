"""Codes that an authenticator app would show."""

from __future__ import annotations

import time

from django.contrib.auth.models import User
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from runs.access.accounts import second_factor


def code_of(user: User, *, steps: int = 0) -> str:
    """The code of this moment, or of so many times 30 seconds later."""
    device = TOTPDevice.objects.get(user=user)
    return f"{totp(device.bin_key, t0=int(-30 * steps - device.t0)):06d}"


def enrol(user: User) -> list[str]:
    """Sets up a second factor with the code before the present one. Returns the recovery codes."""
    second_factor.begin(user)
    codes = second_factor.confirm(user, code_of(user, steps=-1))
    assert codes
    return codes


def calm(user: User) -> None:
    """Forgets wrong codes, as if time had passed."""
    TOTPDevice.objects.filter(user=user).update(throttling_failure_count=0, throttling_failure_timestamp=None)


def wait_for_a_fresh_step() -> None:
    """Until a code lasts for a few seconds more."""
    left = 30 - time.time() % 30
    if left < 3:
        time.sleep(left + 0.1)
