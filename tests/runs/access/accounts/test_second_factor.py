"""The second factor: codes work once, guesses are slowed down, recovery codes are stored hashed."""

from __future__ import annotations

import base64
import re
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django_otp.plugins.otp_totp.models import TOTPDevice

from runs.access.accounts import second_factor
from runs.models import AuditEntry, RecoveryCode
from tests.runs.access.accounts.devices import calm, code_of, enrol, wait_for_a_fresh_step
from tests.runs.roles import member

pytestmark = pytest.mark.django_db


@pytest.fixture
def vera() -> User:
    """An account, in the first seconds of a code's life."""
    wait_for_a_fresh_step()
    return member("vera")


def test_without_one_every_code_is_fine(vera: User) -> None:
    assert second_factor.accepts(vera, "")
    assert second_factor.accepts(vera, "123456")


def test_a_key_counts_only_when_it_is_confirmed(vera: User) -> None:
    second_factor.begin(vera)
    assert second_factor.device_of(vera) is None
    assert second_factor.accepts(vera, "")
    assert len(second_factor.confirm(vera, code_of(vera))) == 10
    assert second_factor.device_of(vera) is not None
    assert not second_factor.accepts(vera, "")


def test_a_wrong_code_confirms_nothing(vera: User) -> None:
    assert second_factor.confirm(vera, "123456") == []
    second_factor.begin(vera)
    assert second_factor.confirm(vera, code_of(vera, steps=50)) == []
    assert second_factor.device_of(vera) is None


def test_a_new_key_replaces_an_unconfirmed_one_and_no_confirmed_one(vera: User) -> None:
    second_factor.begin(vera)
    first = TOTPDevice.objects.get().key
    second_factor.begin(vera)
    assert TOTPDevice.objects.get().key != first
    enrol(vera)
    kept = TOTPDevice.objects.get().key
    second_factor.begin(vera)
    assert TOTPDevice.objects.get().key == kept


def test_a_code_works_once(vera: User) -> None:
    enrol(vera)
    code = code_of(vera)
    assert second_factor.accepts(vera, f" {code[:3]} {code[3:]} ")
    assert not second_factor.accepts(vera, code)
    calm(vera)
    assert not second_factor.accepts(vera, code)
    assert second_factor.accepts(vera, code_of(vera, steps=1)) is False  # throttled by the refusal before
    calm(vera)
    assert second_factor.accepts(vera, code_of(vera, steps=1))


def test_the_code_of_the_confirmation_is_used_up_too(vera: User) -> None:
    second_factor.begin(vera)
    code = code_of(vera)
    assert second_factor.confirm(vera, code)
    assert not second_factor.accepts(vera, code)


def test_of_many_uses_at_once_one_wins(transactional_db: None) -> None:
    wait_for_a_fresh_step()
    vera = member("vera")
    recovery = enrol(vera)[0]
    code = code_of(vera)

    def uses(one: str) -> list[bool]:
        together = Barrier(5)

        def use(_number: int) -> bool:
            together.wait()
            try:
                return second_factor.accepts(vera, one)
            finally:
                connections.close_all()

        with ThreadPoolExecutor(5) as pool:
            return sorted(pool.map(use, range(5)))

    assert uses(code) == [False] * 4 + [True]
    assert uses(recovery) == [False] * 4 + [True]


def test_guesses_are_slowed_down(vera: User) -> None:
    enrol(vera)
    began = time.monotonic()
    for number in range(50):
        assert not second_factor.accepts(vera, f"{(int(code_of(vera)) + 17 + number) % 10**6:06d}")
    seen = TOTPDevice.objects.get().throttling_failure_count
    # Between those that were compared with the code, 1, 2, 4, … seconds passed.
    assert 2 ** (seen - 1) - 1 <= time.monotonic() - began
    assert not second_factor.accepts(vera, code_of(vera))


@pytest.mark.parametrize(
    "code", ["", "12345", "1234567", "\N{PILE OF POO}", "٠١٢٣٤٥", "1e5   ", "-1", "\ud800", "x" * 40]
)
def test_odd_codes_are_refused(vera: User, code: str) -> None:
    enrol(vera)
    assert not second_factor.accepts(vera, code)


def test_each_recovery_code_works_once_and_is_stored_hashed(vera: User) -> None:
    first, second, *_ = codes = enrol(vera)
    assert len({*codes}) == 10
    assert all(re.fullmatch(r"([a-z2-7]{4}-){3}[a-z2-7]{4}", code) for code in codes)
    stored = str(list(RecoveryCode.objects.values_list()))
    assert not any(code in stored or code.replace("-", "") in stored for code in codes)
    assert second_factor.accepts(vera, first)
    assert not second_factor.accepts(vera, first)
    assert second_factor.accepts(vera, second.upper().replace("-", " "))
    assert second_factor.codes_left(vera) == 8


def test_a_recovery_code_is_of_one_account(vera: User) -> None:
    other = member("olga")
    enrol(vera)
    (code, *_) = enrol(other)
    assert not second_factor.accepts(vera, code)


def test_turned_off_nothing_of_it_is_left(vera: User) -> None:
    enrol(vera)
    assert second_factor.turn_off(vera)
    assert not second_factor.turn_off(vera)
    assert not TOTPDevice.objects.exists()
    assert not RecoveryCode.objects.exists()
    assert second_factor.accepts(vera, "")


def test_the_audit_log_has_it_without_keys_and_codes(vera: User) -> None:
    codes = enrol(vera)
    key = TOTPDevice.objects.get().key
    second_factor.accepts(vera, codes[0])
    second_factor.turn_off(vera)
    acts = AuditEntry.objects.filter(name="vera").order_by("pk").values_list("act", flat=True)
    assert list(acts)[-3:] == ["second factor on", "recovery code used", "second factor off"]
    text = str(list(AuditEntry.objects.values_list()))
    assert key not in text
    assert codes[0] not in text


def test_the_picture_and_the_text_have_the_key(vera: User) -> None:
    second_factor.begin(vera)
    device = TOTPDevice.objects.get()
    picture = unquote(second_factor.qr_code(device))
    assert picture.startswith("data:image/svg+xml")
    assert "<script" not in picture
    assert "style" not in picture
    secret = parse_qs(urlsplit(device.config_url).query)["secret"][0]
    assert second_factor.key_text(device).replace(" ", "") == secret
    assert base64.b32decode(secret) == device.bin_key
