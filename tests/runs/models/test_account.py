"""Rows about accounts name their account, and end with it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from runs.models import OneTimePassword, RecoveryCode

pytestmark = pytest.mark.django_db


def test_they_end_with_the_account() -> None:
    vera = User.objects.create_user("vera")
    rows = (
        OneTimePassword.objects.create(user=vera),
        RecoveryCode.objects.create(user=vera, digest="a" * 64),
    )
    assert list(map(str, rows)) == ["one-time password of vera", "recovery code of vera"]
    vera.delete()
    assert not OneTimePassword.objects.exists()
    assert not RecoveryCode.objects.exists()
