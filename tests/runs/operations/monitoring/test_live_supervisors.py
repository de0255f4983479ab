"""Supervisors of people's sessions announce themselves."""

from __future__ import annotations

import socket
import time

import pytest

from runs.operations.monitoring.live_supervisors import (
    ALIVE_SECONDS,
    SessionPlaces,
    session_places,
    store_places,
)
from tests.conftest import RedisServer

pytestmark = pytest.mark.redis


def test_places_of_all_hosts_are_added(redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert session_places() is None
    store_places(SessionPlaces(1, 3))
    monkeypatch.setattr(socket, "gethostname", lambda: "another-host")
    store_places(SessionPlaces(4, 4))
    found = session_places()
    assert found == SessionPlaces(5, 7)
    assert found.left == 2


def test_a_supervisor_that_is_silent_for_long_does_not_count(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_places(SessionPlaces(1, 3))
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + ALIVE_SECONDS - 1)
    assert session_places() == SessionPlaces(1, 3)
    monkeypatch.setattr(time, "time", lambda: now + ALIVE_SECONDS)
    assert session_places() is None
