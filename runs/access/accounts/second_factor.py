"""The second factor: codes of an authenticator app (TOTP), and recovery codes for a lost device."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets

import segno
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django_otp import verify_token
from django_otp.plugins.otp_totp.models import TOTPDevice

from runs.access.audit.audit_log import record
from runs.models import AuditEntry, RecoveryCode

Act = AuditEntry.Act

RECOVERY_CODES = 10
_CODE = re.compile(r"\d{6}", re.ASCII)


def device_of(user: AbstractBaseUser, *, confirmed: bool = True) -> TOTPDevice | None:
    """The account's authenticator app, if it has one. `confirmed=False`: the one that is being set up."""
    device: TOTPDevice | None = TOTPDevice.objects.filter(user=user.pk, confirmed=confirmed).first()
    return device


@transaction.atomic
def begin(user: AbstractBaseUser) -> None:
    """Creates a key, which is used after `confirm`. Does nothing if the account has a second factor already."""
    if device_of(user) is None:
        TOTPDevice.objects.filter(user=user.pk, confirmed=False).delete()
        TOTPDevice.objects.create(user_id=user.pk, name="authenticator app", confirmed=False)


@transaction.atomic
def confirm(user: AbstractBaseUser, code: str) -> list[str]:
    """Switches the second factor on. Returns the recovery codes, which are shown once; none if the code is wrong.

    Of two confirmations at the same time one wins, because a code works once.
    """
    device = TOTPDevice.objects.select_for_update().filter(user=user.pk, confirmed=False).first()
    if device is None or not device.verify_token(_squeezed(code)):
        return []
    device.confirmed = True
    device.save(update_fields=["confirmed"])
    record(Act.SECOND_FACTOR_ON, user)
    return _new_recovery_codes(user)


def accepts(user: AbstractBaseUser, code: str) -> bool:
    """Whether the code is right. Always true for an account without a second factor.

    A code is used up. After wrong ones, django-otp refuses all codes for 1, 2, 4, … seconds.
    """
    device = device_of(user)
    if device is None:
        return True
    code = _squeezed(code)
    if _CODE.fullmatch(code):
        return verify_token(user, device.persistent_id, code) is not None
    return _use_recovery_code(user, code)


@transaction.atomic
def turn_off(user: AbstractBaseUser) -> bool:
    """Removes the key and the recovery codes. Returns whether the account had a second factor."""
    had = device_of(user) is not None
    TOTPDevice.objects.filter(user=user.pk).delete()
    RecoveryCode.objects.filter(user=user.pk).delete()
    if had:
        record(Act.SECOND_FACTOR_OFF, user)
    return had


def codes_left(user: AbstractBaseUser) -> int:
    """How many recovery codes are unused."""
    return RecoveryCode.objects.filter(user=user.pk).count()


def key_text(device: TOTPDevice) -> str:
    """The key, for people who type it into their app."""
    text = base64.b32encode(device.bin_key).decode()
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def qr_code(device: TOTPDevice) -> str:
    """The key as a picture: an SVG in a data: address, black on white in every theme."""
    code = segno.make(device.config_url, error="m", micro=False)
    return str(code.svg_data_uri(scale=4, border=4, dark="#000", light="#fff"))


@transaction.atomic
def _use_recovery_code(user: AbstractBaseUser, code: str) -> bool:
    used, _ = RecoveryCode.objects.filter(user=user.pk, digest=_digest(code)).delete()
    if used:
        record(Act.RECOVERY_CODE_USED, user, account=user, after={"codes left": codes_left(user)})
    return bool(used)


def _new_recovery_codes(user: AbstractBaseUser) -> list[str]:
    RecoveryCode.objects.filter(user=user.pk).delete()
    codes = [base64.b32encode(secrets.token_bytes(10)).decode().lower() for _ in range(RECOVERY_CODES)]
    RecoveryCode.objects.bulk_create(RecoveryCode(user_id=user.pk, digest=_digest(code)) for code in codes)
    return ["-".join(code[start : start + 4] for start in range(0, len(code), 4)) for code in codes]


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode("utf-8", "replace")).hexdigest()


def _squeezed(code: str) -> str:
    """The code without spaces and dashes, in lower case."""
    return re.sub(r"[\s-]", "", code).lower()
