"""A view that serves data, and requests for it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.test import RequestFactory

from runs.api.middleware import data_endpoint


def hello(_request: HttpRequest) -> HttpResponse:
    """A view."""
    return HttpResponse("hello")


def fetch(*, cost: int, address: str = "192.0.2.1") -> HttpResponseBase:
    """The response to a request from this address."""
    return data_endpoint(hello, cost=cost)(RequestFactory().get("/", REMOTE_ADDR=address))
