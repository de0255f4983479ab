"""What django-axes asks of the site: who is guessing, and what a person who is locked out sees.

django-axes counts failed logins by account and by address, and locks both. Each failure keeps the count for the time of
a lock. While something is locked, guesses change nothing, so the lock ends in time and the table does not grow.
"""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from runs.client_address import UNKNOWN, address_of

LONGEST_NAME = User._meta.get_field("username").max_length or 150


def client_address(request: HttpRequest) -> str | None:
    """The address that failures count for; None if it is unknown. A /64 network is its first address."""
    found = address_of(request)
    return None if found == UNKNOWN else found.partition("/")[0]


def client_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """The account that failures count for. Longer names than an account may have are cut: a column holds them."""
    given = credentials.get("username") if credentials else request.POST.get("username")
    return str(given or "")[:LONGEST_NAME]


def locked_out(request: HttpRequest, _response: HttpResponse, credentials: dict[str, Any]) -> HttpResponse:
    """The page that says how long to wait, with status 429."""
    seconds = max(1, math.ceil((lock_ends(request, credentials) - timezone.now()).total_seconds()))
    context = {"minutes": math.ceil(seconds / 60), "limit": settings.AXES_FAILURE_LIMIT}
    response = render(request, "locked_out.html", context, status=429)
    response.headers["Retry-After"] = str(seconds)
    return response


def lock_ends(request: HttpRequest, credentials: dict[str, Any]) -> datetime:
    """When so many of the counted failures are too old that a login is possible."""
    ends = timezone.now()
    for attempts in AxesDatabaseHandler().get_user_attempts(request, credentials):
        rows = list(attempts.order_by("attempt_time").values_list("attempt_time", "failures_since_start"))
        left = sum(failures for _, failures in rows)
        for attempt_time, failures in rows:
            if left < settings.AXES_FAILURE_LIMIT:
                break
            left -= failures
            ends = max(ends, attempt_time + settings.AXES_COOLOFF_TIME)
    return ends
