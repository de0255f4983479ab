"""A small application for tests of the worker: gunicorn tests.benchbench.serving.small_app:application."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from benchbench.serving import arrival, response_buffer

# Short, because a test waits for them.
arrival.HEAD_SECONDS = arrival.BODY_SECONDS = 1.0
response_buffer.WRITE_SECONDS = 2.0
# No time for what the kernel's buffer takes: that is a different number of bytes each time.
response_buffer.MIN_RATE = 1_000_000_000
response_buffer.MAX_WAITING = 8_000_000

Start = Callable[[str, list[tuple[str, str]]], Any]


def application(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
    """One page for each way in which a server may go wrong."""
    length = int(environ.get("QUERY_STRING") or 0)
    match environ["PATH_INFO"]:
        case "/body":
            return _whole(start, str(len(environ["wsgi.input"].read())).encode())
        case "/large":
            return _whole(start, b"x" * length)
        case "/pid":
            return _whole(start, str(os.getpid()).encode())
        case "/stream":
            start("200 OK", [("Content-Type", "text/event-stream")])
            return _stream()
        case "/export":
            start("200 OK", [("Content-Type", "text/plain")])
            return (b"x" * 100_000 for _ in range(length))
        case "/fail":
            raise ValueError("the page fails")
    time.sleep(length)
    return _whole(start, b"ok")


def _whole(start: Start, body: bytes) -> list[bytes]:
    start("200 OK", [("Content-Length", str(len(body)))])
    return [body]


def _stream() -> Iterator[bytes]:
    for number in range(3):
        yield f"data: {number}\n\n".encode()
        time.sleep(0.3)
