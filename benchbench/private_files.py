"""Makes files private to the site's user: password hashes, sessions, keys and hidden data are in them."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

# Files that SQLite creates beside a database, with the permissions of the database.
BESIDE = ("-wal", "-shm", "-journal")
OTHERS = 0o077  # all permissions of the group and of others


def tighten(path: Path) -> None:
    """Removes the permissions of group and others, if the file exists and belongs to this user."""
    with suppress(FileNotFoundError, PermissionError):
        mode = path.stat().st_mode
        if mode & OTHERS:
            path.chmod(mode & ~OTHERS & 0o7777)


def keep_database_private(name: str) -> None:
    """Creates a missing SQLite database as an empty private file, and tightens an existing one.

    If that fails, nothing is raised: SQLite reports the problem when it opens the file.
    """
    if not name or name.startswith((":memory:", "file:")):
        return
    with suppress(OSError):
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT, 0o600))
    for suffix in ("", *BESIDE):
        tighten(Path(f"{name}{suffix}"))
