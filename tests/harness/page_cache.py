"""What the kernel's cache holds of a file."""

from __future__ import annotations

import mmap
import os
from pathlib import Path

import pytest

PAGES = 8


def written(path: Path) -> Path:
    """The path, to which a file of PAGES pages was written that are in the cache."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * PAGES * mmap.PAGESIZE)
    with path.open("rb") as file:
        os.fsync(file.fileno())
    assert cached_pages(path) == PAGES
    return path


def cached_pages(path: Path) -> int:
    """How many pages of a file are in the cache."""
    with path.open("rb") as file:
        return sum(_is_cached(file.fileno(), place) for place in range(0, path.stat().st_size, mmap.PAGESIZE))


def _is_cached(file: int, place: int) -> bool:
    try:
        return os.preadv(file, [bytearray(1)], place, os.RWF_NOWAIT) == 1
    except BlockingIOError:
        return False
    except OSError as error:
        pytest.skip(f"this file system does not tell: {error}")
