"""The rate limit: a bucket for each address, which refills evenly, and none without Redis."""

from __future__ import annotations

import time

import pytest
from django.contrib.auth.models import User
from django.test import Client, RequestFactory

from runs.api import rate_limiter
from runs.api.rate_limiter import RateDecision
from tests.conftest import RedisServer
from tests.runs.api.fetching import fetch


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


@pytest.mark.redis
def test_a_refused_request_costs_nothing_and_says_how_long_to_wait(limited: RedisServer) -> None:
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.1")

    decisions = [rate_limiter.take(request, cost) for cost in (290, 100, 100, 5)]

    assert [found and found.allowed for found in decisions] == [True, False, False, True]
    waits = [found.wait for found in decisions if found and not found.allowed]
    # 90 tokens at 5 a second take 18 s; the bucket refills meanwhile.
    assert all(10 <= wait <= 18 for wait in waits)


@pytest.mark.redis
def test_a_request_that_costs_more_than_a_minute_takes_the_whole_minute(limited: RedisServer) -> None:
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.1")

    first, second = rate_limiter.take(request, 1000), rate_limiter.take(request, 1000)

    assert first == RateDecision(allowed=True, most=300, left=0, wait=0)
    assert second is not None
    assert not second.allowed


@pytest.mark.redis
def test_addresses_of_one_ipv6_network_share_a_bucket(limited: RedisServer) -> None:
    addresses = ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8::4", "2001:db8:0:1::1"]

    found = [fetch(cost=100, address=address).status_code for address in addresses]

    assert found == [200, 200, 200, 429, 200]


def test_the_decision_is_in_the_headers() -> None:
    allowed = RateDecision(allowed=True, most=300, left=200, wait=0)
    refused = RateDecision(allowed=False, most=300, left=7, wait=19)
    soon = RateDecision(allowed=False, most=300, left=99, wait=0)

    assert allowed.headers() == {
        "RateLimit-Policy": '"address";q=300;w=60',
        "RateLimit": '"address";r=200;t=0',
    }
    assert refused.headers() == {
        "RateLimit-Policy": '"address";q=300;w=60',
        "RateLimit": '"address";r=7;t=19',
        "Retry-After": "19",
    }
    assert soon.headers()["Retry-After"] == "1"
