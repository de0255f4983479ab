"""How long a client may stay where it is."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from gunicorn.config import Config

from benchbench.serving.connection import Connection, State


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.create_connection(listener.getsockname()):
        connection = Connection(Config(), *listener.accept(), str(tmp_path))
        connection.open(lambda: None)
        yield connection
        connection.close()


def test_a_new_connection_has_ten_seconds(connection: Connection) -> None:
    now = time.monotonic()

    assert connection.address == "127.0.0.1"
    assert [connection.is_late(now + seconds) for seconds in (9, 11)] == [False, True]


def test_only_a_waiting_response_makes_a_client_late(connection: Connection) -> None:
    connection.enter(State.HANDLED)
    assert not connection.is_late(time.monotonic() + 10_000)

    connection.sock.sendall(b"x" * 10_000_000)
    now = time.monotonic()
    assert [connection.is_late(now + seconds) for seconds in (29, 31)] == [False, True]
    connection.enter(State.LEAVING)
    assert connection.is_late(now + 31)


def test_a_client_has_two_seconds_to_close(connection: Connection) -> None:
    connection.end()
    now = time.monotonic()

    assert connection.state is State.ENDING
    assert [connection.is_late(now + seconds) for seconds in (1, 3)] == [False, True]


def test_a_client_that_closed_is_gone(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname())
        connection = Connection(Config(), *listener.accept(), str(tmp_path))
        connection.open(lambda: None)
        assert connection.receive() is None
        client.close()
        time.sleep(0.05)
        with pytest.raises(ConnectionResetError):
            connection.receive()
        connection.close()
