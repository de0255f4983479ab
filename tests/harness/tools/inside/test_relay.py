"""The address of the relay inside the container, with misbehaving clients."""

from __future__ import annotations

import base64
import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

import pytest

from harness.tools.inside.relay import MAX_CONNECTIONS, Address, Exchange, Wire


class Inside:
    """The address, and a server outside that responds to every request with its path."""

    def __init__(self, **settings: float) -> None:
        self._lines, out = os.pipe()
        self._exchange = Exchange(Wire(out))
        self.address = Address(self._exchange, **settings)
        self.place = ("127.0.0.1", int(self.address.server_address[1]))
        threading.Thread(target=self.address.serve_forever, args=(0.01,), daemon=True).start()
        threading.Thread(target=self._respond, daemon=True).start()

    def _respond(self) -> None:
        with os.fdopen(self._lines) as lines:
            for line in lines:
                sent = json.loads(line)
                body = base64.b64encode(sent["path"].encode()).decode()
                self._exchange.deliver(
                    {"answer": sent["request"], "status": 200, "type": "text/plain", "body": body}
                )

    def get(self, path: str) -> tuple[int, bytes]:
        """(status, body) over a connection of its own."""
        with closing(HTTPConnection(*self.place, timeout=10)) as connection:
            return request(connection, path)

    def close(self) -> None:
        self.address.shutdown()
        self.address.server_close()

    def connect(self) -> socket.socket:
        return socket.create_connection(self.place, timeout=10)


@pytest.fixture
def inside() -> Iterator[Inside]:
    made = Inside()
    yield made
    made.close()


def request(
    connection: HTTPConnection, path: str, method: str = "POST", body: bytes | None = b"{}"
) -> tuple[int, Any]:
    connection.request(method, path, body)
    response = connection.getresponse()
    return response.status, response.read()


def test_one_connection_carries_many_requests_and_a_head_response_has_no_body(inside: Inside) -> None:
    connection = HTTPConnection(*inside.place, timeout=10)
    assert request(connection, "/a") == (200, b"/a")
    assert request(connection, "/", "HEAD", None) == (200, b"")
    assert request(connection, "/b") == (200, b"/b")
    connection.close()


def test_connections_above_the_limit_are_closed_and_the_others_go_on(inside: Inside) -> None:
    many = [inside.connect() for _ in range(4 * MAX_CONNECTIONS)]
    closed = 0
    for one in many[MAX_CONNECTIONS:]:
        try:
            closed += one.recv(1) == b""
        except ConnectionResetError:
            closed += 1
    assert closed == 3 * MAX_CONNECTIONS
    for one in many:
        one.close()
    for _ in range(100):
        try:
            assert inside.get("/after") == (200, b"/after")
            return
        except OSError:
            continue
    pytest.fail("no room was given back")


def test_a_client_that_stops_within_its_body_is_disconnected() -> None:
    inside = Inside(silent_seconds=0.2)
    with inside.connect() as slow:
        slow.sendall(b"POST /slow HTTP/1.1\r\nContent-Length: 10\r\n\r\nhalf")
        assert slow.recv(1) == b""
    assert inside.get("/after") == (200, b"/after")
    inside.close()


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"Content-Length: -1", 411),
        (b"Content-Length: ten", 411),
        (b"Transfer-Encoding: chunked", 411),
        (b"Content-Length: 99999999999999999999", 413),
    ],
)
def test_an_invalid_length_is_refused_in_both_error_formats(inside: Inside, head: bytes, status: int) -> None:
    with inside.connect() as client:
        client.sendall(b"POST /v1/messages HTTP/1.1\r\n" + head + b"\r\n\r\n")
        client.shutdown(socket.SHUT_WR)
        with client.makefile("rb") as response:
            line, _, body = response.read().partition(b"\r\n")
    error = json.loads(body.partition(b"\r\n\r\n")[2])
    assert line.split()[1] == str(status).encode()
    assert (error["type"], error["error"]["type"]) == ("error", "invalid_request_error")
