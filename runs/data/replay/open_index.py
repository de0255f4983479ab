"""Opens the index of a run, and creates, extends or rebuilds it when needed.

Index files are below DATA/replay, with the same relative path as the run directory below DATA/runs, so the run
directory stays as the harness wrote it. DATA/replay may be deleted at any time. If no file can be written, the index is
in memory.
"""

from __future__ import annotations

import fcntl
import logging
import os
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from harness.records import TRAJECTORY
from runs.data.replay.index import Index
from runs.data.replay.jsonl import Stamp, stamp
from runs.data.replay.outline import Outline

log = logging.getLogger(__name__)

WAIT_SECONDS = 30.0
MAX_IN_MEMORY = 4

_memory: OrderedDict[Path, Index] = OrderedDict()
_memory_lock = threading.RLock()


@contextmanager
def outline(directory: Path) -> Iterator[Outline]:
    """The current steps of a run, readable within the block. A run without a trajectory has none."""
    there = (directory / TRAJECTORY).is_file()
    index = _on_disk(directory) if there else _new(directory)
    if index is not None:
        with closing(index.database):
            yield Outline(index)
        return
    with _memory_lock:
        yield Outline(_in_memory(directory))


def update_index(directory: Path) -> None:
    """Creates the index or brings it up to date. Never raises: opening the replay repeats what failed."""
    try:
        with outline(directory):
            pass
    except Exception:
        log.exception("%s: the replay index could not be created", directory)


def index_path(directory: Path) -> Path | None:
    """The index file of a run directory; None if the directory is not below RUNS_ROOT."""
    root = Path(settings.RUNS_ROOT)
    if not directory.is_relative_to(root) or directory == root:
        return None
    return Path(settings.DATA) / "replay" / directory.relative_to(root) / "index.sqlite3"


def _on_disk(directory: Path) -> Index | None:
    """None if no file can be written."""
    place = index_path(directory)
    if place is None:
        return None
    with suppress(sqlite3.Error):
        if (fresh := _fresh(place, directory)) is not None:
            return fresh
    try:
        return _renewed(place, directory)
    except (sqlite3.Error, OSError) as error:
        log.warning("%s cannot be written (%s): using an index in memory", place, error)
        return None


def _fresh(place: Path, directory: Path) -> Index | None:
    """The stored index, if it is intact and up to date."""
    if not place.is_file() or not _is_intact(place, stamp(place)):
        return None
    index = _connected(place, directory, mode="ro")
    try:
        if index.fresh():
            return index
    except BaseException:
        index.database.close()
        raise
    index.database.close()
    return None


def _renewed(place: Path, directory: Path) -> Index:
    """Extends or rebuilds the index. One process does this at a time; the others wait."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with _lock(place.parent):
        if place.is_file():
            index = _connected(place, directory, mode="rw")
            try:
                if index.intact() and index.usable():
                    if not index.fresh():
                        index.grow()
                        index.database.commit()
                    return index
            except sqlite3.Error as error:
                log.warning("%s is damaged (%s): rebuilding it", place, error)
            except BaseException:
                index.database.close()
                raise
            index.database.close()
        return _made(place, directory)


@lru_cache(maxsize=1024)
def _is_intact(place: Path, _stamp: Stamp) -> bool:
    """Cached, so the check runs once for each state of the file."""
    index = _connected(place, place, mode="ro")
    with closing(index.database):
        return index.intact()


def _made(place: Path, directory: Path) -> Index:
    """Creates the index under another name and then renames it, so no reader opens half an index."""
    partial = place.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    index = _connected(partial, directory, mode="rwc")
    with closing(index.database):
        index.database.execute("PRAGMA journal_mode = OFF")
        index.create()
        index.grow()
        index.database.commit()
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    Path(f"{place}-journal").unlink(missing_ok=True)
    partial.replace(place)
    return _connected(place, directory, mode="ro")


def _in_memory(directory: Path) -> Index:
    """The index in memory, for run directories whose index cannot be written. Only the last few are stored."""
    index = _memory.pop(directory, None)
    if index is not None and not index.usable():
        index.database.close()
        index = None
    index = index or _new(directory)
    try:
        if not index.fresh():
            index.grow()
            index.database.commit()
    except BaseException:
        index.database.close()
        raise
    _memory[directory] = index
    while len(_memory) > MAX_IN_MEMORY:
        _, oldest = _memory.popitem(last=False)
        oldest.database.close()
    return index


def _new(directory: Path) -> Index:
    index = Index(sqlite3.connect(":memory:", check_same_thread=False), directory)
    index.create()
    return index


def _connected(place: Path, directory: Path, mode: str) -> Index:
    address = f"{place.absolute().as_uri()}?mode={mode}"
    return Index(sqlite3.connect(address, uri=True, timeout=WAIT_SECONDS), directory)


@contextmanager
def _lock(directory: Path) -> Iterator[None]:
    """A lock between processes. It is released when its holder dies."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
