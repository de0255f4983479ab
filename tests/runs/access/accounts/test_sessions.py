"""Signing an account out: its sessions end, and no others."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from runs.access.accounts.sessions import end_sessions
from tests.runs.roles import member

pytestmark = pytest.mark.django_db


def test_all_sessions_of_the_account_end_except_for_one() -> None:
    vera, olga = member("vera"), member("olga")
    browsers = []
    for user in (vera, vera, vera, olga):
        browser = Client()
        browser.force_login(user)
        browsers.append(browser)
    stays, _, _, other = (browser.session.session_key for browser in browsers)
    end_sessions(vera, except_for=stays)
    assert {*Session.objects.values_list("pk", flat=True)} == {stays, other}


def test_without_an_exception_all_of_them_end() -> None:
    vera = member("vera")
    Client().force_login(vera)
    end_sessions(vera, except_for=None)
    assert not Session.objects.exists()
