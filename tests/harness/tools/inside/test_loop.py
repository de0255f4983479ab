"""The loop that reads what arrives on pipes."""

from __future__ import annotations

import os
import time

import pytest

from harness.tools.inside.loop import Loop


def test_everything_that_arrived_is_passed_on_to_who_watches_it() -> None:
    loop, heard = Loop(), list[tuple[str, bytes]]()
    ends = {}
    for name in ("a", "b"):
        reading, ends[name] = os.pipe()
        loop.watch(reading, lambda data, name=name: heard.append((name, data)))  # type: ignore[misc]
        os.write(ends[name], name.encode() * 2)
    loop.pump(5)
    assert sorted(heard) == [("a", b"aa"), ("b", b"bb")]
    for end in ends.values():
        os.close(end)
    loop.pump(5)
    assert sorted(heard[2:]) == [("a", b""), ("b", b"")]


def test_the_end_of_a_stream_is_reported_once_and_closes_it() -> None:
    loop, heard = Loop(), list[bytes]()
    reading, writing = os.pipe()
    loop.watch(reading, heard.append)
    os.write(writing, b"x")
    os.close(writing)
    for _ in range(4):
        loop.pump(5)
    assert heard == [b"x", b""]
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(reading)


def test_without_data_it_waits_as_long_as_it_may() -> None:
    loop, heard = Loop(), list[bytes]()
    reading, writing = os.pipe()
    loop.watch(reading, heard.append)
    started = time.monotonic()
    loop.pump(0.05)
    assert time.monotonic() - started >= 0.04
    assert heard == []
    os.close(writing)
    loop.pump(None)


def test_with_nothing_to_watch_it_does_not_wait_at_all() -> None:
    Loop().pump(None)
