"""One-time passwords: each works for one login, which must then set another password."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, User
from django.db import transaction
from django.utils import timezone

from runs.access.audit.audit_log import record
from runs.models import AuditEntry, OneTimePassword

Act = AuditEntry.Act


@transaction.atomic
def issue(user: User) -> str:
    """Gives the account a random password that works once, in place of its own. Its sessions end."""
    password = secrets.token_urlsafe(12)
    user.set_password(password)
    user.save(update_fields=["password"])
    OneTimePassword.objects.create(user=user)
    record(Act.ONE_TIME_PASSWORD_MADE, user)
    return password


def file_of(user: AbstractBaseUser) -> Path:
    """Where `write` puts the password of this account."""
    return Path(settings.DATA) / f"one-time-password-{user.pk}"


def write(user: AbstractBaseUser, password: str) -> Path:
    """Writes the password to a file that only this user of the system can read. It is removed at the first use."""
    path = file_of(user)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(password + "\n")
    return path


@transaction.atomic
def claim(user: AbstractBaseUser) -> bool:
    """Whether the account may log in with its password, which was right. A one-time password is used up by this.

    Of two logins at the same time one wins.
    """
    waiting = OneTimePassword.objects.filter(user=user.pk)
    if waiting.filter(used_at=None).update(used_at=timezone.now()):
        record(Act.ONE_TIME_PASSWORD_USED, user, account=user)
        file_of(user).unlink(missing_ok=True)
        return True
    return not waiting.exists()


def is_set(user: AbstractBaseUser) -> bool:
    """Whether the present password of this account is a one-time password, used or not."""
    return OneTimePassword.objects.filter(user=user.pk).exists()


def end(user: AbstractBaseUser) -> None:
    """Ends a one-time password, because the account has another password or none."""
    OneTimePassword.objects.filter(user=user.pk).delete()
    file_of(user).unlink(missing_ok=True)
