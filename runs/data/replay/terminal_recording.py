"""Recordings of terminals in asciinema's form, versions 1 to 3. They are untrusted: sizes, times and texts have limits.

A recording is stored as version 2 (docs.asciinema.org/manual/asciicast/v2): a header, then one event a line. It has
what a player shows: output, markers and sizes of the terminal. What was typed is left out, as it may be a password.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from runs.presentation.formatting.text import clean

MAX_SIZE = 1024**3  # bytes of a recording
MAX_EVENTS = 2_000_000
MAX_COLUMNS, MAX_ROWS = 1_000, 500
_MAX_LINE = 4 * 1024**2
_MAX_WHOLE = 64 * 1024**2  # of version 1, which is one object
_MAX_SECONDS = 366 * 86_400.0
_MAX_MARKER_LENGTH = 200
_TAIL = 64 * 1024
_SIZE = re.compile(r"([0-9]{1,4})x([0-9]{1,4})")
_SHOWN = frozenset({"o", "m", "r"})


class RecordingRefused(Exception):
    """A recording is invalid. `where`: the line, '' for the file."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(problem)
        self.where = where


class RecordingSize(NamedTuple):
    """The size of the terminal at the beginning, and the pauses that the recording allows; None: any."""

    columns: int
    rows: int
    idle_limit: float | None = None


class RecordedEvent(NamedTuple):
    """What happened `at` so many seconds after the beginning. `code`: o output, i input, m marker, r size, others."""

    at: float
    code: str
    text: str


def recording_size(path: Path) -> RecordingSize:
    """The header of a recording. Raises RecordingRefused."""
    with path.open("rb") as file:
        return _size(_header(file))


def recorded_events(path: Path) -> Iterator[RecordedEvent]:
    """All events in their order; times never go back. A last line that was cut off is left out.

    Raises RecordingRefused.
    """
    if path.stat().st_size > MAX_SIZE:
        raise RecordingRefused("", f"it has more than {MAX_SIZE:,} bytes")
    now = 0.0
    with path.open("rb") as file:
        header = _header(file)
        relative = header["version"] != 2
        entries = _listed(header) if header["version"] == 1 else _lines(file)
        for number, (where, entry) in enumerate(entries, 1):
            if number > MAX_EVENTS:
                raise RecordingRefused(where, f"it has more than {MAX_EVENTS:,} events")
            seconds, code, text = _parts(entry, where)
            now = now + seconds if relative else max(now, seconds)
            yield RecordedEvent(now, code, text)


def shown_lines(path: Path) -> Iterator[str]:
    """The lines of a recording as it is stored. Raises RecordingRefused."""
    size = recording_size(path)
    header: dict[str, Any] = {"version": 2, "width": size.columns, "height": size.rows}
    if size.idle_limit is not None:
        header["idle_time_limit"] = size.idle_limit
    yield json.dumps(header)
    for event in recorded_events(path):
        text = event.text[:_MAX_MARKER_LENGTH] if event.code == "m" else event.text
        if event.code in _SHOWN and (event.code != "r" or _is_size(text)):
            yield json.dumps([round(event.at, 6), event.code, text], ensure_ascii=False)


def transcript(path: Path) -> Iterator[str]:
    """What the terminal showed, as text without its control sequences, piece by piece. Raises RecordingRefused.

    A line that was overwritten is given in its last state.
    """
    waiting: list[str] = []
    size = 0
    for event in recorded_events(path):
        if event.code != "o":
            continue
        waiting.append(event.text)
        size += len(event.text)
        if "\n" in event.text or size > _MAX_LINE:
            whole, newline, rest = "".join(waiting).rpartition("\n")
            if not newline:
                whole, rest = rest, ""
            yield plain(whole + newline)
            waiting, size = [rest], len(rest)
    yield plain("".join(waiting))


