"""Slow clients keep no thread busy. gunicorn with one process, two threads and a small application."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.browser.site import ROOT, free_port

WORKER = "benchbench.serving.worker.BufferingWorker"


class Server:
    """The server on a port of its own."""

    def __init__(self, directory: Path) -> None:
        self.port = free_port()
        self.log = directory / "log"
        command = [
            *(sys.executable, "-m", "gunicorn", "tests.benchbench.serving.small_app:application"),
            *("--bind", f"127.0.0.1:{self.port}", "--worker-class", WORKER, "--threads", "2"),
            *("--no-sendfile", "--no-control-socket", "--graceful-timeout", "5"),
        ]
        environment = {
            **os.environ,
            "BENCHBENCH_DATA": str(directory),
            "DJANGO_SETTINGS_MODULE": "benchbench.settings",
        }
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            with suppress(OSError):
                assert self.get("/") == (200, b"ok")
                return
            time.sleep(0.05)
        raise AssertionError(self.log.read_text())

    def connect(self, sent: bytes = b"", *, buffer: int = 0) -> socket.socket:
        """A connection over which this was sent."""
        plain = socket.socket()
        if buffer:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        plain.settimeout(10)
        plain.connect(("127.0.0.1", self.port))
        plain.sendall(sent)
        return plain

    def get(self, path: str) -> tuple[int, bytes]:
        """Status and body."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def memory(self) -> float:
        """Of the worker, in MB."""
        status = Path(f"/proc/{self.get('/pid')[1].decode()}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    server.process.terminate()
    assert server.process.wait(10) == 0


def everything(plain: socket.socket) -> bytes:
    """All that comes until the server closes."""
    found = b""
    while data := plain.recv(1_000_000):
        found += data
    return found


def test_half_sent_requests_keep_no_thread(server: Server) -> None:
    with ExitStack() as open_ones:
        for number in range(40):
            sent = (b"GET / HTTP/1.1\r\nHost: x", b"POST /body HTTP/1.1\r\nContent-Length: 9\r\n\r\na")[
                number % 2
            ]
            open_ones.enter_context(server.connect(sent))
        began = time.monotonic()
        assert server.get("/") == (200, b"ok")
        assert time.monotonic() - began < 5


def test_slow_readers_keep_no_thread(server: Server) -> None:
    with ExitStack() as open_ones:
        for _ in range(40):
            open_ones.enter_context(server.connect(b"GET /large?7000000 HTTP/1.1\r\n\r\n", buffer=2048))
        began = time.monotonic()
        assert server.get("/") == (200, b"ok")
        assert time.monotonic() - began < 5


def test_a_request_that_takes_too_long_to_arrive_ends(server: Server) -> None:
    body = b"POST /body HTTP/1.1\r\nContent-Length: 9\r\n\r\n"
    with ExitStack() as open_ones:
        late = [
            open_ones.enter_context(server.connect(sent)) for sent in (b"GET", b"GET / HTTP/1.1\r\n", body)
        ]
        silent = open_ones.enter_context(server.connect())
        for client in late:
            assert everything(client).startswith(b"HTTP/1.1 408 Request Timeout")
        assert everything(silent) == b""


def test_a_reader_that_takes_too_long_is_cut_off(server: Server) -> None:
    with server.connect(b"GET /large?7000000 HTTP/1.1\r\n\r\n", buffer=2048) as slow:
        time.sleep(3.5)
        found = 0
        with suppress(ConnectionResetError):
            while data := slow.recv(1_000_000):
                found += len(data)
    assert found < 7_000_000


def test_a_long_export_is_whole_and_stays_out_of_memory(server: Server) -> None:
    before = server.memory()
    with server.connect(b"GET /export?400 HTTP/1.0\r\n\r\n") as reader:
        time.sleep(0.5)
        assert server.memory() - before < 15
        assert everything(reader).count(b"xxxxx") == 8_000_000


def test_a_stream_comes_piece_by_piece(server: Server) -> None:
    with server.connect(b"GET /stream HTTP/1.1\r\nConnection: close\r\n\r\n") as reader:
        first = b""
        while b"data: 0" not in first:
            first += reader.recv(1000)
        assert b"data: 2" not in first
        assert b"data: 2" in everything(reader)


def test_a_connection_serves_several_requests(server: Server) -> None:
    two = (
        b"POST /body HTTP/1.1\r\nContent-Length: 5\r\n\r\nabcdeGET /?0 HTTP/1.1\r\nConnection: close\r\n\r\n"
    )
    with server.connect(two) as reader:
        found = everything(reader)
    assert found.count(b"HTTP/1.1 200 OK") == 2
    assert b"\r\n\r\n5HTTP/1.1" in found
    assert found.endswith(b"\r\n\r\nok")


def test_a_body_waits_for_the_permission_to_come(server: Server) -> None:
    head = b"POST /body HTTP/1.1\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 5\r\n\r\n"
    with server.connect(head) as client:
        assert client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b"abcde")
        found = everything(client)
        assert found.startswith(b"HTTP/1.1 200 OK")
        assert found.endswith(b"\r\n\r\n5")


def test_errors_are_answered_and_end_nothing_else(server: Server) -> None:
    with server.connect(b"NONSENSE\r\n\r\n") as client:
        assert everything(client).startswith(b"HTTP/1.1 400 Bad Request")
    with server.connect(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n") as client:
        assert everything(client).startswith(b"HTTP/1.1 411 Length Required")
    assert server.get("/fail")[0] == 500
    assert server.get("/") == (200, b"ok")


def test_a_new_connection_takes_the_place_of_the_oldest_of_its_address(server: Server) -> None:
    with ExitStack() as open_ones:
        first = open_ones.enter_context(server.connect(b"GET / H"))
        for _ in range(256):
            open_ones.enter_context(server.connect(b"GET / H"))
        assert server.get("/") == (200, b"ok")
        assert everything(first) == b""


def test_a_stopping_server_finishes_what_it_has_begun(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with server.connect(b"GET /?1 HTTP/1.1\r\n\r\n") as busy, server.connect(b"GET / H") as half:
        time.sleep(0.3)
        server.process.send_signal(signal.SIGTERM)
        assert everything(busy).endswith(b"ok")
        assert server.process.wait(5) == 0
        assert b"200 OK" not in everything(half)
