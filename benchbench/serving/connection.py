"""One client's connection: its state, and how long it may stay in it."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING

from benchbench.serving import arrival
from benchbench.serving.arrival import READ_BYTES, Arrival
from benchbench.serving.response_buffer import ResponseBuffer
from runs.access.client_address import network_of

if TYPE_CHECKING:
    from gunicorn.config import Config

LINGER_SECONDS = 2.0


class State(Enum):
    """The state of a connection."""

    ARRIVING = "a request arrives, or nothing yet"
    HANDLED = "a thread handles the request"
    LEAVING = "the client takes the rest of the response"
    ENDING = "everything was sent; the client has to close"
    CLOSED = "closed"


class Connection:
    """A connection of the worker's event loop. Only the loop's thread changes it."""

    def __init__(
        self, config: Config, plain: socket.socket, client: tuple[str, int] | str, directory: str
    ) -> None:
        plain.setblocking(False)
        self._config, self._directory = config, directory
        self.plain, self.client = plain, client
        # Names that gunicorn uses.
        self.server = plain.getsockname()
        self.sock: ResponseBuffer
        self.address = network_of(client[0]) if isinstance(client, tuple) else ""
        self.keep_alive = True  # whether another request may follow
        self.arrive(arrival.HEAD_SECONDS)

    def open(self, watch: Callable[[], None]) -> None:
        """Creates its response buffer; `watch` is called when that is no longer empty."""
        self.sock = ResponseBuffer(self.plain, self._directory, watch)

    def arrive(self, patience: float) -> None:
        """Waits for a request, whose first byte must arrive within `patience` seconds."""
        self.enter(State.ARRIVING)
        self.arrival = Arrival(self._config, self.client, self._directory, patience)

    def enter(self, state: State) -> None:
        """Sets the state and its start."""
        self.state, self.since = state, time.monotonic()

    def receive(self) -> bytes | None:
        """The bytes that arrived, None if there are none. Raises OSError if the client is gone or has closed it."""
        try:
            data = self.plain.recv(READ_BYTES)
        except BlockingIOError:
            return None
        if not data:
            raise ConnectionResetError("the client closed the connection")
        return data

    def is_late(self, now: float) -> bool:
        """Whether the client has used up its time."""
        match self.state:
            case State.ARRIVING:
                return now > self.arrival.deadline
            case State.HANDLED | State.LEAVING:
                return bool(self.sock.waiting) and now > self.sock.deadline
            case State.ENDING:
                return now > self.since + LINGER_SECONDS
        return False

    def end(self) -> None:
        """Closes the connection for sending."""
        self.enter(State.ENDING)
        self.plain.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Frees everything. Not while a thread handles its request."""
        self.enter(State.CLOSED)
        self.arrival.close()
        self.sock.cut()
        with contextlib.suppress(OSError):
            self.plain.close()
