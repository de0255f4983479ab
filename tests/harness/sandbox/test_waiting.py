"""An interrupt is called now and then, however often it is called for."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from harness.errors import RunCancelled
from harness.sandbox import waiting
from harness.sandbox.waiting import Throttled


class Clock:
    """A clock that a test moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(waiting, "time", SimpleNamespace(monotonic=lambda: self.now))


def test_it_is_called_at_most_once_a_second_and_not_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, called = Clock(monkeypatch), list[float]()
    throttled = Throttled(lambda: called.append(clock.now))
    for now in (100.0, 100.9, 101.0, 101.1, 101.9, 102.5, 103.4, 110.0, 110.0):
        clock.now = now
        throttled()
    assert called == [101.0, 102.5, 110.0]


def test_its_exception_is_passed_on_and_it_is_called_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def cancel() -> None:
        raise RunCancelled("stop")

    clock = Clock(monkeypatch)
    throttled = Throttled(cancel)
    for now in (101.0, 102.0):
        clock.now = now
        with pytest.raises(RunCancelled, match="stop"):
            throttled()
        throttled()
