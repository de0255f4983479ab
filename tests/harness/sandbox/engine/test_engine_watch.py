"""Silences of the engine are recorded, also after it responds again."""

from __future__ import annotations

import threading
import time

import pytest

from harness.errors import EngineUnavailable
from harness.sandbox.engine import engine_watch
from harness.sandbox.engine.engine_watch import EngineWatch


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_watch, "LONG_SECONDS", 0.2)


def test_quick_response_or_error_is_no_silence() -> None:
    def refuse() -> None:
        raise EngineUnavailable("gone")

    began = time.monotonic()
    for ping in (lambda: None, refuse):
        watch = EngineWatch(ping)
        watch.check()
        assert watch.silence(began) == 0.0


def test_silence_is_reported_during_and_after_it_for_its_time() -> None:
    again = threading.Event()

    def ping() -> None:
        again.wait(10)

    watch = EngineWatch(ping)
    thread = threading.Thread(target=watch.check)
    began = time.monotonic()
    thread.start()
    time.sleep(0.3)
    assert 0.2 < watch.silence(began) < 5
    again.set()
    thread.join()
    assert 0.2 < watch.silence(began) < 5
    assert watch.silence(time.monotonic()) == 0.0
