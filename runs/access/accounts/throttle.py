"""Limits for failed logins: settings of django-axes that are code, and the page for a locked account.

Failed logins are counted for each address and for each account. The limit of an account is higher: guesses from one
address do not lock its owner out, and guesses from many addresses are limited, too. Each failure extends the count for
the time of a lock. During a lock, guesses change nothing, so it ends in time and the table does not grow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import wraps
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_login_failed
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from runs.access.client_address import UNKNOWN, address_of

View = Callable[..., HttpResponse]
MAX_NAME_LENGTH = User._meta.get_field("username").max_length or 150


def client_address(request: HttpRequest) -> str | None:
    """The address that failures count for; None if it is unknown. A /64 network is its first address."""
    address = address_of(request)
    return None if address == UNKNOWN else address.partition("/")[0]


def client_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """The account that failures count for. Longer names than an account may have are cut: a column holds them."""
    given = credentials.get("username") if credentials else request.POST.get("username")
    return str(given or "")[:MAX_NAME_LENGTH]


def locked_out(request: HttpRequest, _response: HttpResponse, credentials: dict[str, Any]) -> HttpResponse:
    """The page that says how long to wait, with status 429."""
    ends = LoginThrottle().lock_ends(request, credentials)
    seconds = max(1, math.ceil((ends - timezone.now()).total_seconds()))
    response = render(request, "locked_out.html", {"minutes": math.ceil(seconds / 60)}, status=429)
    response.headers["Retry-After"] = str(seconds)
    return response


def throttled(view: View) -> View:
    """The view that changes the own password, where wrong old passwords count and lock like failed logins.

    Otherwise anyone at an open session could try passwords there without a limit.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *arguments: Any, **names: Any) -> HttpResponse:
        if request.method == "POST" and request.user.is_authenticated:
            credentials = {"username": request.user.get_username()}
            if not AxesProxyHandler.is_allowed(request, credentials):
                return locked_out(request, HttpResponse(), credentials)
            if not request.user.check_password(request.POST.get("old_password", "")):
                user_login_failed.send(sender=__name__, credentials=credentials, request=request)
        return view(request, *arguments, **names)

    return guarded


class LoginThrottle(AxesDatabaseHandler):  # type: ignore[misc]  # untyped
    """The counts of django-axes, with a limit for each address and a higher one for each account."""

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """AXES_FAILURE_LIMIT if the address or the account is locked, otherwise 0. django-axes compares the two."""
        locked = any(
            sum(rows.values_list("failures_since_start", flat=True)) >= limit
            for rows, limit in self._counted(request, credentials)
        )
        return settings.AXES_FAILURE_LIMIT if locked else 0

    def lock_ends(self, request: HttpRequest, credentials: dict[str, Any]) -> datetime:
        """When so many of the counted failures are too old that a login is possible."""
        ends = timezone.now()
        for attempts, limit in self._counted(request, credentials):
            rows = list(attempts.order_by("attempt_time").values_list("attempt_time", "failures_since_start"))
            left = sum(failures for _, failures in rows)
            for attempt_time, failures in rows:
                if left < limit:
                    break
                left -= failures
                ends = max(ends, attempt_time + settings.AXES_COOLOFF_TIME)
        return ends

    def _counted(
        self, request: HttpRequest, credentials: dict[str, Any] | None
    ) -> Iterator[tuple[QuerySet[AccessAttempt], int]]:
        """The failures of the address and of the account that are not too old, each with its limit."""
        limits = (settings.AXES_FAILURE_LIMIT, settings.LOGIN_FAILURES_PER_ACCOUNT)
        return zip(self.get_user_attempts(request, credentials), limits, strict=True)
