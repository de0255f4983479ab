"""Runs a command-line agent in this container, and forwards its model requests over the standard streams.

The agent gets an HTTP address on loopback. Each request to it is written as one line, one request at a time; the line
that comes back is the response. The host reads these lines: network, API key and limits are there, not in here.

    ← {"ready": true, "port": 40123, "home": "/tmp/benchbench-agent-x"}
    → {"start": {"command": [...], "environment": {...}, "workdir": "/app", "task": "...", "stdin": "nothing"}}
    ← {"request": 1, "method": "POST", "path": "/v1/messages", "body": base64}
    → {"answer": 1, "status": 200, "type": "application/json", "body": base64}
    → {"stop": true}
    ← {"ended": {"exit_code": 0, "seconds": 12.5, "stdout": "...", "stderr": "..."}}

`home` is the agent's HOME, with task.md in it. End of input means stop. When the agent's own process ends, all
processes that it has started are killed.
"""

from __future__ import annotations

import base64
import json
import os
import select
import signal
import socket
import subprocess
import tempfile
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict

from . import kernel
from .command import Output
from .text import presentable

MAX_BYTES = 8 << 20  # of one request; a million tokens of text are about half of that
MAX_CONNECTIONS = 64
DRAIN_BYTES = 64 << 20
DRAIN_SECONDS = 0.2
KILL_SECONDS = 3.0
# How long a client may be silent: between two requests, within one, and while it reads its response.
SILENT_SECONDS = 120.0
POLL_SECONDS = 0.5
_CHUNK = 1 << 16

Message = Dict[str, Any]


class Wire:
    """Writes whole lines to the harness, from any thread. If the harness is gone, everything ends."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._lock = threading.Lock()

    def send(self, message: Message) -> None:
        line = memoryview(json.dumps(message).encode() + b"\n")
        try:
            with self._lock:
                while line:
                    line = line[os.write(self._fd, line) :]
        except BrokenPipeError:
            kill_all()
            os._exit(1)


class Exchange:
    """Forwards one request at a time; others wait. This bounds the memory of the host, too."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._turn = threading.Lock()
        self._arrived = threading.Condition()
        self._number = 0
        self._response: Message | None = None

    def forward(self, method: str, path: str, body: bytes, client: socket.socket) -> Message | None:
        """The response; None if the client closed its connection while it waited."""
        while not self._turn.acquire(timeout=POLL_SECONDS):
            if _hung_up(client):
                return None
        try:
            self._number += 1
            self._response = None
            text = base64.b64encode(body).decode()
            self._wire.send({"request": self._number, "method": method, "path": path, "body": text})
            with self._arrived:
                while self._response is None:
                    self._arrived.wait()
                return self._response
        finally:
            self._turn.release()

    def deliver(self, message: Message) -> None:
        """Takes a response from the host. One that comes too late is dropped."""
        with self._arrived:
            if message["answer"] == self._number:
                self._response = message
                self._arrived.notify_all()


