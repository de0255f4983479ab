"""A one-time password works for one login, of two at once too, and is in a file only until then."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client, RequestFactory

from runs.access.accounts import one_time_password
from runs.models import AuditEntry
from tests.runs.roles import member

pytestmark = pytest.mark.django_db


def log_in(password: str) -> bool:
    """Whether a login of vera succeeds."""
    request = RequestFactory().post("/admin/login/")
    return authenticate(request, username="vera", password=password) is not None


def test_it_works_once() -> None:
    password = one_time_password.issue(member("vera", password="pilot 17 tide"))
    assert not log_in("pilot 17 tide")
    assert log_in(password)
    assert not log_in(password)


def test_of_many_logins_at_once_one_wins(transactional_db: None) -> None:
    password = one_time_password.issue(member("vera"))
    together = Barrier(6)

    def attempt(_number: int) -> bool:
        together.wait()
        try:
            return log_in(password)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(attempt, range(6))) == [False] * 5 + [True]
    assert AuditEntry.objects.filter(act="one-time password used").count() == 1


def test_an_own_password_works_again_and_again() -> None:
    user = member("vera")
    one_time_password.issue(user)
    user.set_password("pilot 17 tide")
    user.save()
    assert not one_time_password.is_set(user)
    assert log_in("pilot 17 tide")
    assert log_in("pilot 17 tide")


def test_another_one_replaces_a_used_one() -> None:
    user = member("vera")
    first = one_time_password.issue(user)
    assert log_in(first)
    second = one_time_password.issue(user)
    assert not log_in(first)
    assert log_in(second)


def test_a_wrong_password_does_not_use_it_up() -> None:
    password = one_time_password.issue(member("vera"))
    assert not log_in("wrong")
    assert log_in(password)


def test_its_file_is_private_and_ends_with_the_first_use() -> None:
    user = member("vera")
    password = one_time_password.issue(user)
    one_time_password.write(user, "an older one")
    path = one_time_password.write(user, password)
    assert path.read_text() == f"{password}\n"
    assert path.stat().st_mode & 0o777 == 0o600
    assert log_in(password)
    assert not path.exists()


def test_its_file_ends_with_an_own_password_too() -> None:
    user = member("vera")
    path = one_time_password.write(user, one_time_password.issue(user))
    user.set_password("pilot 17 tide")
    user.save()
    assert not path.exists()


def test_it_ends_the_sessions_of_the_account(client: Client) -> None:
    user = member("vera", password="pilot 17 tide")
    client.force_login(user)
    one_time_password.issue(User.objects.get(pk=user.pk))
    assert client.get("/admin/").status_code == 302


def test_the_audit_log_has_its_making_and_its_use_and_not_itself() -> None:
    password = one_time_password.issue(member("vera"))
    log_in(password)
    entries = AuditEntry.objects.filter(name="vera").order_by("pk")
    acts = list(entries.values_list("act", flat=True))
    assert acts[-3:] == ["password changed", "one-time password made", "one-time password used"]
    assert password not in str(list(AuditEntry.objects.values_list()))
