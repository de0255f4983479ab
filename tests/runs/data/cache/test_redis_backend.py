"""The Redis backend of the results cache."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from django.core.cache import caches
from redis import TimeoutError

from runs.data.cache import redis_backend
from runs.data.cache.store import STORE
from tests.conftest import RedisServer

pytestmark = pytest.mark.redis


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pause remains from another test."""
    monkeypatch.setattr(redis_backend, "_paused_until", 0.0)


def test_a_value_is_stored_replaced_and_deleted(redis: RedisServer) -> None:
    cache = caches[STORE]
    assert cache.get("tide", "none") == "none"
    cache.set("tide", {"high": 5}, 60)
    assert cache.get("tide") == {"high": 5}
    assert cache.add("tide", "low", 60) is False
    assert cache.delete("tide") is True
    assert cache.delete("tide") is False
    assert cache.add("tide", "low", 60) is True
    assert cache.get("tide") == "low"


def test_a_value_expires(redis: RedisServer) -> None:
    caches[STORE].set("tide", "high", 1)
    time.sleep(1.1)
    assert caches[STORE].get("tide") is None


def test_threads_share_one_client(redis: RedisServer) -> None:
    clients: list[Any] = [caches[STORE].client]  # type: ignore[attr-defined]
    thread = threading.Thread(target=lambda: clients.append(caches[STORE].client))  # type: ignore[attr-defined]
    thread.start()
    thread.join()
    assert clients[0] is clients[1]


def test_after_a_time_out_commands_fail_at_once_for_a_while(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_backend, "PAUSE_SECONDS", 3.0)
    caches[STORE].set("tide", "high", 60)
    with redis.hanging():
        waited = []
        for _ in range(3):
            began = time.monotonic()
            with pytest.raises(TimeoutError):
                caches[STORE].get("tide")
            waited.append(time.monotonic() - began > 1.5)
        assert waited == [True, False, False]
    time.sleep(3.1)
    assert caches[STORE].get("tide") == "high"
