"""The login page asks for the code, too, and never says what was wrong."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.runs.access.accounts.devices import calm, code_of, enrol, wait_for_a_fresh_step
from tests.runs.roles import member

pytestmark = pytest.mark.django_db

LOGIN = "/admin/login/"
PASSWORD = "pilot 17 tide"
REFUSED = "The username, the password or the code is wrong"


def test_without_a_second_factor_the_code_stays_empty(client: Client) -> None:
    member("vera", password=PASSWORD)
    assert 'name="otp_token"' in client.get(LOGIN).content.decode()
    response = client.post(
        LOGIN, {"username": "vera", "password": PASSWORD, "otp_token": "", "next": "/status/"}
    )
    assert response.headers["Location"] == "/status/"


def test_with_one_the_code_is_needed_and_every_refusal_reads_the_same(client: Client) -> None:
    wait_for_a_fresh_step()
    vera = member("vera", password=PASSWORD)
    enrol(vera)
    for password, code in ((PASSWORD, ""), ("wrong", code_of(vera)), ("wrong", "")):
        page = client.post(LOGIN, {"username": "vera", "password": password, "otp_token": code})
        assert page.status_code == 200
        assert page.content.decode().count(REFUSED) == 1
    calm(vera)
    right = {"username": "vera", "password": PASSWORD, "otp_token": code_of(vera)}
    assert client.post(LOGIN, right).status_code == 302


def test_accounts_that_are_not_staff_do_not_enter(client: Client) -> None:
    reader = member("rita", password=PASSWORD)
    reader.is_staff = False
    reader.save()
    page = client.post(LOGIN, {"username": "rita", "password": PASSWORD})
    assert REFUSED in page.content.decode()
    assert "_auth_user_id" not in client.session