class Address(ThreadingHTTPServer):
    """The address on loopback. Connections above the limit are closed at once."""

    daemon_threads = True
    request_queue_size = MAX_CONNECTIONS

    def __init__(self, exchange: Exchange, silent_seconds: float = SILENT_SECONDS) -> None:
        self.exchange = exchange
        self.silent_seconds = silent_seconds
        self._room = threading.BoundedSemaphore(MAX_CONNECTIONS)
        super().__init__(("127.0.0.1", 0), Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._room.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores clients that disconnect."""


class Handler(BaseHTTPRequestHandler):
    """Reads a whole request, and writes its response."""

    protocol_version = "HTTP/1.1"
    server: Address

    def setup(self) -> None:
        super().setup()
        self.connection.settimeout(self.server.silent_seconds)

    def handle_one_request(self) -> None:
        self.raw_requestline = self.rfile.readline(65537)
        if not self.raw_requestline:
            self.close_connection = True
        elif len(self.raw_requestline) > 65536:
            self._refuse(414, "the request line is too long")
        elif self.parse_request():
            self._carry()

    def _carry(self) -> None:
        try:
            size = int(self.headers.get("Content-Length") or 0)
        except ValueError:
            size = -1
        if size < 0 or self.headers.get("Transfer-Encoding"):
            self._refuse(411, "say how long the body is, in Content-Length; chunks are not taken")
        elif size > MAX_BYTES:
            self._drain(size)
            self._refuse(413, f"a request may have {MAX_BYTES:,} bytes, not {size:,}")
        else:
            body = self.rfile.read(size)
            response = self.server.exchange.forward(self.command, self.path, body, self.connection)
            if response is None or len(body) < size:
                self.close_connection = True
            else:
                self._reply(response["status"], response["type"], base64.b64decode(response["body"]))

    def _drain(self, size: int) -> None:
        """Reads the rest of the request, within limits: a client that still writes does not read the error."""
        left = min(size, DRAIN_BYTES)
        while left > 0:
            taken = len(self.rfile.read(min(left, _CHUNK)))
            left = left - taken if taken else 0

    def _refuse(self, status: int, reason: str) -> None:
        self.close_connection = True
        # The error formats of both OpenAI and Anthropic.
        error = {"message": reason, "type": "invalid_request_error", "param": None, "code": None}
        self._reply(status, "application/json", json.dumps({"type": "error", "error": error}).encode())

    def _reply(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":  # a body would be read as the next response
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Logs nothing: the harness records requests."""


class AgentProcess:
    """The agent's own process. This process adopts orphans, so that all descendants can be found."""

    def __init__(self, order: Message, home: str) -> None:
        task = os.path.join(home, "task.md")
        with open(task, "w", encoding="utf-8") as file:
            file.write(order["task"])
        self._began = time.monotonic()
        self._outputs = (Output(), Output())
        self._readers = []
        with open(task if order["stdin"] == "task" else os.devnull, "rb") as stdin:
            self._process = subprocess.Popen(
                order["command"],
                cwd=order["workdir"],
                env={**os.environ, "HOME": home, **order["environment"]},
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                preexec_fn=kernel.die_first,  # noqa: PLW1509 - there are no threads yet
            )
        for stream, output in zip((self._process.stdout, self._process.stderr), self._outputs):
            reader = threading.Thread(target=_read, args=(stream, output), daemon=True)
            reader.start()
            self._readers.append(reader)

    def wait(self) -> Message:
        """Waits for its end and reaps orphans meanwhile; then kills what is left. Returns how it ended."""
        while True:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
            if ended is not None and ended.si_pid == self._process.pid:
                break
            if ended is not None:
                os.waitpid(ended.si_pid, 0)
        exit_code, seconds = self._process.wait(), time.monotonic() - self._began
        self._drain()  # output that is still in the pipes, unless a process that does not end holds them
        kill_all()
        self._drain()
        stdout, stderr = (presentable(output.take()) for output in self._outputs)
        return {"exit_code": exit_code, "seconds": seconds, "stdout": stdout, "stderr": stderr}

    def _drain(self) -> None:
        deadline = time.monotonic() + DRAIN_SECONDS
        for reader in self._readers:
            reader.join(max(0.0, deadline - time.monotonic()))

    def kill(self) -> None:
        """Kills the agent's own process; `wait` does the rest."""
        if self._process.returncode is None:
            with suppress(OSError):
                os.kill(self._process.pid, signal.SIGKILL)


def kill_all() -> None:
    """Kills every descendant of this process, however fast they fork."""
    deadline = time.monotonic() + KILL_SECONDS
    while time.monotonic() < deadline:
        if not kernel.kill_found(lambda: kernel.descendants(os.getpid(), 0), deadline):
            return
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.005)


def _read(stream: Any, output: Output) -> None:
    with suppress(OSError, ValueError):
        while True:
            data = os.read(stream.fileno(), _CHUNK)
            if not data:
                return
            output.add(data)


def _hung_up(client: socket.socket) -> bool:
    readable, _, _ = select.select([client], [], [], 0)
    try:
        return bool(readable) and not client.recv(1, socket.MSG_PEEK)
    except OSError:
        return True


def _listen(orders: Any, exchange: Exchange, agent: AgentProcess) -> None:
    """Reads all messages after the start. An invalid line ends the agent, like the end of input."""
    with suppress(ValueError, KeyError, TypeError):
        for line in orders:
            message = json.loads(line)
            if "answer" not in message:
                break
            exchange.deliver(message)
    agent.kill()


def main() -> None:
    """Runs one agent, with the standard streams hidden from it."""
    orders, replies = os.fdopen(os.dup(0), "rb"), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    kernel.adopt_orphans()
    kernel.set_inspectable(False)
    wire = Wire(replies)
    exchange = Exchange(wire)
    address = Address(exchange)
    home = tempfile.mkdtemp(prefix="benchbench-agent-")
    wire.send({"ready": True, "port": address.server_address[1], "home": home})
    first = orders.readline()
    if not first:
        return
    try:
        agent = AgentProcess(json.loads(first)["start"], home)
    except (OSError, ValueError) as error:
        failed = {"exit_code": 127, "seconds": 0.0, "stdout": "", "stderr": f"not started: {error}"}
        wire.send({"ended": failed})
        return
    threading.Thread(target=address.serve_forever, daemon=True).start()
    threading.Thread(target=_listen, args=(orders, exchange, agent), daemon=True).start()
    wire.send({"ended": agent.wait()})
    os._exit(0)
