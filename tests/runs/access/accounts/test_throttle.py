"""Guessed passwords: an address is locked after a few failures, an account after more, and both are free in time."""

from __future__ import annotations

import ipaddress
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client, RequestFactory
from django.utils import timezone

from runs.models import AuditEntry
from tests.runs.roles import member

pytestmark = pytest.mark.django_db

LOGIN = "/admin/login/"
RIGHT = "pilot 17 tide"
LIMIT = 10
LIMIT_OF_ACCOUNT = 100


@pytest.fixture(autouse=True)
def vera() -> User:
    """The account that is guessed."""
    return member("vera", password=RIGHT)


def attempt(password: str, *, name: str = "vera", address: str = "192.0.2.7", **more: Any) -> int:
    """The status of a login from an address: 200 refused, 302 signed in, 429 locked."""
    return (
        Client()
        .post(LOGIN, {"username": name, "password": password}, REMOTE_ADDR=address, **more)
        .status_code
    )


def guess(count: int, *, addresses: int = 1) -> int:
    """How many of so many guesses were compared with the password. As the form does, without the page."""
    checked = 0
    for number in range(count):
        request = RequestFactory().post(LOGIN, REMOTE_ADDR=f"192.0.2.{7 + number % addresses}")
        assert authenticate(request, username="vera", password=f"guess {number}", otp_token="") is None
        checked += getattr(request, "axes_failures_since_start", None) is not None
    return checked


def test_hundreds_of_guesses_in_a_row_are_locked_out() -> None:
    checked = guess(200)
    assert checked == LIMIT
    assert attempt(RIGHT) == 429
    assert AccessAttempt.objects.count() == 1
    assert AuditEntry.objects.filter(act__in=["sign-in failed", "locked out"]).count() == LIMIT


def test_hundreds_of_guesses_from_many_addresses_are_locked_out() -> None:
    assert guess(300, addresses=50) == LIMIT_OF_ACCOUNT
    assert attempt(RIGHT, address="198.51.100.1") == 429


def test_guesses_at_one_address_do_not_lock_the_account_at_another() -> None:
    guess(200)
    assert attempt(RIGHT, address="198.51.100.1") == 302


def test_an_address_is_locked_for_every_account() -> None:
    member("olga", password=RIGHT)
    for number in range(LIMIT):
        attempt("wrong", name=f"name {number}")
    assert attempt(RIGHT, name="olga") == 429
    assert attempt(RIGHT, name="olga", address="198.51.100.1") == 302


def test_the_addresses_of_one_network_count_together() -> None:
    for number in range(LIMIT):
        attempt("wrong", name=f"name {number}", address=f"2001:db8::{number}")
    assert attempt(RIGHT, address="2001:db8::ffff") == 429
    assert attempt(RIGHT, address="2001:db8:0:1::1") == 302


def test_other_browsers_do_not_help() -> None:
    for number in range(LIMIT):
        attempt("wrong", HTTP_USER_AGENT=f"browser {number}")
    assert attempt(RIGHT, HTTP_USER_AGENT="another") == 429


def test_a_login_of_ones_own_does_not_allow_more_guesses() -> None:
    member("olga", password=RIGHT)
    for _ in range(LIMIT - 1):
        attempt("wrong")
    assert attempt(RIGHT, name="olga") == 302
    assert attempt("wrong") == 429


def test_the_lock_ends_in_time_although_guesses_go_on() -> None:
    for _ in range(LIMIT):
        attempt("wrong")
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=14))
    assert attempt("wrong") == 429
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=15, seconds=1))
    assert attempt(RIGHT) == 302


def test_old_failures_leave_the_table() -> None:
    for number in range(5):
        attempt("wrong", name=f"name {number}")
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=16))
    attempt("wrong")
    assert [row.username for row in AccessAttempt.objects.all()] == ["vera"]


