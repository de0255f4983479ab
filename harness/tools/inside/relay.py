"""Runs somebody else's agent in this container, and carries its model requests out over the standard streams.

The agent finds an HTTP address on loopback. What it sends there goes out as a line, one request at a time; the line
that comes back is the answer. The process that reads these lines has the network, the key and the limits; here is none.

    ← {"ready": true, "port": 40123, "home": "/tmp/benchbench-agent-x"}
    → {"start": {"command": [...], "environment": {...}, "workdir": "/app", "task": "...", "stdin": "nothing"}}
    ← {"request": 1, "method": "POST", "path": "/v1/messages", "body": base64}
    → {"answer": 1, "status": 200, "type": "application/json", "body": base64}
    → {"stop": true}
    ← {"ended": {"exit_code": 0, "seconds": 12.5, "stdout": "...", "stderr": "..."}}

`home` is the agent's HOME; task.md lies in it. End of input means stop. When the agent's own process ends, so does
everything that it has started.
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

MOST_BYTES = 8 << 20  # of one request; a million tokens of text are about half of that
MOST_CONNECTIONS = 64
DRAIN_BYTES = 64 << 20
DRAIN_SECONDS = 0.2
KILL_SECONDS = 3.0
# How long a client may be silent: between two requests, within one, and while it takes its answer.
SILENT_SECONDS = 120.0
POLL_SECONDS = 0.5
_CHUNK = 1 << 16

Message = Dict[str, Any]


class Wire:
    """Lines to the harness, whole ones only, from any thread. When nobody reads any more, all is over."""

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
    """One request out, its answer back; whoever comes meanwhile waits. So memory outside stays bounded, too."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._turn = threading.Lock()
        self._answered = threading.Condition()
        self._number = 0
        self._answer: Message | None = None

    def ask(self, method: str, path: str, body: bytes, client: socket.socket) -> Message | None:
        """The answer; None when the client hung up before it was its turn."""
        while not self._turn.acquire(timeout=POLL_SECONDS):
            if _hung_up(client):
                return None
        try:
            self._number += 1
            self._answer = None
            text = base64.b64encode(body).decode()
            self._wire.send({"request": self._number, "method": method, "path": path, "body": text})
            with self._answered:
                while self._answer is None:
                    self._answered.wait()
                return self._answer
        finally:
            self._turn.release()

    def answer(self, message: Message) -> None:
        """Hands over what came back. Late answers find nobody."""
        with self._answered:
            if message["answer"] == self._number:
                self._answer = message
                self._answered.notify_all()


class Address(ThreadingHTTPServer):
    """The address on loopback. More connections than it has room for are closed at once."""

    daemon_threads = True
    request_queue_size = MOST_CONNECTIONS

    def __init__(self, exchange: Exchange, silent_seconds: float = SILENT_SECONDS) -> None:
        self.exchange = exchange
        self.silent_seconds = silent_seconds
        self._room = threading.BoundedSemaphore(MOST_CONNECTIONS)
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
        """A client that goes away is no news."""


class Handler(BaseHTTPRequestHandler):
    """Reads a request whole, and writes the answer that came for it."""

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
        elif size > MOST_BYTES:
            self._drain(size)
            self._refuse(413, f"a request may have {MOST_BYTES:,} bytes, not {size:,}")
        else:
            body = self.rfile.read(size)
            answer = self.server.exchange.ask(self.command, self.path, body, self.connection)
            if answer is None or len(body) < size:
                self.close_connection = True
            else:
                self._reply(answer["status"], answer["type"], base64.b64decode(answer["body"]))

    def _drain(self, size: int) -> None:
        """Takes what is on its way, within bounds: a client that still writes does not read what it did wrong."""
        left = min(size, DRAIN_BYTES)
        while left > 0:
            taken = len(self.rfile.read(min(left, _CHUNK)))
            left = left - taken if taken else 0

    def _refuse(self, status: int, reason: str) -> None:
        self.close_connection = True
        # Both OpenAI's form of an error and Anthropic's.
        error = {"message": reason, "type": "invalid_request_error", "param": None, "code": None}
        self._reply(status, "application/json", json.dumps({"type": "error", "error": error}).encode())

    def _reply(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if (
            self.command != "HEAD"
        ):  # its answer is the head of an answer; a body would be taken for the next one
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: the harness keeps the record."""


class AgentProcess:
    """The agent's own process. Everything below it is found again: orphans come to this process."""

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
        """Waits for its end, burying orphans meanwhile; then nothing of it is left. Returns how it ended."""
        while True:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
            if ended is not None and ended.si_pid == self._process.pid:
                break
            if ended is not None:
                os.waitpid(ended.si_pid, 0)
        exit_code, seconds = self._process.wait(), time.monotonic() - self._began
        self._drain()  # what is still on its way, unless somebody holds the pipes who will not end
        kill_all()
        self._drain()
        stdout, stderr = (presentable(output.take()) for output in self._outputs)
        return {"exit_code": exit_code, "seconds": seconds, "stdout": stdout, "stderr": stderr}

    def _drain(self) -> None:
        deadline = time.monotonic() + DRAIN_SECONDS
        for reader in self._readers:
            reader.join(max(0.0, deadline - time.monotonic()))

    def kill(self) -> None:
        """Ends its own process; `wait` sees to the rest."""
        if self._process.returncode is None:
            with suppress(OSError):
                os.kill(self._process.pid, signal.SIGKILL)


def kill_all() -> None:
    """Kills every descendant of this process, however fast they multiply."""
    deadline = time.monotonic() + KILL_SECONDS
    while time.monotonic() < deadline:
        # Stopped processes cannot fork: once nobody new appears, the list is complete.
        stopped: set[int] = set()
        while time.monotonic() < deadline:
            found = kernel.descendants(os.getpid(), 0)
            if found <= stopped:
                break
            _signal(found - stopped, signal.SIGSTOP)
            stopped |= found
        if not stopped:
            return
        _signal(stopped, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.005)


def _signal(pids: set[int], number: int) -> None:
    for pid in pids:
        with suppress(OSError):  # it ended by itself
            os.kill(pid, number)


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
    """Everything that comes after the start. Whatever cannot be read ends the agent, like the end of input."""
    with suppress(ValueError, KeyError, TypeError):
        for line in orders:
            message = json.loads(line)
            if "answer" not in message:
                break
            exchange.answer(message)
    agent.kill()


def main() -> None:
    """Serves one agent on the standard streams, which nothing else gets to see."""
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
