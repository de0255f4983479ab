"""A real PostgreSQL server of one's own, for tests and benchmarks."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from tests.browser.site import free_port


def program(name: str) -> str:
    """A server program of PostgreSQL, on the path or where Debian keeps it."""
    found = shutil.which(name) or next(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), None)
    assert found is not None, f"PostgreSQL's {name} is not on this machine"
    return found


@dataclass
class PostgresServer:
    """A fresh server on loopback, its files below `directory`. Any user of this machine may connect.

    PostgreSQL refuses to run as root, so somebody else does, who must be able to reach `directory`.
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
        """Returns when it answers."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c fsync=off "
        options += f"-c unix_socket_directories={self.directory}"
        self._call(
            "pg_ctl", "-D", self._data, "-w", "-l", str(self.directory / "log"), "-o", options, "start"
        )

    def crash(self) -> None:
        """Ends it without a farewell: what is under way is lost, what is committed is recovered at the next start."""
        self._call("pg_ctl", "-D", self._data, "-w", "-m", "immediate", "stop")

    @property
    def _data(self) -> str:
        return str(self.directory / "data")

    def _call(self, name: str, *arguments: str) -> None:
        subprocess.run(
            [program(name), *arguments],
            check=True,
            # The server inherits them: a pipe would be read until it ends.
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.directory,
            # Nothing of what we are: whoever looks for processes of a site by their environment must not find it.
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            user=self._user.pw_uid if os.geteuid() == 0 else None,
            timeout=120,
        )