def test_the_page_says_how_long_to_wait() -> None:
    for _ in range(LIMIT):
        attempt("wrong")
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=9, seconds=30))
    response = Client().post(LOGIN, {"username": "vera", "password": RIGHT}, REMOTE_ADDR="192.0.2.7")
    assert response.status_code == 429
    assert "6 minutes" in response.content.decode()
    assert 325 <= int(response.headers["Retry-After"]) <= 330


def test_the_wait_is_until_enough_failures_of_the_address_are_old() -> None:
    for number in range(LIMIT):
        attempt("wrong", name=f"name {number}")
    rows = list(AccessAttempt.objects.order_by("pk"))
    for age, row in zip((14, 13, *[1] * 8), rows, strict=True):
        AccessAttempt.objects.filter(pk=row.pk).update(attempt_time=timezone.now() - timedelta(minutes=age))
    response = Client().post(LOGIN, {"username": "vera", "password": RIGHT}, REMOTE_ADDR="192.0.2.7")
    # Nine failures are too few for a lock, so it ends with the oldest one.
    assert "1 minute<" in response.content.decode()


def test_the_wait_is_until_enough_failures_of_the_account_are_old() -> None:
    guess(LIMIT_OF_ACCOUNT, addresses=20)
    rows = list(AccessAttempt.objects.order_by("pk"))
    for age, row in zip((14, *[1] * 19), rows, strict=True):
        AccessAttempt.objects.filter(pk=row.pk).update(attempt_time=timezone.now() - timedelta(minutes=age))
    response = Client().post(LOGIN, {"username": "vera", "password": RIGHT}, REMOTE_ADDR="198.51.100.1")
    assert "1 minute<" in response.content.decode()


def test_addresses_of_a_trusted_proxy_count_and_forged_ones_do_not(settings: Any) -> None:
    settings.PROXIES, settings.PROXY_ADDRESSES = 1, [ipaddress.ip_network("10.0.0.1")]
    for number in range(LIMIT):
        forged = {"HTTP_X_FORWARDED_FOR": f"203.0.113.{number}"}
        attempt("wrong", name=f"name {number}", address="192.0.2.7", **forged)
    assert attempt(RIGHT, address="192.0.2.7", HTTP_X_FORWARDED_FOR="203.0.113.99") == 429
    assert attempt(RIGHT, address="10.0.0.1", HTTP_X_FORWARDED_FOR="203.0.113.99") == 302


@pytest.mark.parametrize("name", ["n" * 5000, "\N{PILE OF POO}" * 200, "a\0b", "İ" * 150])
def test_odd_names_are_refused_like_any_other(name: str) -> None:
    assert attempt("wrong", name=name) == 200
    assert attempt("wrong", name=name, HTTP_USER_AGENT="x" * 9000, HTTP_ACCEPT="y" * 9000) == 200


def test_neither_the_password_nor_the_code_is_stored() -> None:
    values = {"username": "vera", "password": "tide-of-the-password", "otp_token": "tide-of-the-code"}
    Client().post(LOGIN, values)
    assert "tide-of-the" not in str(list(AccessAttempt.objects.values()))


@pytest.mark.django_db(transaction=True)
def test_hundreds_of_guesses_at_once_are_locked_out() -> None:
    threads = 8

    def some(count: int) -> int:
        try:
            return guess(count)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(threads) as pool:
        checked = sum(pool.map(some, [200 // threads] * threads))
    # Each thread may be between the check and the count when the limit is reached.
    assert LIMIT <= checked <= LIMIT - 1 + threads
    assert attempt(RIGHT) == 429


def test_wrong_old_passwords_lock_too_and_then_the_right_one_changes_nothing() -> None:
    client = Client()
    client.force_login(User.objects.get(username="vera"))

    def change(old: str) -> int:
        new = {"new_password1": "another tide 18", "new_password2": "another tide 18"}
        return client.post("/admin/password_change/", {"old_password": old, **new}).status_code

    assert [change(f"guess {number}") for number in range(LIMIT)] == [*([200] * (LIMIT - 1)), 429]
    assert change(RIGHT) == 429
    assert User.objects.get(username="vera").check_password(RIGHT)
    AccessAttempt.objects.all().delete()
    assert change(RIGHT) == 302