def plain(text: str) -> str:
    """Output of a terminal as text, without control sequences. An overwritten line is given in its last state."""
    # What follows the last return to the beginning of a line is written over the rest of it.
    lines = (line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    return clean("\n".join(lines)).replace("\N{REPLACEMENT CHARACTER}", "")


def duration(path: Path) -> float:
    """How many seconds a stored recording takes; 0 if it has no event."""
    with path.open("rb") as file:
        end = file.seek(0, 2)
        file.seek(max(0, end - _TAIL))
        for line in reversed(file.read().splitlines()):
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if isinstance(entry, list) and entry and isinstance(entry[0], int | float):
                return float(entry[0])
    return 0.0


def _header(file: BinaryIO) -> dict[str, Any]:
    line = file.readline(_MAX_LINE + 1)
    content = _parsed(line)
    if not isinstance(content, dict):  # version 1 may be written over several lines
        file.seek(0)
        data = file.read(_MAX_WHOLE + 1)
        content = _parsed(data) if len(data) <= _MAX_WHOLE else None
    if not isinstance(content, dict) or content.get("version") not in (1, 2, 3):
        raise RecordingRefused("line 1", "it is no header of an asciinema recording of version 1, 2 or 3")
    return content


def _size(header: dict[str, Any]) -> RecordingSize:
    term = header.get("term")
    names = ("cols", "rows") if header["version"] == 3 else ("width", "height")
    home = term if header["version"] == 3 and isinstance(term, dict) else header
    columns, rows = (home.get(name) for name in names)
    columns, rows = _whole(columns, MAX_COLUMNS), _whole(rows, MAX_ROWS)
    if not columns or not rows:
        most = f"{MAX_COLUMNS} columns and {MAX_ROWS} rows"
        raise RecordingRefused("line 1", f"the size of its terminal is not from 1 to {most}")
    idle = header.get("idle_time_limit")
    return RecordingSize(columns, rows, float(idle or 0) or None if _is_time(idle) else None)


def _listed(header: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The events of version 1."""
    listed = header.get("stdout")
    if not isinstance(listed, list):
        raise RecordingRefused("line 1", "its 'stdout' is not a list")
    for number, entry in enumerate(listed, 1):
        where = f"event {number}"
        if not isinstance(entry, list) or len(entry) < 2:
            raise RecordingRefused(where, "it is not a delay and a text")
        yield where, [entry[0], "o", entry[1]]


def _lines(file: BinaryIO) -> Iterator[tuple[str, Any]]:
    """The events of versions 2 and 3, which follow the header."""
    number = 1
    while line := file.readline(_MAX_LINE + 1):
        number += 1
        where = f"line {number}"
        if len(line) > _MAX_LINE:
            raise RecordingRefused(where, f"it is longer than {_MAX_LINE:,} bytes")
        if not line.strip() or line.startswith(b"#"):
            continue
        entry = _parsed(line)
        if entry is None and not line.endswith(b"\n"):
            return
        yield where, entry


def _parts(entry: Any, where: str) -> tuple[float, str, str]:
    if not isinstance(entry, list) or len(entry) < 3:
        raise RecordingRefused(where, "it is not an event: a time, a code and a text in a list")
    seconds, code, text = entry[:3]
    if not _is_time(seconds):
        raise RecordingRefused(where, "its time is not a number of seconds of at least 0")
    if not isinstance(code, str) or not isinstance(text, str):
        raise RecordingRefused(where, "its code and its text are not both texts")
    return float(seconds), code[:1], text


def _parsed(data: bytes) -> Any:
    """The value of these bytes; None if they are not JSON. Invalid UTF-8 is replaced."""
    try:
        return json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def _is_time(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0 <= value <= _MAX_SECONDS


def _whole(value: Any, most: int) -> int:
    """A number from 1 to `most`; 0 for anything else."""
    return value if type(value) is int and 1 <= value <= most else 0


def _is_size(text: str) -> bool:
    size = _SIZE.fullmatch(text)
    return size is not None and 1 <= int(size[1]) <= MAX_COLUMNS and 1 <= int(size[2]) <= MAX_ROWS
