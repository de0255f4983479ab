"""Values in Redis, and slots for those of arbitrary queries."""

from __future__ import annotations

import logging

import pytest
from redis import Redis

from runs.data.cache import store
from runs.data.cache.store import Slots, read, write
from tests.conftest import RedisServer

pytestmark = pytest.mark.redis


@pytest.fixture(autouse=True)
def no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    """No failure of Redis remains from another test."""
    monkeypatch.setattr(store, "_trouble", "")


def test_a_value_is_read_in_a_tuple(redis: RedisServer) -> None:
    assert read("tide") is None
    write("tide", None)
    assert read("tide") == (None,)


def test_without_redis_a_read_is_a_miss(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "runs.data.cache.store")
    write("tide", "high")
    assert read("tide") is None
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_a_slot_holds_one_value_of_one_query_and_version(redis: RedisServer) -> None:
    slots = Slots("tides", 1)
    slots.write("high", 5, "monday")
    assert slots.read("high", "monday") == (5,)
    assert slots.read("high", "tuesday") is None
    assert slots.read("low", "monday") is None
    slots.write("low", 1, "monday")
    assert slots.read("high", "monday") is None


def test_any_number_of_queries_takes_a_fixed_number_of_keys(redis: RedisServer) -> None:
    slots = Slots("tides", 3)
    for number in range(50):
        slots.write(str(number), number)
    with Redis.from_url(redis.url) as client:
        assert len(list(client.scan_iter("*tides/*"))) == 3


@pytest.mark.parametrize("other", [None, "value", (1, 2, 3), ("tag", "value")])
def test_a_slot_with_something_else_is_a_miss(redis: RedisServer, other: object) -> None:
    slots = Slots("tides", 1)
    write("tides/0", other)
    assert slots.read("high") is None
