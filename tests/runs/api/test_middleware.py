"""Requests for data: methods, CORS, the rate limit, ETags and problem documents."""

from __future__ import annotations

import pytest
from django.core.signals import got_request_exception
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from runs.api.middleware import data_endpoint
from tests.conftest import RedisServer
from tests.runs.api.fetching import fetch, hello

ADDRESS = "/exports/runs.jsonl?agent=nobody"


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
@pytest.mark.parametrize("address", [ADDRESS, "/api/v1/runs", "/feed.atom"])
def test_only_reading_methods_are_allowed(method: str, address: str) -> None:
    response = getattr(Client(enforce_csrf_checks=True), method)(address)

    assert response.status_code == 405
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.json()["title"] == "Method Not Allowed"


@pytest.mark.django_db
def test_other_origins_may_read(client: Client) -> None:
    preflight = client.options(ADDRESS, headers={"Origin": "https://elsewhere.example"})
    read = client.get("/runs/1/export.zip", headers={"Origin": "https://elsewhere.example"})

    assert preflight.status_code == 204
    assert preflight.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    for response in (preflight, read):
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in response.headers


@pytest.mark.redis
def test_too_many_requests_are_refused_with_a_waiting_time(limited: RedisServer) -> None:
    responses = [fetch(cost=100) for _ in range(4)]

    assert [response.status_code for response in responses] == [200, 200, 200, 429]
    assert responses[0].headers["RateLimit-Policy"] == '"address";q=300;w=60'
    assert responses[0].headers["RateLimit"] == '"address";r=200;t=0'
    assert "Retry-After" not in responses[0].headers
    assert 1 <= int(responses[3].headers["Retry-After"]) <= 20
    assert responses[3].headers["Content-Type"] == "application/problem+json"
    assert fetch(cost=100, address="192.0.2.7").status_code == 200


def test_a_known_response_is_not_sent_again() -> None:
    first = data_endpoint(hello)(RequestFactory().get("/"))
    again = data_endpoint(hello)(RequestFactory().get("/", headers={"If-None-Match": first.headers["ETag"]}))
    other = data_endpoint(hello)(RequestFactory().get("/", headers={"If-None-Match": '"older"'}))

    assert (first.status_code, again.status_code, other.status_code) == (200, 304, 200)
    assert again.headers["ETag"] == first.headers["ETag"]
    assert again.headers["Access-Control-Allow-Origin"] == "*"
    assert first.headers["Cache-Control"] == "no-cache"


def test_head_has_the_length_and_no_body() -> None:
    response = data_endpoint(hello)(RequestFactory().head("/"))

    assert isinstance(response, HttpResponse)
    assert (response.status_code, response.content, response.headers["Content-Length"]) == (200, b"", "5")


def test_an_unexpected_error_is_a_problem_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    reported: list[object] = []

    def failing(_request: HttpRequest) -> HttpResponse:
        raise RuntimeError("the roof is on fire")

    def hear(**more: object) -> None:
        reported.append(more["request"])

    got_request_exception.connect(hear)
    try:
        response = data_endpoint(failing)(RequestFactory().get("/x"))
    finally:
        got_request_exception.disconnect(hear)

    assert isinstance(response, HttpResponse)
    assert (response.status_code, len(reported)) == (500, 1)
    assert b"roof" not in response.content
    assert "the roof is on fire" in caplog.text
