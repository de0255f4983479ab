"""The current request, for the audit log."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase

_current: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


class RequestScope:
    """Middleware that makes the request available to the audit log while it is handled."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answers the request."""
        token = _current.set(request)
        try:
            return self._get_response(request)
        finally:
            _current.reset(token)


def current_request() -> HttpRequest | None:
    """The request that this thread handles; None in a command or a worker."""
    return _current.get()
