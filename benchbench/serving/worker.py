"""gunicorn's threaded worker, with threads that never wait for a client.

The event loop collects each request, head and body, before it gives it to a thread. What a client does not take of the
response at once is buffered, and the loop sends it. So a slow client costs memory and a file, but no thread. The limits
of time, size and connections are in arrival.py, response_buffer.py and below.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from concurrent.futures import Future
from functools import partial
from http import HTTPStatus
from selectors import EVENT_READ, EVENT_WRITE
from socket import socket

from django.conf import settings
from gunicorn.http.errors import ParseException
from gunicorn.workers.gthread import ThreadWorker

from benchbench.serving.arrival import Refused
from benchbench.serving.connection import Connection, State

MAX_CONNECTIONS = 512
MAX_OF_ADDRESS = 256
MAX_WAITING = 1024 * 1024 * 1024  # bytes of all responses
CHECK_SECONDS = 1.0


class BufferingWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn is not followed by the type checker
    """`gunicorn --worker-class benchbench.serving.worker.BufferingWorker`."""

    def run(self) -> None:
        """The event loop; returns when the worker has to end."""
        self.connections: set[Connection] = set()
        self.poller.register(self.method_queue.fileno(), EVENT_READ, self.method_queue.run_callbacks)
        self.set_accept_enabled(True)
        while self.alive and self.is_parent_alive():
            self._turn()
        self.set_accept_enabled(False)
        end = time.monotonic() + self.cfg.graceful_timeout
        while self._busy() and time.monotonic() < end:
            self._turn(0.2)
        self.tpool.shutdown(wait=False, cancel_futures=True)
        for connection in list(self.connections):
            connection.sock.cut()
        self.poller.close()
        self.method_queue.close()
        for listener in self.sockets:
            listener.close()

    def accept(self, listener: socket) -> None:
        """Takes one new connection."""
        try:
            plain, client = listener.accept()
        except BlockingIOError:
            return  # another worker has it
        except OSError as error:
            self.log.warning("a connection was not accepted: %s", error)
            self._close_oldest(self.connections)
            return
        try:
            connection = Connection(self.cfg, plain, client, str(settings.DATA))
        except OSError:  # it is closed already
            plain.close()
            return
        connection.open(partial(self.method_queue.defer, self._watch, connection))
        self._make_room(connection.address)
        self.connections.add(connection)
        self._watch(connection)

    def handle(self, connection: Connection) -> bool:
        """Handles a complete request, in a thread. Returns whether the connection stays open."""
        request = connection.arrival.request
        try:
            return bool(self.handle_request(request, connection))
        except StopIteration:  # it failed after its head was sent, and was logged
            return False
        except OSError as error:
            self.log.debug("The client is gone: %s", error)
        except Exception as error:
            self.handle_error(request, connection.sock, connection.client, error)
        return False

    def finish_request(self, connection: Connection, done: Future[bool]) -> None:
        """Sends the rest of the response after a thread has handled the request. Then the next request may arrive."""
        connection.keep_alive = not done.cancelled() and done.exception() is None and done.result()
        self._leave(connection)

    def _turn(self, seconds: float = CHECK_SECONDS) -> None:
        self.notify()
        self.wait_for_and_dispatch_events(timeout=seconds)
        now = time.monotonic()
        for connection in [each for each in self.connections if each.is_late(now)]:
            self._end_late(connection)
        if sum(each.sock.waiting for each in self.connections) > MAX_WAITING:
            self._cut(max(self.connections, key=lambda each: each.sock.waited))

    def _busy(self) -> bool:
        """Whether a request is handled or a response is sent."""
        return any(each.state in (State.HANDLED, State.LEAVING) for each in self.connections)

    def _watch(self, connection: Connection) -> None:
        """Registers the connection for the events that its state needs."""
        if connection.state is State.CLOSED:
            return
        receives = connection.state in (State.ARRIVING, State.ENDING)
        wanted = EVENT_READ if receives else EVENT_WRITE if connection.sock.waiting else 0
        known = self.poller.get_map().get(connection.plain)
        if known and known.events == wanted:
            return
        if known:
            self.poller.unregister(connection.plain)
        if wanted:
            self.poller.register(connection.plain, wanted, partial(self._ready, connection))

    def _ready(self, connection: Connection, _socket: object) -> None:
        try:
            match connection.state:
                case State.ARRIVING:
                    self._receive(connection)
                case State.HANDLED:
                    connection.sock.flush()
                    self._watch(connection)
                case State.LEAVING:
                    self._leave(connection)
                case State.ENDING:
                    connection.receive()
        except OSError:
            self._cut(connection)

    def _receive(self, connection: Connection) -> None:
        data = connection.receive()
        if data is not None:
            self._take(connection, data)

    def _take(self, connection: Connection, data: bytes) -> None:
        """Adds to the request; a complete one goes to a thread."""
        arrival = connection.arrival
        try:
            arrival.add(data)
        except Refused as error:
            self._refuse(connection, error.status, str(error))
        except ParseException as error:
            self.handle_error(None, connection.sock, connection.client, error)
            connection.keep_alive = False
            self._leave(connection)
        else:
            if arrival.complete:
                connection.enter(State.HANDLED)
                self._watch(connection)
                self.enqueue_req(connection)
            elif arrival.asks_to_continue():
                connection.sock.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")

    def _leave(self, connection: Connection) -> None:
        """Sends the rest of the response. Then the next request may arrive, or the connection ends."""
        try:
            connection.enter(State.LEAVING)
            if connection.sock.flush():
                if connection.keep_alive and self.alive:
                    rest = connection.arrival.rest
                    connection.arrival.close()
                    connection.arrive(self.cfg.keepalive)
                    if rest:
                        self._take(connection, rest)
                else:
                    connection.end()
            self._watch(connection)
        except OSError:
            self._close(connection)

    def _refuse(self, connection: Connection, status: HTTPStatus, reason: str) -> None:
        text = f"{status.phrase}: {reason}.\n".encode()
        head = f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: text/plain\r\nConnection: close\r\n"
        connection.keep_alive = False
        connection.sock.sendall(head.encode() + b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self._leave(connection)

    def _end_late(self, connection: Connection) -> None:
        if connection.state is State.ARRIVING and connection.arrival.begun:
            with contextlib.suppress(OSError):
                self._refuse(connection, HTTPStatus.REQUEST_TIMEOUT, "the request took too long to arrive")
        else:
            self._cut(connection)

    def _make_room(self, address: str) -> None:
        """Closes the oldest connection if there are too many of this address or in total."""
        counts = Counter(each.address for each in self.connections)
        if not settings.PROXIES and counts[address] >= MAX_OF_ADDRESS:
            self._close_oldest({each for each in self.connections if each.address == address})
        elif len(self.connections) >= MAX_CONNECTIONS:
            ((most, _),) = counts.most_common(1)
            self._close_oldest({each for each in self.connections if each.address == most})

    def _close_oldest(self, among: set[Connection]) -> None:
        """Closes the connection with the oldest state, of those that no thread handles."""
        idle = [each for each in among if each.state is not State.HANDLED]
        if idle:
            self._close(min(idle, key=lambda each: each.since))

    def _cut(self, connection: Connection) -> None:
        """Ends a connection. A thread that still handles its request fails when it writes."""
        if connection.state is State.HANDLED:
            connection.sock.cut()
            self._watch(connection)
        else:
            self._close(connection)

    def _close(self, connection: Connection) -> None:
        if self.poller.get_map().get(connection.plain):
            self.poller.unregister(connection.plain)
        connection.close()
        self.connections.discard(connection)
