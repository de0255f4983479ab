"""Files that only the user of the site may read: they have passwords' hashes, sessions, keys and hidden data."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

# What SQLite keeps beside a database. It gives new ones the rights of the database.
BESIDE = ("-wal", "-shm", "-journal")
OTHERS = 0o077  # all rights of the group and of everybody else


def tighten(path: Path) -> None:
    """Takes the rights of all others away, if the file exists and is this user's."""
    with suppress(FileNotFoundError, PermissionError):
        mode = path.stat().st_mode
        if mode & OTHERS:
            path.chmod(mode & ~OTHERS & 0o7777)


def keep_database_private(name: str) -> None:
    """Creates a missing SQLite database as an empty private file, and tightens an existing one.

    Nothing is done where it cannot be created: SQLite says then what is wrong.
    """
    if not name or name.startswith((":memory:", "file:")):
        return
    with suppress(OSError):
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT, 0o600))
    for suffix in ("", *BESIDE):
        tighten(Path(f"{name}{suffix}"))
