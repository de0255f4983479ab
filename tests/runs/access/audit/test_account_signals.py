"""Logins, their failures and logouts are in the audit log; guesses during a lock are not."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from runs.models import AuditEntry
from tests.runs.roles import member

pytestmark = pytest.mark.django_db

LOGIN = "/admin/login/"


@pytest.fixture(autouse=True)
def account() -> None:
    """An account with a password, whose roles and creation are in the log already."""
    member("vera", password="pilot 17 tide")


def attempt(client: Client, name: str, password: str) -> int:
    """The status of a login."""
    return client.post(LOGIN, {"username": name, "password": password}, REMOTE_ADDR="192.0.2.7").status_code


def acts() -> list[tuple[str, str, str, str]]:
    """(account, address, act, name) of all that happened over the network."""
    rows = AuditEntry.objects.exclude(address="shell").order_by("pk")
    return list(rows.values_list("account", "address", "act", "name"))


def test_a_login_and_a_logout(client: Client) -> None:
    assert attempt(client, "vera", "pilot 17 tide") == 302
    client.post("/admin/logout/", REMOTE_ADDR="192.0.2.7")
    assert acts() == [
        ("vera", "192.0.2.7", "signed in", "vera"),
        ("vera", "192.0.2.7", "signed out", "vera"),
    ]


def test_a_failure_names_the_account_if_there_is_one(client: Client) -> None:
    attempt(client, "vera", "wrong")
    attempt(client, "my password in the wrong field", "x")
    assert acts() == [
        ("", "192.0.2.7", "sign-in failed", "vera"),
        ("", "192.0.2.7", "sign-in failed", "unknown account"),
    ]


def test_a_lock_is_recorded_once(client: Client, settings: Any) -> None:
    settings.AXES_FAILURE_LIMIT = 3
    for _ in range(20):
        attempt(client, "vera", "wrong")
    assert [act for _, _, act, _ in acts()] == ["sign-in failed", "sign-in failed", "locked out"]
