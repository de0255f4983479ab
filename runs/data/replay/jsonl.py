"""Reads JSON Lines files from any offset, also while another process writes them.

Bad input raises no error: invalid UTF-8 is replaced, and a line that is not an object gives None.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from harness.records import FileEdit, Step, StepEdits
from runs.data.replay.sanitize import sanitize_edits, sanitize_step

MAX_SIZE = 2**31 - 1
_MAX_HEADER_LENGTH = 1024**2

Stamp = tuple[int, int]
_Read = TypeVar("_Read")


def stamp(path: Path) -> Stamp:
    """Modification time in nanoseconds and size in bytes; zeros if there is no such file."""
    try:
        state = path.stat()
    except OSError:
        return 0, 0
    return state.st_mtime_ns, state.st_size


def complete_lines(path: Path, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Every complete line between two offsets, with its offset. `start` must be the start of a line.

    A line without a newline is left out: it is still being written, or was cut off. A missing file has no lines.
    """
    try:
        file = path.open("rb")
    except OSError:
        return
    with file:
        file.seek(start)
        offset = start
        while offset < end:
            line = file.readline(end - offset)
            if not line.endswith(b"\n"):
                return
            yield offset, line
            offset += len(line)


def read_at(path: Path, offset: int, length: int) -> bytes:
    """`length` bytes from an offset; fewer, or none, if the file ends earlier."""
    try:
        with path.open("rb") as file:
            file.seek(offset)
            return file.read(length)
    except OSError:
        return b""


def last_lines(path: Path, most: int) -> list[bytes]:
    """The complete lines among the last `most` bytes of a file; none if there is no such file."""
    try:
        with path.open("rb") as file:
            start = max(0, file.seek(0, 2) - most)
            file.seek(start)
            lines = file.read(most).split(b"\n")
    except OSError:
        return []
    # The text after the last newline is still being written; the text before the first may be a part of a line.
    return lines[1 if start else 0 : -1]


def step_in(line: bytes) -> Step | None:
    """The step in a line; None if the line is not a step."""
    return _read_entry(lambda entry: sanitize_step(Step.from_atif(entry)), line)


def edits_in(line: bytes) -> StepEdits | None:
    """The edits in a line; None if the line holds none."""
    return _read_entry(
        lambda entry: sanitize_edits(
            StepEdits(int(entry["step_id"]), tuple(FileEdit(**file) for file in entry["files"]))
        ),
        line,
    )


def _read_entry(read: Callable[[dict[str, Any]], _Read], line: bytes) -> _Read | None:
    """The result of `read` for the object in a line; None if the object has the wrong structure."""
    try:
        entry = json.loads(line.decode("utf-8", "replace"))
        return read(entry) if isinstance(entry, dict) else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        return None


def workdir_in(path: Path, default: str = "/app") -> str:
    """The directory of the workspace that a trajectory's header names; the default for our own, which name none."""
    header = _read_entry(dict, read_at(path, 0, _MAX_HEADER_LENGTH).partition(b"\n")[0])
    extra = header.get("extra") if header else None
    workdir = extra.get("workdir") if isinstance(extra, dict) else None
    return workdir if isinstance(workdir, str) and workdir.startswith("/") else default
