"""Bytes come out as they went in, from memory or from a file."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from benchbench.serving.spool import IN_MEMORY, Spool


def open_files() -> int:
    """How many this process has."""
    return len(list(Path("/proc/self/fd").iterdir()))


def test_bytes_come_out_in_order(tmp_path: Path) -> None:
    spool = Spool(str(tmp_path))
    spool.put(b"one")
    spool.drop(1)
    spool.put(memoryview(b"two"))

    assert (spool.peek(4), len(spool)) == (b"netw", 5)
    spool.drop(4)
    assert spool.peek(100) == b"o"
    spool.drop(1)
    assert len(spool) == 0


def test_many_bytes_are_on_disk_until_they_are_taken(tmp_path: Path) -> None:
    spool = Spool(str(tmp_path))
    before = open_files()
    spool.put(b"x" * (IN_MEMORY + 1))
    assert open_files() == before + 1

    spool.drop(IN_MEMORY + 1)
    assert open_files() == before
    assert (len(spool), spool.peek(1)) == (0, b"")
    spool.put(b"more")
    assert spool.peek(10) == b"more"
    spool.close()
    assert len(spool) == 0


def test_on_a_full_disk_it_raises_and_is_emptied(tmp_path: Path) -> None:
    spool = Spool(str(tmp_path))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (IN_MEMORY, hard))
    try:
        with pytest.raises(OSError, match="File too large"):
            list(map(spool.put, [b"x" * 5000] * 100))
        spool.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert len(spool) == 0
