"""The writes hold on PostgreSQL as they do on SQLite: the same tests, on a server of their own."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.site import ROOT, free_port

pytestmark = pytest.mark.postgres

SPECIFICATIONS = (
    "tests/runs/test_settling.py",
    "tests/runs/test_evaluations.py",
    "tests/runs/test_budget.py",
    "tests/runs/test_patience.py",
    "tests/runs/test_import.py",
)


def program(name: str) -> str:
    """A server program of PostgreSQL, on the path or where Debian keeps it."""
    found = shutil.which(name) or next(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), None)
    assert found is not None
    return found


@pytest.fixture
def server() -> Iterator[str]:
    """The URL of a database on a fresh server on loopback. PostgreSQL refuses to run as root, so somebody else does."""
    user = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    with tempfile.TemporaryDirectory(prefix="bbp") as name:
        directory = Path(name)
        os.chown(directory, user.pw_uid, user.pw_gid)
        port = free_port()

        def call(*command: str) -> None:
            subprocess.run(
                command,
                check=True,
                capture_output=True,
                cwd=directory,
                user=user.pw_uid if os.geteuid() == 0 else None,
                timeout=120,
            )

        data = str(directory / "data")
        call(program("initdb"), "-D", data, "-U", "benchbench", "-A", "trust", "--no-sync")
        options = (
            f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={directory} -c fsync=off"
        )
        call(program("pg_ctl"), "-D", data, "-w", "-l", str(directory / "log"), "-o", options, "start")
        try:
            yield f"postgres://benchbench@127.0.0.1:{port}/postgres"
        finally:
            call(program("pg_ctl"), "-D", data, "-w", "-m", "immediate", "stop")


def test_settling_evaluations_and_imports_hold_on_postgresql(server: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SPECIFICATIONS],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": server},
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
    assert "skipped" not in done.stdout
