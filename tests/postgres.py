"""A private PostgreSQL server for tests and benchmarks."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from tests.browser.site import free_port


def program(name: str) -> str:
    """A server program of PostgreSQL, from the path or Debian's directory."""
    found = shutil.which(name) or next(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), None)
    assert found is not None, f"PostgreSQL's {name} is not on this machine"
    return found


@dataclass
class PostgresServer:
    """A fresh server on loopback, its files below `directory`. Any user of this machine may connect.

    PostgreSQL refuses to run as root. Then the user `nobody` runs it and needs access to `directory`.
    """

    directory: Path
    port: int = field(default_factory=free_port)

    def __post_init__(self) -> None:
        self._user = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        os.chown(self.directory, self._user.pw_uid, self._user.pw_gid)
        self._call("initdb", "-D", self._data, "-U", "benchbench", "-A", "trust", "--no-sync")

    @property
    def url(self) -> str:
        """For DATABASE_URL."""
        return f"postgres://benchbench@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Starts the server and waits until it is ready."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c fsync=off "
        options += f"-c unix_socket_directories={self.directory}"
        self._call(
            "pg_ctl", "-D", self._data, "-w", "-l", str(self.directory / "log"), "-o", options, "start"
        )

    def crash(self) -> None:
        """Stops the server immediately: open transactions are lost, the next start recovers committed ones."""
        self._call("pg_ctl", "-D", self._data, "-w", "-m", "immediate", "stop")

    @property
    def _data(self) -> str:
        return str(self.directory / "data")

    def _call(self, name: str, *arguments: str) -> None:
        subprocess.run(
            [program(name), *arguments],
            check=True,
            # The server inherits them, so reading a pipe would not end.
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.directory,
            # Without this process's environment, so that a search for processes of a site by environment skips it.
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            user=self._user.pw_uid if os.geteuid() == 0 else None,
            timeout=120,
        )
