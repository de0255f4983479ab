"""Temporary directories that can be removed after their process was killed.

Each is locked by the process that created it, and the lock ends with the process. A directory without a lock may be
removed by any process.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "benchbench-scratch-"
# A directory is not locked immediately after its creation.
YOUNG_SECONDS = 5.0


@contextmanager
def scratch(purpose: str, *, root: Path | None = None) -> Iterator[Path]:
    """A new directory below `root` (default: the system's temporary directory) that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix=f"{PREFIX}{purpose}-", dir=root) as name, held(Path(name)):
        yield Path(name)


def sweep_scratch(root: Path | None = None) -> list[Path]:
    """Removes this user's `scratch` directories below `root` whose processes have ended. Returns them."""
    removed = []
    for path in Path(root or tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            status = path.lstat()
            if status.st_uid == os.getuid() and time.time() - status.st_mtime > YOUNG_SECONDS:
                with held(path):
                    shutil.rmtree(path)
                removed.append(path)
    return removed


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Holds the directory's lock. Raises BlockingIOError if another process holds it."""
    directory = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(directory)
