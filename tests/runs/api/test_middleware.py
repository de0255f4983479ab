"""Requests for data: methods, CORS, the rate limit, ETags and problem documents."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.core.signals import got_request_exception
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory

from runs.api import rate_limiter
from runs.api.middleware import data_endpoint
from runs.api.rate_limiter import address_of
from tests.conftest import RedisServer

ADDRESS = "/exports/runs.jsonl?agent=nobody"


@pytest.fixture
def limited(redis: RedisServer, settings: object) -> Iterator[RedisServer]:
    """A site on which an address has 300 requests a minute: three exports at once, then one in 20 s."""
    settings.API_REQUESTS = 300  # type: ignore[attr-defined]
    yield redis
    if redis._process is None:
        redis.start()


def hello(_request: HttpRequest) -> HttpResponse:
    """A view."""
    return HttpResponse("hello")


def fetch(*, cost: int, address: str = "192.0.2.1") -> HttpResponseBase:
    """The response to a request from this address."""
    return data_endpoint(hello, cost=cost)(RequestFactory().get("/", REMOTE_ADDR=address))


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


@pytest.mark.redis
def test_a_bucket_refills_evenly(limited: RedisServer, settings: object) -> None:
    settings.API_REQUESTS = 12_000  # type: ignore[attr-defined]
    while fetch(cost=100).status_code == 200:
        pass
    time.sleep(0.6)  # 120 of 12,000 in a minute

    assert fetch(cost=100).status_code == 200


@pytest.mark.django_db
@pytest.mark.redis
def test_signed_in_users_are_not_limited(limited: RedisServer, client: Client) -> None:
    client.force_login(User.objects.create_user("reader"))

    responses = [client.get("/runs/1/export.zip") for _ in range(4)]

    assert {response.status_code for response in responses} == {404}
    assert "RateLimit" not in responses[0].headers


@pytest.mark.redis
def test_without_redis_there_is_no_limit(limited: RedisServer) -> None:
    limited.stop()

    responses = [fetch(cost=100) for _ in range(5)]

    assert {response.status_code for response in responses} == {200}
    assert "RateLimit" not in responses[0].headers


@pytest.mark.redis
def test_each_failure_of_redis_is_logged_once(
    limited: RedisServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(rate_limiter, "RETRY_SECONDS", 0.0)
    for _ in range(2):
        limited.stop()
        assert [fetch(cost=1).status_code for _ in range(2)] == [200, 200]
        limited.start()
        assert "RateLimit" in fetch(cost=1).headers

    assert caplog.text.count("there is no rate limit until it does") == 2


@pytest.mark.redis
def test_a_site_may_have_no_limit(limited: RedisServer, settings: object) -> None:
    settings.API_REQUESTS = 0  # type: ignore[attr-defined]

    assert {fetch(cost=100).status_code for _ in range(5)} == {200}


@pytest.mark.parametrize(
    ("remote", "forwarded", "proxies", "address"),
    [
        ("192.0.2.1", "", 0, "192.0.2.1"),
        ("192.0.2.1", "203.0.113.5", 0, "192.0.2.1"),  # anybody may send that header
        ("127.0.0.1", "203.0.113.5", 1, "203.0.113.5"),
        ("127.0.0.1", "198.51.100.1, 203.0.113.5", 1, "203.0.113.5"),
        ("127.0.0.1", "203.0.113.5, 10.0.0.2", 2, "203.0.113.5"),
        ("127.0.0.1", "203.0.113.5", 2, "127.0.0.1"),
        ("2001:db8::1:2:3:4", "", 0, "2001:db8::/64"),
        ("::ffff:192.0.2.1", "", 0, "192.0.2.1"),
        ("", "", 0, "unknown"),
        ("127.0.0.1", "nonsense", 1, "unknown"),
    ],
)
def test_the_bucket_belongs_to_the_client_address(
    remote: str, forwarded: str, proxies: int, address: str, settings: object
) -> None:
    settings.PROXIES = proxies  # type: ignore[attr-defined]
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}

    assert address_of(RequestFactory().get("/", headers=headers, REMOTE_ADDR=remote)) == address


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


@pytest.mark.django_db
def test_the_root_links_to_the_documentation(client: Client) -> None:
    leads = client.get("/api/v1/").json()

    assert set(leads) == {"openapi", "reference"}
    assert all(client.get(address).status_code == 200 for address in leads.values())
