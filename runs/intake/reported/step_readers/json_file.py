"""Reads JSON files of any size, value by value. They are untrusted: no value may need much memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import ijson

from runs.intake.reported.report_document import parse_json
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.json_constants import ByteReader, PlainConstants

# A file of up to so many bytes is parsed at once, which also accepts NaN.
SMALL = 8 * 1024**2
# Of one text, one element of a list, or one line of JSON lines.
MAX_VALUE_BYTES = 64 * 1024**2
MAX_DEPTH = 200
# Of JSON lines: reading a million takes ten seconds.
MAX_LINES = 2_000_000
_MAX_EMPTY_LINES = 1_000  # before the first one
_CHUNK = 64 * 1024
# Of the beginning of a large file: elements of each list, characters of each text, values and characters in all.
_MAX_ELEMENTS, _MAX_TEXT_LENGTH, _MAX_VALUES, _MAX_CHARACTERS = 20, 10_000, 200_000, 16 * 1024**2

Event = tuple[str, Any]


def outline_of(path: Path, place: str) -> Any:
    """The value of a file. Of a large one, each list has its first elements only, and each text its beginning.

    Raises ResultsRefused.
    """
    if is_small(path):
        return _whole(path, place)
    with _opened(path, place) as file:
        builder = _Outline()
        for event, value in events_of(file, place):
            builder.add(event, value)
        return builder.root[0]


def elements(path: Path, place: str, *names: str) -> Iterator[Any]:
    """The elements of the list at these names of nested objects, one by one; nothing if there is none.

    Without names, the file is that list. Raises ResultsRefused.
    """
    if is_small(path):
        value = _whole(path, place)
        for name in names:
            value = value.get(name) if isinstance(value, dict) else None
        yield from value if isinstance(value, list) else ()
        return
    with _opened(path, place) as file:
        yield from _listed(file, place, names)


def text_at(path: Path, place: str, *names: str) -> str | None:
    """The whole text at these names of nested objects, without reading what follows; None if there is none.

    Raises ResultsRefused.
    """
    with _opened(path, place) as file:
        open_names: list[str] = []
        name = ""
        for event, value in events_of(file, place):
            if event == "map_key":
                name = value
            elif event.startswith("start"):
                open_names.append(name)
                name = ""
            elif event.startswith("end"):
                open_names.pop()
            elif event == "string" and name == names[-1] and open_names == ["", *names[:-1]]:
                return str(value)
    return None


def json_lines(path: Path, place: str, *, torn: bool = False) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a file of JSON lines, each with its place. Empty lines are left out. Raises ResultsRefused.

    `torn`: a last line that is no whole object is left out, because a process that was stopped did not end it.
    """
    for line in raw_lines(path, place):
        try:
            yield line.where, line.value()
        except ResultsRefused:
            if torn and not line.data.endswith(b"\n"):
                return
            raise


class RawLine(NamedTuple):
    """A line of a file: its place for messages, its bytes, and where it begins: after so many bytes and lines."""

    where: str
    data: bytes
    offset: int
    number: int

    def value(self) -> dict[str, Any]:
        """Its object. Raises ResultsRefused for anything else."""
        found = parse_json(self.data, self.where)
        if not isinstance(found, dict):
            raise ResultsRefused(self.where, "it is not an object")
        return found


def raw_lines(path: Path, place: str, offset: int = 0, number: int = 0) -> Iterator[RawLine]:
    """The lines of a file that are not empty, from one that begins after so many bytes and lines.

    Raises ResultsRefused.
    """
    with _opened(path, place) as file:
        file.seek(offset)
        while data := file.readline(MAX_VALUE_BYTES + 1):
            where = f"{place}, line {number + 1}"
            if len(data) > MAX_VALUE_BYTES:
                raise ResultsRefused(where, f"it is longer than {MAX_VALUE_BYTES:,} bytes")
            if number >= MAX_LINES:
                raise ResultsRefused(where, f"it has more than {MAX_LINES:,} lines")
            if data.strip():
                yield RawLine(where, data, offset, number)
            offset += len(data)
            number += 1


class FirstLines(list[dict[str, Any]]):
    """The first objects of a file of JSON lines."""


def first_lines(path: Path, place: str) -> FirstLines:
    """The first objects of a file; fewer if they are large, or before a line that is no object.

    Raises ResultsRefused if the first line is none.
    """
    found, size = FirstLines(), 0
    for line in islice(raw_lines(path, place), _MAX_ELEMENTS):
        size += len(line.data)
        if found and size > SMALL:
            break
        try:
            found.append(line.value())
        except ResultsRefused:
            if found:
                break
            raise
    return found


def is_json_lines(path: Path) -> bool:
    """Whether the first line that is not empty is a whole object, and another one follows."""
    try:
        with path.open("rb") as file:
            return _ends_of_line(file) == b"{}" and _ends_of_line(file)[:1] == b"{"
    except OSError:
        return False


def _ends_of_line(file: BinaryIO) -> bytes:
    """The first and the last byte of the next line that is not empty, without blanks around it; b"" without one.

    It is read in small parts: a JSON file may be one line.
    """
    first = last = b""
    empty = 0
    while empty < _MAX_EMPTY_LINES and (part := file.readline(_CHUNK)):
        if inner := part.strip():
            first, last = first or inner[:1], inner[-1:]
        if first and part.endswith(b"\n"):
            break
        empty += not inner
    return first + last


def _whole(path: Path, place: str) -> Any:
    """The value of a small file. It is shared by its readers, which change nothing in it."""
    found = path.stat()
    return _parsed(path, place, (found.st_ino, found.st_mtime_ns, found.st_size))


