"""Records logins and failures."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractBaseUser, User
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from runs.access.audit.audit_log import record
from runs.models import AuditEntry

Act = AuditEntry.Act


@receiver(user_logged_in)
def _record_login(request: HttpRequest, user: AbstractBaseUser, **_more: Any) -> None:
    record(Act.SIGNED_IN, user, account=user, request=request)


@receiver(user_logged_out)
def _record_logout(request: HttpRequest, user: AbstractBaseUser | None, **_more: Any) -> None:
    if user is not None:
        record(Act.SIGNED_OUT, user, account=user, request=request)


@receiver(user_login_failed)
def _record_failure(credentials: dict[str, Any], request: HttpRequest | None = None, **_more: Any) -> None:
    """Records guesses until the account or the address is locked out, and that it is; no guess after that.

    The log would otherwise grow with every guess. django-axes, whose receiver runs first, counts and locks.
    """
    locked = getattr(request, "axes_locked_out", False)
    if locked and getattr(request, "axes_failures_since_start", None) is None:
        return
    # A name that no account has may be a password in the wrong field.
    known = User.objects.filter(username=credentials.get("username") or "").first()
    act = Act.LOCKED_OUT if locked else Act.SIGN_IN_FAILED
    record(act, known, name="" if known else "unknown account", request=request)
