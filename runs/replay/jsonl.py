"""Files of one JSON object a line, read from anywhere, while somebody may be writing them.

Everything here outlives bad input: bytes that are no UTF-8 are replaced, a line that is no object is None.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from harness.records import FileEdit, Step, StepEdits
from runs.replay.sanitize import sound_edits, sound_step

TRAJECTORY, EDITS = "trajectory.jsonl", "edits.jsonl"
LARGEST = 2**31 - 1

Stamp = tuple[int, int]
_Read = TypeVar("_Read")


def stamp(path: Path) -> Stamp:
    """When a file was last written, in nanoseconds, and its size; zeros when there is none."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def complete_lines(path: Path, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Every complete line between two offsets, with its offset; the first must begin a line.

    One without its newline is being written, or was cut off: it is left out. A file that is not there has no lines.
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
    """So many bytes from there on; fewer, or none, where the file ends before."""
    try:
        with path.open("rb") as file:
            file.seek(offset)
            return file.read(length)
    except OSError:
        return b""


def step_in(line: bytes) -> Step | None:
    """The step that a line holds; None for a line that holds none."""
    return read_entry(lambda entry: sound_step(Step.from_atif(entry)), line)


def edits_in(line: bytes) -> StepEdits | None:
    """The changes that a line holds; None for a line that holds none."""
    return read_entry(_step_edits, line)


def read_entry(read: Callable[[dict[str, Any]], _Read], line: bytes) -> _Read | None:
    """What `read` makes of the object of a line; None when that is not of the shape it should be."""
    try:
        entry = json.loads(line.decode("utf-8", "replace"))
        return read(entry) if isinstance(entry, dict) else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        return None


def _step_edits(entry: dict[str, Any]) -> StepEdits:
    return sound_edits(StepEdits(int(entry["step_id"]), tuple(FileEdit(**file) for file in entry["files"])))
