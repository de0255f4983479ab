"""A forwarded socket of the container engine, which a test can cut."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from pathlib import Path

REAL = "/var/run/docker.sock"


class EngineProxy:
    """Forwards connections from a socket of its own to the engine's, while it is up."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._listener: socket.socket | None = None
        self._connections: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._flowing = threading.Event()
        self._flowing.set()

    @property
    def url(self) -> str:
        """What DOCKER_HOST has to be."""
        return f"unix://{self.path}"

    def up(self) -> None:
        """The engine works."""
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.path))
        self._listener.listen(64)
        self._threads = [threading.Thread(target=self._accept, args=(self._listener,), daemon=True)]
        self._threads[0].start()

    def down(self) -> None:
        """The engine is gone, and every connection to it."""
        assert self._listener is not None
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._threads[0].join()
        self._listener.close()
        self.path.unlink()
        self.cut()
        for thread in self._threads:
            thread.join()

    def cut(self) -> None:
        """Every connection breaks; new ones are taken."""
        for connection in list(self._connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def hang(self) -> None:
        """The engine accepts every request and never responds."""
        self._flowing.clear()

    def go_on(self) -> None:
        """The engine responds again, also to pending requests."""
        self._flowing.set()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                client, _ = listener.accept()
                engine = socket.socket(socket.AF_UNIX)
                engine.connect(REAL)
                self._connections |= {client, engine}
                self._threads.append(threading.Thread(target=self._serve, args=(client, engine), daemon=True))
                self._threads[-1].start()

    def _serve(self, client: socket.socket, engine: socket.socket) -> None:
        with client, engine:
            back = threading.Thread(target=self._forward, args=(engine, client), daemon=True)
            back.start()
            self._forward(client, engine)
            back.join()
        self._connections -= {client, engine}

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                self._flowing.wait()
                target.sendall(data)
        with suppress(OSError):
            # Only this direction is over: a client may close its input and go on listening.
            target.shutdown(socket.SHUT_WR)
