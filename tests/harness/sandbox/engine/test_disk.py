"""A container that writes too much is stopped, once, and says why."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from harness.errors import InfrastructureError
from harness.sandbox.engine import disk
from harness.sandbox.engine.disk import DiskWatch
from harness.sandbox.engine.engine_watch import EngineWatch

MB = 1 << 20


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "PAUSE_SECONDS", 0.01)


class Written:
    """Sizes in bytes, one for each measurement; the last one stays. An error among them is raised."""

    def __init__(self, *sizes: int | Exception) -> None:
        self._sizes = list(sizes)
        self.measured = 0
        self.all = threading.Event()

    def __call__(self) -> int:
        size = self._sizes[min(self.measured, len(self._sizes) - 1)]
        self.measured += 1
        if self.measured > len(self._sizes):
            self.all.set()
        if isinstance(size, Exception):
            raise size
        return size


@contextmanager
def running(watch: DiskWatch) -> Iterator[None]:
    watch.begin()
    try:
        yield
    finally:
        watch.end()


def stopping(calls: list[str], stopped: threading.Event) -> Callable[[], None]:
    def stop() -> None:
        calls.append("stop")
        stopped.set()

    return stop


def test_more_than_the_limit_stops_it_once_and_leaves() -> None:
    calls: list[str] = []
    left = threading.Event()

    def leave() -> None:
        calls.append("leave")
        left.set()

    written = Written(5 * MB, 11 * MB)
    watch = DiskWatch(measure=written, stop=stopping(calls, threading.Event()), most_mb=10, leave=leave)
    with running(watch):
        assert left.wait(10)
    assert calls == ["stop", "leave"]
    assert watch.excess == "11 MB were written to disk, more than the 10 MB that a run may write"
    assert written.measured == 2


def test_exactly_the_limit_may_be_written() -> None:
    calls: list[str] = []
    written = Written(10 * MB)
    watch = DiskWatch(measure=written, stop=stopping(calls, threading.Event()), most_mb=10)
    with running(watch):
        assert written.all.wait(10)
    assert (calls, watch.excess) == ([], "")


def test_a_measurement_that_fails_is_made_again() -> None:
    stopped = threading.Event()
    written = Written(InfrastructureError("the engine is busy"), 11 * MB)
    with running(DiskWatch(measure=written, stop=stopping([], stopped), most_mb=10)):
        assert stopped.wait(10)


def test_a_stop_that_fails_is_tried_again() -> None:
    tries: list[int] = []
    stopped = threading.Event()

    def stop() -> None:
        tries.append(1)
        if len(tries) == 1:
            raise InfrastructureError("the engine is busy")
        stopped.set()

    with running(DiskWatch(measure=Written(11 * MB), stop=stop, most_mb=10)):
        assert stopped.wait(10)


def test_a_short_run_is_never_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "PAUSE_SECONDS", 60.0)
    written = Written(11 * MB)
    watch = DiskWatch(measure=written, stop=lambda: None, most_mb=10)
    with running(watch):
        pass
    assert (written.measured, watch.excess) == (0, "")


def test_a_watch_that_never_began_can_end() -> None:
    DiskWatch(measure=Written(0), stop=lambda: None, most_mb=10).end()


def test_the_engine_is_checked_meanwhile() -> None:
    pinged = threading.Event()
    watch = DiskWatch(measure=Written(0), stop=lambda: None, most_mb=10, engine_watch=EngineWatch(pinged.set))
    with running(watch):
        assert pinged.wait(10)
