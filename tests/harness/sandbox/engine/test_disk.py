"""A container that writes too much is stopped, once, and says why."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from harness.errors import AgentError, InfrastructureError
from harness.limits import Ending, LimitReached
from harness.sandbox.engine import disk
from harness.sandbox.engine.disk import UNKNOWN, DiskWatch
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


def test_too_many_files_stop_it_with_an_ending_of_their_own() -> None:
    stopped = threading.Event()
    # The slower the measurement, the more files there may be: with a limit of one, it is always slow enough.
    watch = DiskWatch(
        measure=Written(0), stop=stopping([], stopped), most_mb=10, count=lambda: 1234, most_files=1
    )
    with running(watch):
        assert stopped.wait(10)
    assert isinstance(watch.error, LimitReached)
    assert watch.error.ending is Ending.FILE_LIMIT
    assert watch.excess == "1,234 files were written to disk, more than the 1 that a run may write"


def test_files_that_cannot_be_counted_stop_it_and_are_not_counted_again() -> None:
    counted: list[int] = []
    stopped = threading.Event()

    def count() -> int:
        counted.append(1)
        raise AgentError("too deep")

    def stop() -> None:
        if not stopped.is_set():
            stopped.set()
            raise AgentError("its processes did not end within 15 s")
        again.set()

    again = threading.Event()
    watch = DiskWatch(measure=Written(0), stop=stop, most_mb=10, count=count, most_files=1)
    with running(watch):
        assert again.wait(10)
    assert counted == [1]
    assert isinstance(watch.error, LimitReached)
    assert (watch.error.ending, watch.excess) == (Ending.FILE_LIMIT, "too deep")


def test_files_are_not_counted_after_a_quick_measurement() -> None:
    counted: list[int] = []
    written = Written(0)

    def count() -> int:
        counted.append(1)
        return 0

    most = 10**9
    with running(DiskWatch(measure=written, stop=lambda: None, most_mb=10, count=count, most_files=most)):
        assert written.all.wait(10)
    assert counted == []


def test_files_that_cannot_be_measured_three_times_in_a_row_stop_it() -> None:
    stopped = threading.Event()
    written = Written(UNKNOWN, UNKNOWN, 0, UNKNOWN, UNKNOWN, UNKNOWN)
    watch = DiskWatch(measure=written, stop=stopping([], stopped), most_mb=10)
    with running(watch):
        assert stopped.wait(10)
    assert written.measured == 6
    assert isinstance(watch.error, LimitReached)
    assert watch.excess == "what was written to disk cannot be measured: its paths are too long"


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


def test_a_container_at_rest_is_measured_no_more_while_its_engine_is_checked() -> None:
    pings: list[float] = []
    enough = threading.Event()

    def ping() -> None:
        pings.append(0.0)
        if len(pings) > 5:
            enough.set()

    written = Written(11 * MB)
    watch = DiskWatch(measure=written, stop=lambda: None, most_mb=10, engine_watch=EngineWatch(ping))
    watch.rest()
    with running(watch):
        assert enough.wait(10)
    assert (written.measured, watch.excess) == (0, "")
