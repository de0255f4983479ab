"""Takes files out of the kernel's cache, which all containers of an image share.

The time of a read tells whether a page is cached, so a page is a bit that one container leaves for a later one. Code
that has seen hidden tests could tell an agent about them. Code that has seen the tests of several gradings knows which
ones are altered.
"""

from __future__ import annotations

import contextlib
import os
import time

MAX_SECONDS = 5.0  # 10,000 files take 0.2 s


def forget(root: str, seconds: float = MAX_SECONDS) -> None:
    """Takes the files below a directory, on its file system, out of the cache. Stops after these seconds."""
    device, end = os.lstat(root).st_dev, time.monotonic() + seconds
    waiting = [root]
    while waiting and time.monotonic() < end:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_file(follow_symlinks=False):
                    _forget_file(entry.path)
                elif entry.is_dir(follow_symlinks=False) and os.lstat(entry.path).st_dev == device:
                    waiting.append(entry.path)


def _forget_file(path: str) -> None:
    with contextlib.suppress(OSError):
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(file)
