"""The request is known while it is answered, and forgotten afterwards."""

from __future__ import annotations

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from runs.access.audit.request_scope import RequestScope, current_request


def test_the_request_is_known_while_it_is_answered() -> None:
    seen: list[HttpRequest | None] = []

    def answer(request: HttpRequest) -> HttpResponse:
        seen.append(current_request())
        return HttpResponse()

    request = RequestFactory().get("/")
    RequestScope(answer)(request)
    assert seen == [request]
    assert current_request() is None


def test_it_is_forgotten_after_an_error() -> None:
    def fail(_request: HttpRequest) -> HttpResponse:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        RequestScope(fail)(RequestFactory().get("/"))
    assert current_request() is None
