"""Temporary directories that a killed process cannot leave behind for good.

Each is locked by the process that made it; the lock ends with the process, however that ends. What nobody holds is
garbage, whoever finds it.
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
# Between its making and its locking a directory looks like nobody's.
YOUNG_SECONDS = 5.0


@contextmanager
def scratch(purpose: str, *, root: Path | None = None) -> Iterator[Path]:
    """A directory of one's own below `root` (the system's place for temporary files), gone afterwards."""
    with tempfile.TemporaryDirectory(prefix=f"{PREFIX}{purpose}-", dir=root) as name, _held(Path(name)):
        yield Path(name)


def sweep_scratch(root: Path | None = None) -> list[Path]:
    """Removes this user's directories that `scratch` made below `root` and whose processes are dead. Returns them."""
    removed = []
    for path in Path(root or tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            status = path.lstat()
            if status.st_uid == os.getuid() and time.time() - status.st_mtime > YOUNG_SECONDS:
                with _held(path):
                    shutil.rmtree(path)
                removed.append(path)
    return removed


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """Holds the directory's lock; raises BlockingIOError when somebody else does."""
    directory = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(directory)
