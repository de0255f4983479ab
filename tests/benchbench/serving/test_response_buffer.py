"""A response leaves as fast as its client takes it, and the thread that wrote it does not wait."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchbench.serving import response_buffer as module
from benchbench.serving.response_buffer import ResponseBuffer

MUCH = bytes(range(256)) * 40_000


class Client:
    """The other end, and how often the buffer called `watch`."""

    def __init__(self, directory: Path) -> None:
        ours, self.socket = socket.socketpair()
        ours.setblocking(False)
        self.ours = ours
        self.watched = 0
        self.buffer = ResponseBuffer(ours, str(directory), self._watch)

    def take(self, count: int) -> bytes:
        found = b""
        while len(found) < count:
            self.buffer.flush()
            found += self.socket.recv(count - len(found))
        return found

    def _watch(self) -> None:
        self.watched += 1


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    client = Client(tmp_path)
    yield client
    client.buffer.cut()
    client.ours.close()
    client.socket.close()


def test_what_a_client_takes_at_once_does_not_wait(client: Client) -> None:
    client.buffer.sendall(b"small")

    assert (client.buffer.waiting, client.watched) == (0, 0)
    assert client.socket.recv(100) == b"small"


def test_the_rest_waits_and_leaves_in_order(client: Client) -> None:
    client.buffer.sendall(MUCH)
    client.buffer.sendall(b"end")

    assert client.buffer.waiting > len(MUCH) / 2
    assert client.watched == 1
    assert client.take(len(MUCH) + 3) == MUCH + b"end"
    assert client.buffer.waiting == 0


def test_a_writer_waits_only_beyond_the_limit(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_WAITING", 1_000_000)
    writer = threading.Thread(target=client.buffer.sendall, args=(MUCH,))
    writer.start()
    writer.join(0.2)
    assert writer.is_alive()

    assert client.take(len(MUCH)) == MUCH
    writer.join(10)
    assert not writer.is_alive()


def test_a_cut_frees_the_writer(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_WAITING", 1_000_000)
    found: list[Exception] = []

    def write() -> None:
        try:
            client.buffer.sendall(MUCH)
        except OSError as error:
            found.append(error)

    writer = threading.Thread(target=write)
    writer.start()
    writer.join(0.1)
    client.buffer.cut()
    writer.join(10)

    assert [type(error) for error in found] == [ConnectionAbortedError]
    with pytest.raises(ConnectionAbortedError):
        client.buffer.sendall(b"more")


def test_a_client_gets_more_time_for_what_it_takes(client: Client) -> None:
    client.buffer.sendall(MUCH)
    assert client.buffer.deadline == pytest.approx(time.monotonic() + 30, abs=2)

    before = client.buffer.deadline
    client.take(4096 * 500)
    assert client.buffer.deadline - before > 100
