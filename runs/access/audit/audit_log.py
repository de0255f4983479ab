"""Writes entries of the audit log."""

from __future__ import annotations

import getpass
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Model
from django.http import HttpRequest

from harness.redaction import Redactor
from runs.access.audit.request_scope import current_request
from runs.access.client_address import full_address_of
from runs.models import AuditEntry

SHELL = "shell"
MAX_ACCOUNT_LENGTH, MAX_NAME_LENGTH = 150, 300
Values = Mapping[str, Any]


def record(
    act: AuditEntry.Act,
    what: Model | None = None,
    *,
    name: str = "",
    before: Values | None = None,
    after: Values | None = None,
    account: AbstractBaseUser | None = None,
    request: HttpRequest | None = None,
) -> None:
    """Stores an act in the current transaction. Call it in the transaction of the act itself.

    `what`: the object that was changed; `name`: its name, if there is no object. `before` and `after`: JSON values;
    secrets in them are redacted. `account`: who did it; unless given, the user of the request or, in a command, of the
    system.
    """
    request = request or current_request()
    redactor = Redactor.from_environment()
    who, number = _account(account, request)
    AuditEntry(
        act=act,
        account=who[:MAX_ACCOUNT_LENGTH],
        account_number=number,
        address=SHELL if request is None else full_address_of(request),
        kind=str(what._meta.verbose_name) if what is not None else "",
        object_number=str(what.pk) if what is not None else "",
        name=redactor.text(name or (str(what) if what is not None else ""))[:MAX_NAME_LENGTH],
        before=None if before is None else redactor.value(dict(before)),
        after=None if after is None else redactor.value(dict(after)),
    ).save()


def _account(account: AbstractBaseUser | None, request: HttpRequest | None) -> tuple[str, int | None]:
    if account is None and request is not None:
        user = getattr(request, "user", None)
        account = user if user is not None and user.is_authenticated else None
    if account is not None:
        return account.get_username(), account.pk
    return ("", None) if request is not None else (_system_user(), None)


def _system_user() -> str:
    """The name of the system's user; empty if it has none, as in some containers."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
