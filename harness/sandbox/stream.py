"""A container's standard streams over one attached connection: frames, lines, bounded output."""

from __future__ import annotations

import socket
import time
from collections import deque
from contextlib import suppress
from typing import Any, Protocol, Self

from docker import APIClient

from harness.background import POLL_SECONDS
from harness.sandbox.base import Interrupt, never
from harness.sandbox.engine.client import engine_errors
from harness.sandbox.waiting import Throttled

STDOUT = 1
STDERR = 2
_HEADER = 8
_CHUNK = 1 << 18


class StreamEnded(Exception):
    """The other side closed the connection, or it broke."""


class StreamSilent(Exception):
    """No output before the deadline."""


class LineTooLong(Exception):
    """A line was longer than the limit."""


class Stream(Protocol):
    """The standard streams of a process. Deadlines are in `time.monotonic` seconds; after one: StreamSilent."""

    def send(self, data: bytes, *, deadline: float) -> None:
        """Writes everything to its standard input. Raises StreamEnded when the other side is closed."""

    def frame(self, *, deadline: float) -> tuple[int, bytes]:
        """The next piece of output: which stream, and its bytes. Raises StreamEnded after the last."""

    def close(self) -> None:
        """Closes the connection."""


class AttachedStream:
    """One connection that the engine attached to standard streams. Deadlines are in `time.monotonic` seconds.

    `interrupt` is called every second while waiting for output.

    The engine sends frames: a byte that names the stream, three zero bytes, the length as four bytes, the payload.
    """

    @classmethod
    def to_container(cls, api: APIClient, container: str, interrupt: Interrupt = never) -> Self:
        """Attaches to the container's command. Attach BEFORE the container starts, so that no byte is missed."""
        with engine_errors("attaching to a container"):
            parameters = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            return cls(api.attach_socket(container, params=parameters), interrupt)

    @classmethod
    def to_program(cls, api: APIClient, program: str) -> Self:
        """Starts a prepared program in a running container and attaches to it."""
        with engine_errors("starting a program in a container"):
            return cls(api.exec_start(program, socket=True))

    def __init__(self, attached: Any, interrupt: Interrupt = never) -> None:
        self._attached = attached
        self._socket: socket.socket = getattr(attached, "_sock", attached)
        self._received = bytearray()
        self._interrupt = Throttled(interrupt)

    def send(self, data: bytes, *, deadline: float) -> None:
        """Writes everything to the container's standard input."""
        try:
            self._socket.settimeout(_until(deadline))
            self._socket.sendall(data)
        except TimeoutError:
            raise StreamSilent from None
        except OSError as error:
            raise StreamEnded(str(error)) from error

    def frame(self, *, deadline: float) -> tuple[int, bytes]:
        """The next piece of output: which stream, and its bytes. Raises StreamEnded after the last."""
        self._fill(_HEADER, deadline)
        stream, size = self._received[0], int.from_bytes(self._received[4:_HEADER], "big")
        self._fill(_HEADER + size, deadline)
        payload = bytes(self._received[_HEADER : _HEADER + size])
        del self._received[: _HEADER + size]
        return stream, payload

    def close(self) -> None:
        """Closes the connection. The container receives end of input."""
        with suppress(OSError):  # the other side has closed it already
            self._socket.shutdown(socket.SHUT_WR)
        response = getattr(self._attached, "_response", None)
        if response is not None:
            response.close()
        self._attached.close()
        self._socket.close()

    def _fill(self, size: int, deadline: float) -> None:
        while len(self._received) < size:
            self._interrupt()  # also if output never pauses, so that a flooding command can be aborted
            try:
                self._socket.settimeout(min(_until(deadline), POLL_SECONDS))
                data = self._socket.recv(_CHUNK)
            except TimeoutError:
                if time.monotonic() < deadline:
                    continue
                raise StreamSilent from None
            except OSError as error:
                raise StreamEnded(str(error)) from error
            if not data:
                raise StreamEnded
            self._received += data


class LineReader:
    """Standard output line by line; the end of standard error is stored."""

    def __init__(self, stream: Stream, *, longest: int) -> None:
        self._stream = stream
        self._longest = longest
        self._lines: deque[bytes] = deque()
        self._partial: list[bytes] = []
        self._stderr = b""

    @property
    def stderr(self) -> str:
        """The end of standard error."""
        return self._stderr.decode("utf-8", "replace").strip()

    def line(self, *, deadline: float) -> bytes:
        """The next line without its newline."""
        while not self._lines:
            source, data = self._stream.frame(deadline=deadline)
            if source == STDERR:
                self._stderr = (self._stderr + data)[-4000:]
            else:
                self._add(data)
        return self._lines.popleft()

    def _add(self, data: bytes) -> None:
        head, *rest = data.split(b"\n")
        self._partial.append(head)
        for part in rest:
            self._lines.append(b"".join(self._partial))
            self._partial = [part]
        if sum(map(len, self._partial)) > self._longest:
            raise LineTooLong


class BoundedOutput:
    """The first and the last bytes of an output of any length."""

    def __init__(self, limit: int) -> None:
        self._half = limit // 2
        self._head = b""
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._dropped = 0

    def add(self, data: bytes) -> None:
        """Adds the next piece."""
        room = self._half - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail.append(data)
            self._tail_size += len(data)
        while self._tail and self._tail_size - len(self._tail[0]) >= self._half:
            dropped = len(self._tail.popleft())
            self._tail_size -= dropped
            self._dropped += dropped

    def text(self) -> str:
        """The stored output, with a mark where bytes are missing. Invalid UTF-8 is replaced."""
        tail = b"".join(self._tail)
        dropped = self._dropped + max(0, len(tail) - self._half)
        tail = tail[-self._half :]
        gap = f"\n[{dropped} bytes left out]\n".encode() if dropped else b""
        return (self._head + gap + tail).decode("utf-8", "replace")


def _until(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
