"""The database and what SQLite keeps beside it are readable by their owner only."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from benchbench.private_files import keep_database_private, tighten
from tests.benchbench.processes import said_by

# Writes with SQLite's write-ahead log, and prints the rights of all files while it is open.
PROGRAM = """
import os
os.umask(0)
os.environ["DJANGO_SETTINGS_MODULE"] = "benchbench.settings"
import django
django.setup()
from pathlib import Path
from django.conf import settings
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("CREATE TABLE IF NOT EXISTS tide (level)")
    cursor.execute("INSERT INTO tide VALUES (1)")
    for path in sorted(Path(settings.DATA).glob("*")):
        print(path.name, oct(path.stat().st_mode & 0o777))
"""
PRIVATE = [
    "db.sqlite3 0o600",
    "db.sqlite3-shm 0o600",
    "db.sqlite3-wal 0o600",
    "instance 0o600",
    "secret_key 0o600",
]


def mode(path: Path) -> int:
    """The rights of a file."""
    return stat.S_IMODE(path.stat().st_mode)


def test_new_files_of_a_site_are_private_whatever_the_umask(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert said_by(PROGRAM, data) == PRIVATE
    assert mode(data) == 0o700


def test_existing_files_are_tightened_at_the_start(tmp_path: Path) -> None:
    said_by(PROGRAM, tmp_path)
    for path in tmp_path.iterdir():
        path.chmod(0o666)
    assert said_by(PROGRAM, tmp_path) == PRIVATE


def test_files_beside_a_database_are_tightened(tmp_path: Path) -> None:
    name = tmp_path / "db"
    for suffix in ("", "-wal", "-shm", "-journal"):
        Path(f"{name}{suffix}").touch(0o664)
        Path(f"{name}{suffix}").chmod(0o664)
    keep_database_private(str(name))
    assert {path.name: mode(path) for path in tmp_path.iterdir()} == dict.fromkeys(
        ("db", "db-wal", "db-shm", "db-journal"), 0o600
    )


def test_an_existing_database_keeps_its_content(tmp_path: Path) -> None:
    (tmp_path / "db").write_bytes(b"tides")
    keep_database_private(str(tmp_path / "db"))
    assert (tmp_path / "db").read_bytes() == b"tides"


@pytest.mark.parametrize("name", ["", ":memory:", "file:tides?mode=memory", "/nowhere/at/all/db"])
def test_other_names_are_left_to_sqlite(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    keep_database_private(name)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_file_stays_missing(tmp_path: Path) -> None:
    tighten(tmp_path / "nothing")
    assert list(tmp_path.iterdir()) == []
