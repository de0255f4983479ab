"""Fixtures of the API tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from runs.api import rate_limiter
from tests.conftest import RedisServer
from tests.runs.api.world import World


@pytest.fixture(autouse=True)
def _fresh_limiter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test tries Redis, even if it was unavailable in the test before."""
    monkeypatch.setattr(rate_limiter, "_retry_at", 0.0)


@pytest.fixture
def connections_stay() -> Iterator[None]:
    """Between two requests the test's transaction has to stay open, as with Django's test client."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def limited(redis: RedisServer, settings: object) -> Iterator[RedisServer]:
    """A site on which an address has 300 requests a minute: three exports at once, then one in 20 s."""
    settings.API_REQUESTS = 300  # type: ignore[attr-defined]
    yield redis
    if redis._process is None:
        redis.start()
