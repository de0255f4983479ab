"""An engine that was silent is remembered, also when it answers again."""

from __future__ import annotations

import threading
import time

import pytest

from harness.errors import EngineUnavailable
from harness.sandbox.engine import engine_watch
from harness.sandbox.engine.engine_watch import Pulse


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_watch, "LONG_SECONDS", 0.2)


def test_an_engine_that_answers_or_refuses_at_once_is_not_silent() -> None:
    def refuse() -> None:
        raise EngineUnavailable("gone")

    began = time.monotonic()
    for ask in (lambda: None, refuse):
        felt = Pulse(ask)
        felt.check()
        assert felt.silence(began) == 0.0


def test_a_silence_is_known_while_it_lasts_and_afterwards_and_belongs_to_its_time() -> None:
    again = threading.Event()

    def ask() -> None:
        again.wait(10)

    felt = Pulse(ask)
    thread = threading.Thread(target=felt.check)
    began = time.monotonic()
    thread.start()
    time.sleep(0.3)
    assert 0.2 < felt.silence(began) < 5
    again.set()
    thread.join()
    assert 0.2 < felt.silence(began) < 5
    assert felt.silence(time.monotonic()) == 0.0
