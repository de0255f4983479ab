"""Buffers what a client does not take of a response at once, so that no thread waits for the client."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable

from benchbench.serving.spool import Spool

MAX_WAITING = 64 * 1024 * 1024  # bytes of one response; beyond them its thread waits
SEND_BYTES = 256 * 1024
WRITE_SECONDS = 30.0  # and one second more for each MIN_RATE bytes
MIN_RATE = 4096  # bytes a second
HELD_RATE = 64 * 1024  # bytes a second, while the thread waits


class ResponseBuffer:
    """What gunicorn writes responses to, in place of the socket, which must not block.

    `watch` is called, in the writing thread, when the buffer is no longer empty. From then on, the owner calls `flush`
    whenever the socket can send.
    """

    def __init__(self, plain: socket.socket, directory: str, watch: Callable[[], None]) -> None:
        self._socket, self._watch = plain, watch
        self._spool = Spool(directory)
        self._changed = threading.Condition()
        self._cut = self._holds_thread = False
        self._began = 0.0
        self._sent = 0

    @property
    def waiting(self) -> int:
        """The number of bytes that the client has not taken yet."""
        return len(self._spool)

    @property
    def waited(self) -> float:
        """For how many seconds bytes have been waiting."""
        return time.monotonic() - self._began if self.waiting else 0.0

    @property
    def deadline(self) -> float:
        """When a client that is too slow is cut off, by the monotonic clock."""
        rate = HELD_RATE if self._holds_thread else MIN_RATE
        return self._began + WRITE_SECONDS + self._sent / rate

    def sendall(self, data: bytes) -> None:
        """Sends or buffers the bytes. Waits only if more than MAX_WAITING are buffered. Raises OSError after `cut`."""
        with self._changed:
            self._check()
            sent = 0 if self.waiting else self._send(data)
            if sent == len(data):
                return
            begins = not self.waiting
            self._spool.put(memoryview(data)[sent:])
            if begins:
                self._began, self._sent = time.monotonic(), 0
                self._watch()
            if self.waiting > MAX_WAITING:
                # Until the buffer is empty: only then is its file truncated.
                self._holds_thread = True
                self._changed.wait_for(lambda: self._cut or not self.waiting)
                self._holds_thread = False
                self._check()

    def flush(self) -> bool:
        """Sends what the socket takes. Returns whether the buffer is empty. Raises OSError if the client is gone."""
        with self._changed:
            if self.waiting:
                sent = self._send(self._spool.peek(SEND_BYTES))
                self._sent += sent
                self._spool.drop(sent)
                if not self.waiting:
                    self._changed.notify_all()
            return not self.waiting

    def cut(self) -> None:
        """Empties the buffer: all later calls of `sendall` fail."""
        with self._changed:
            self._cut = True
            self._spool.close()
            self._changed.notify_all()

    def send(self, data: bytes) -> int:
        """Sends nothing: when gunicorn wants to send "100 Continue", the body has arrived already."""
        return len(data)

    def gettimeout(self) -> float:
        """gunicorn asks before it writes an error."""
        return 0.0

    def shutdown(self, _how: int) -> None:
        """gunicorn ends a response that failed after its head."""
        self.cut()
        raise ConnectionAbortedError("the response was cut off")

    def close(self) -> None:
        """gunicorn calls this after `shutdown`."""

    def _check(self) -> None:
        if self._cut:
            raise ConnectionAbortedError("the client took too long or is gone")

    def _send(self, data: bytes) -> int:
        """How many bytes the socket took."""
        sent = 0
        try:
            while sent < len(data):
                sent += self._socket.send(memoryview(data)[sent : sent + SEND_BYTES])
        except BlockingIOError:
            pass
        return sent
