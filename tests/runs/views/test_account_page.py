"""The page of one's own account: the second factor from the key to the end."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from runs.access.accounts import second_factor
from tests.runs.access.accounts.devices import calm, code_of, enrol, wait_for_a_fresh_step
from tests.runs.roles import VIEWERS, member

pytestmark = pytest.mark.django_db

PAGE = "/account/"
PASSWORD = "pilot 17 tide"
RECOVERY = re.compile(r"(?:[a-z2-7]{4}-){3}[a-z2-7]{4}")


@pytest.fixture
def vera() -> User:
    """A member of the staff."""
    wait_for_a_fresh_step()
    return member("vera", VIEWERS, password=PASSWORD)


@pytest.fixture
def browser(vera: User, client: Client) -> Client:
    """A browser in which she is signed in."""
    client.force_login(vera)
    return client


def text(browser: Client) -> str:
    """The page as it is now."""
    response = browser.get(PAGE)
    assert "no-store" in response.headers["Cache-Control"]
    return response.content.decode()


def test_it_is_set_up_confirmed_and_used(browser: Client, vera: User) -> None:
    assert "It is <b>off</b>" in text(browser)
    assert browser.post(PAGE, {"action": "begin"}).status_code == 302
    device = TOTPDevice.objects.get()
    page = text(browser)
    assert second_factor.key_text(device) in page
    assert 'src="data:image/svg+xml' in page

    wrong = browser.post(PAGE, {"action": "confirm", "otp_token": code_of(vera, steps=50)})
    assert "This code is wrong" in wrong.content.decode()
    calm(vera)
    shown = browser.post(PAGE, {"action": "confirm", "otp_token": code_of(vera, steps=-1)}).content.decode()
    codes = RECOVERY.findall(shown)
    assert len(codes) == 10

    after = text(browser)
    assert "10 unused recovery codes" in after
    assert not RECOVERY.search(after)
    assert second_factor.key_text(device) not in after
    login = {"username": "vera", "password": PASSWORD}
    assert Client().post("/admin/login/", login).status_code == 200
    assert Client().post("/admin/login/", {**login, "otp_token": codes[0]}).status_code == 302


def test_setting_it_up_ends_the_other_sessions_of_the_account(browser: Client, vera: User) -> None:
    there, olga = Client(), Client()
    there.force_login(vera)
    olga.force_login(member("olga"))
    browser.post(PAGE, {"action": "begin"})
    browser.post(PAGE, {"action": "confirm", "otp_token": "000000"})
    assert there.get(PAGE).status_code == 200
    calm(vera)
    browser.post(PAGE, {"action": "confirm", "otp_token": code_of(vera)})
    assert there.get(PAGE).status_code == 302
    assert browser.get(PAGE).status_code == 200
    assert olga.get(PAGE).status_code == 200


@pytest.mark.parametrize("password", ["", "wrong", PASSWORD])
@pytest.mark.parametrize("right_code", [True, False])
def test_turning_it_off_needs_password_and_code(
    browser: Client, vera: User, password: str, right_code: bool
) -> None:
    enrol(vera)
    code = code_of(vera) if right_code else "000000"
    answer = browser.post(PAGE, {"action": "turn-off", "password": password, "otp_token": code})
    off = password == PASSWORD and right_code
    assert (second_factor.device_of(vera) is None) is off
    assert ("It is <b>off</b>" in text(browser)) is off
    assert answer.status_code == (302 if off else 200)


def test_guesses_of_the_password_lock_the_account(browser: Client, vera: User) -> None:
    enrol(vera)
    values = {"action": "turn-off", "password": "wrong", "otp_token": "000000"}
    assert [browser.post(PAGE, values).status_code for _ in range(10)] == [200] * 9 + [429]


def test_a_new_key_does_not_replace_a_second_factor_that_is_on(browser: Client, vera: User) -> None:
    enrol(vera)
    key = TOTPDevice.objects.get().key
    browser.post(PAGE, {"action": "begin"})
    assert TOTPDevice.objects.get().key == key


def test_it_is_for_staff(client: Client) -> None:
    assert client.get(PAGE).headers["Location"] == "/admin/login/?next=/account/"
    client.force_login(User.objects.create_user("reader"))
    assert client.get(PAGE).status_code == 403
    assert client.post(PAGE, {"action": "begin"}).status_code == 403
    assert not TOTPDevice.objects.exists()


def test_a_key_is_of_its_owner(browser: Client, vera: User) -> None:
    other = member("olga")
    second_factor.begin(other)
    assert "It is <b>off</b>" in text(browser)
    browser.post(PAGE, {"action": "confirm", "otp_token": code_of(other)})
    assert second_factor.device_of(other) is None