# An ATIF document is read four times: for its form, its sub-agents, its steps and its continuation.
@lru_cache(maxsize=1)
def _parsed(path: Path, place: str, _stamp: tuple[int, int, int]) -> Any:
    return parse_json(path.read_bytes(), place)


def is_small(path: Path) -> bool:
    """Whether a file is parsed at once."""
    return path.stat().st_size <= SMALL


def _opened(path: Path, place: str) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise ResultsRefused(place, f"unreadable: {error.strerror}") from error


class _Counting:
    """A file that knows how much was read, in all and since the last event."""

    def __init__(self, file: ByteReader, place: str) -> None:
        self._file, self._place = PlainConstants(file), place
        self.read_bytes = self.since = 0

    def read(self, size: int) -> bytes:
        if self.since > MAX_VALUE_BYTES:
            raise ResultsRefused(self.where, f"one text is longer than {MAX_VALUE_BYTES:,} bytes")
        part = self._file.read(size)
        self.read_bytes += len(part)
        self.since += len(part)
        return part

    @property
    def where(self) -> str:
        return f"{self._place}, before byte {self.read_bytes:,}"


def events_of(file: ByteReader, place: str) -> Iterator[Event]:
    """The events of a JSON file. Raises ResultsRefused."""
    counting = _Counting(file, place)
    depth = 0
    try:
        for event, value in ijson.basic_parse(counting, use_float=True, buf_size=_CHUNK):
            counting.since = 0
            if event.startswith("start"):
                depth += 1
                if depth > MAX_DEPTH:
                    raise ResultsRefused(counting.where, f"it is nested deeper than {MAX_DEPTH} levels")
            elif event.startswith("end"):
                depth -= 1
            yield event, value
    except (ijson.JSONError, ValueError) as error:
        raise ResultsRefused(counting.where, f"it is not JSON: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    text = error.args[0] if error.args else ""
    text = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    return text.partition("\n")[0][:200]


class _Outline:
    """Builds a value whose lists and texts are cut."""

    def __init__(self) -> None:
        self.root: list[Any] = []
        self._homes: list[list[Any] | dict[str, Any] | None] = [self.root]  # None: it is left out
        self._name = ""
        self._left, self._left_characters = _MAX_VALUES, _MAX_CHARACTERS

    def add(self, event: str, value: Any) -> None:
        if event == "map_key":
            self._name = value
        elif event.startswith("end"):
            self._homes.pop()
        else:
            new = _container(event, self._cut(value) if isinstance(value, str) else value)
            placed = self._place(new)
            if event.startswith("start"):
                self._homes.append(new if placed else None)

    def _cut(self, text: str) -> str:
        cut = text[: min(_MAX_TEXT_LENGTH, self._left_characters)]
        self._left_characters -= len(cut)
        return cut

    def _place(self, new: Any) -> bool:
        home = self._homes[-1]
        if home is None or not self._left or (isinstance(home, list) and len(home) >= _MAX_ELEMENTS):
            return False
        self._left -= 1
        _put(home, self._name, new)
        return True


def _container(event: str, value: Any) -> Any:
    return {} if event == "start_map" else [] if event == "start_array" else value


def _put(home: list[Any] | dict[str, Any], name: str, value: Any) -> None:
    if isinstance(home, list):
        home.append(value)
    else:
        home[name] = value


def _listed(file: BinaryIO, place: str, names: Sequence[str]) -> Iterator[Any]:
    """The elements of the list at these names: built one after the other, the rest of the file is skipped."""
    events = events_of(file, place)
    if begins(events, "start_array", names):
        yield from list_elements(events, place)


def begins(events: Iterator[Event], wanted: str, names: Sequence[str]) -> bool:
    """Reads up to the beginning of the value at these names of nested objects. False if there is no such value."""
    path: list[str | None] = []  # the names of the containers that are open; None in a list
    name: str | None = None
    home: list[str | None] = [None, *names]
    for event, value in events:
        if event == "map_key":
            name = value
        elif event.startswith("end"):
            path.pop()
            name = None
        elif event.startswith("start"):
            path.append(name)
            name = None
            if event == wanted and path == home:
                return True
    return False


def list_elements(events: Iterator[Event], place: str) -> Iterator[Any]:
    """The elements of the list that has just begun, one by one. Raises ResultsRefused."""
    for number, (event, value) in enumerate(events, 1):
        if event == "end_array":
            return
        yield value_of(event, value, events, f"{place}, element {number}")


def value_of(event: str, value: Any, events: Iterator[Event], where: str) -> Any:
    """One whole value, of which this is the first event. Raises ResultsRefused if it needs too much memory."""
    root = _container(event, value)
    homes: list[list[Any] | dict[str, Any]] = [root] if event.startswith("start") else []
    names: list[str] = [""]
    size = 0
    while homes:
        event, value = next(events)
        size += 64 + (len(value) if isinstance(value, str) else 0)
        if size > MAX_VALUE_BYTES:
            raise ResultsRefused(where, f"it needs more than {MAX_VALUE_BYTES:,} bytes")
        if event == "map_key":
            names[-1] = value
        elif event.startswith("end"):
            homes.pop()
            names.pop()
        else:
            new = _container(event, value)
            _put(homes[-1], names[-1], new)
            if event.startswith("start"):
                homes.append(new)
                names.append("")
    return root


def text_of(value: Any) -> str:
    """A value as a text: a text itself, others as JSON."""
    if isinstance(value, str):
        return value
    try:
        return "" if value is None else json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "[nested too deeply to be written]"
