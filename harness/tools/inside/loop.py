"""A loop in one thread that waits for requests, for output of commands, and for their end."""

from __future__ import annotations

import os
import selectors
from typing import Callable

CHUNK = 256 * 1024


class Loop:
    """Calls back with what arrives on file descriptors, and with b"" once when a stream ends.

    `closed`: the caller sets it when the input has ended; waiting stops then.
    """

    def __init__(self) -> None:
        self.closed = False
        self._selector = selectors.DefaultSelector()

    def watch(self, fd: int, receive: Callable[[bytes], None]) -> None:
        """Starts to read `fd`, which the loop owns from now on."""
        self._selector.register(fd, selectors.EVENT_READ, receive)

    def pump(self, timeout: float | None) -> None:
        """Waits up to `timeout` seconds (None: no limit) for data, and calls back with all of it."""
        if not self._selector.get_map():
            return
        for key, _ in self._selector.select(timeout):
            data = os.read(key.fd, CHUNK)
            if not data:
                self._selector.unregister(key.fd)
                os.close(key.fd)
            key.data(data)
