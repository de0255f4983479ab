from __future__ import annotations

import ctypes
import mmap
import os
from pathlib import Path

import pytest

from harness.tools.inside.page_cache import forget


def written(path: Path) -> Path:
    """The path, to which a page was written that is in the cache."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * mmap.PAGESIZE)
    with path.open("rb") as file:
        os.fdatasync(file.fileno())
    assert is_cached(path)
    return path


def is_cached(path: Path) -> bool:
    """Whether the first page of a file is in the cache."""
    resident = ctypes.c_ubyte()
    with path.open("r+b") as file, mmap.mmap(file.fileno(), mmap.PAGESIZE) as mapped:
        address = ctypes.addressof(ctypes.c_char.from_buffer(mapped))
        assert ctypes.CDLL(None).mincore(ctypes.c_void_p(address), mmap.PAGESIZE, ctypes.byref(resident)) == 0
    return bool(resident.value & 1)


def test_no_file_below_the_directory_stays_in_the_cache(tmp_path: Path) -> None:
    files = [written(tmp_path / name) for name in ("a", "deep/er/b", "deep/two\nlines")]
    forget(str(tmp_path))
    if is_cached(files[0]):
        pytest.skip("this file system has its files in memory only")
    assert [is_cached(file) for file in files[1:]] == [False, False]


def test_links_are_not_followed_and_other_kinds_of_files_do_not_stop_it(tmp_path: Path) -> None:
    outside = written(tmp_path / "outside")
    (tmp_path / "below").mkdir()
    (tmp_path / "below/link").symlink_to(outside)
    (tmp_path / "below/up").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "below/pipe")
    forget(str(tmp_path / "below"))
    assert is_cached(outside)


def test_it_stops_after_its_time(tmp_path: Path) -> None:
    file = written(tmp_path / "a")
    forget(str(tmp_path), seconds=0)
    assert is_cached(file)
