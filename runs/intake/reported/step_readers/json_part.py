"""Reads JSON of any size: a file, or a part of one. It is untrusted: no value may need much memory.

A small one is parsed at once. Others are streamed, from the beginning each time.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from math import inf
from pathlib import Path
from typing import Any, BinaryIO

import ijson
from ijson.common import ObjectBuilder

from runs.intake.reported.report_document import parse_json, pick
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.json_constants import (
    TEXT_REST,
    ByteReader,
    PlainConstants,
    end_of_match,
)

# JSON of up to so many bytes is parsed at once, which also accepts NaN.
SMALL = 8 * 1024**2
# Of one text, one element of a list, or one line of JSON lines.
MAX_VALUE_BYTES = 64 * 1024**2
MAX_BYTES = 4 * 1024**3  # of a part of a file
MAX_DEPTH = 200
# Of the outline of a large file: elements of each list, characters of each text, values and characters in all.
MAX_BEGINNING, _MAX_TEXT_LENGTH, _MAX_VALUES, _MAX_CHARACTERS = 20, 10_000, 200_000, 16 * 1024**2
_CHUNK = 1024**2
_STREAM_CHUNK = 64 * 1024
_MAX_NAME_LENGTH = 64
_UP_TO_BRACKET = re.compile(rb'(?:[^"{}\[\]]+|"[^"\\]*(?:\\.[^"\\]*)*")*', re.DOTALL)
_UP_TO_TOKEN = re.compile(rb'[^"{}\[\]]*')

Event = tuple[str, Any]


@dataclass(frozen=True)
class JsonPart:
    """One value. `opens` opens its `size` bytes.

    Its methods raise ResultsRefused with its `place`.
    """

    place: str
    size: int
    opens: Callable[[], ByteReader] = field(repr=False)
    _whole: list[Any] = field(
        default_factory=list, init=False, repr=False, compare=False
    )  # once it is parsed

    @classmethod
    def of(cls, place: str, size: int, opens: Callable[[], ByteReader]) -> JsonPart:
        """A part of a file. Raises ResultsRefused if it is too large."""
        if size > MAX_BYTES:
            raise ResultsRefused(place, f"it has more than {MAX_BYTES:,} bytes")
        return cls(place, size, opens)

    @classmethod
    def within(cls, path: Path, place: str, start: int, size: int) -> JsonPart:
        """The part of a file that has so many bytes from `start` on. Raises ResultsRefused if it is too large."""
        return cls.of(place, size, partial(FileWindow, path, start, size))

    def forgotten(self) -> JsonPart:
        """The same part, without what was parsed."""
        return JsonPart(self.place, self.size, self.opens)

    def outline(self) -> Any:
        """The value. Of a large one, each list has its first elements only, and each text its beginning."""
        if self.size <= SMALL:
            return self._parsed()
        builder = ObjectBuilder()
        with self._events() as events:
            for event, value in _beginning(events):
                builder.event(event, value)
        return builder.value

    def elements(self, *names: str) -> Iterator[Any]:
        """The elements of the list at these names of nested objects, one by one; nothing without one."""
        if self.size <= SMALL:
            value = pick(self._parsed(), *names)
            yield from value if isinstance(value, list) else ()
            return
        with self._events() as events:
            if _found(events, "start_array", names) is None:
                return
            for number, (event, value) in enumerate(events, 1):
                if event == "end_array":
                    return
                yield _value(event, value, events, f"{self.place}, element {number}")

    def objects(self, *names: str, called: str = "element") -> Iterator[tuple[str, dict[str, Any]]]:
        """The same of a list of objects, each with its place. `called`: what an element is in messages."""
        for number, value in enumerate(self.elements(*names), 1):
            where = f"{self.place}, {called} {number}"
            if not isinstance(value, dict):
                raise ResultsRefused(where, "it is not an object")
            yield where, value

    def items(self, *names: str) -> Iterator[tuple[str, Any]]:
        """The names and values of the object at these names, one by one; nothing without one."""
        if self.size <= SMALL:
            value = pick(self._parsed(), *names)
            yield from value.items() if isinstance(value, dict) else ()
            return
        with self._events() as events:
            if _found(events, "start_map", names) is not None:
                yield from _members(events, self.place)

    def fields(self, names: Collection[str]) -> dict[str, Any]:
        """The values of the object at these names. The others may need any memory."""
        if self.size <= SMALL:
            value = self._parsed()
            if not isinstance(value, dict):
                raise ResultsRefused(self.place, "it is not an object")
            return {name: value[name] for name in names if name in value}
        with self._events() as events:
            if _found(events, "start_map", ()) is None:
                raise ResultsRefused(self.place, "it is not an object")
            return dict(_members(events, self.place, names))

    def text(self, *names: str) -> str | None:
        """The whole text at these names of nested objects, without reading what follows; None if there is none."""
        with self._events() as events:
            found = _found(events, "string", names)
        return None if found is None else str(found[1])

    def digest(self) -> str:
        """SHA-256 of its bytes."""
        state = hashlib.sha256()
        with self._file() as file:
            while data := file.read(_CHUNK):
                state.update(data)
        return state.hexdigest()

    def _parsed(self) -> Any:
        if not self._whole:
            with self._file() as file:
                # As much as there is: a larger buffer would be made for each of many small files.
                data = b"".join(iter(partial(file.read, self.size or 1), b""))
            self._whole.append(parse_json(data, self.place))
        return self._whole[0]

    @contextmanager
    def _events(self) -> Iterator[Iterator[Event]]:
        with self._file() as file:
            yield _events_of(file, self.place)

    @contextmanager
    def _file(self) -> Iterator[ByteReader]:
        file = self.opens()
        try:
            yield file
        finally:
            if callable(close := getattr(file, "close", None)):
                close()


def whole_file(path: Path, place: str) -> JsonPart:
    """The value of a file of any size. What is parsed is shared by its readers, which change nothing in it."""
    about = path.stat()
    return _whole_file(path, place, about.st_size, (about.st_ino, about.st_mtime_ns))


# An ATIF document is read four times: for its form, its sub-agents, its steps and its continuation.
@lru_cache(maxsize=1)
def _whole_file(path: Path, place: str, size: int, _stamp: tuple[int, int]) -> JsonPart:
    return JsonPart(place, size, partial(opened, path, place))


def is_small(path: Path) -> bool:
    """Whether a file is parsed at once."""
    return path.stat().st_size <= SMALL


def opened(path: Path, place: str) -> BinaryIO:
    """A file, to be read. Raises ResultsRefused."""
    try:
        return path.open("rb")
    except OSError as error:
        raise ResultsRefused(place, f"unreadable: {error.strerror}") from error


class FileWindow:
    """Some bytes of a file."""

    def __init__(self, path: Path, start: int, size: int) -> None:
        self._file: BinaryIO = path.open("rb")
        self._file.seek(start)
        self._left = size

    def read(self, size: int = -1, /) -> bytes:
        """At most so many of the bytes that are left; all of them without a size."""
        part = self._file.read(self._left if size < 0 else min(size, self._left))
        self._left -= len(part)
        return part

    @property
    def closed(self) -> bool:
        """Whether it was closed; pyarrow asks."""
        return self._file.closed

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


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


def _events_of(file: ByteReader, place: str) -> Iterator[Event]:
    counting = _Counting(file, place)
    depth = 0
    try:
        for event, value in ijson.basic_parse(counting, use_float=True, buf_size=_STREAM_CHUNK):
            counting.since = 0
            if event.startswith("start"):
                depth += 1
                if depth > MAX_DEPTH:
                    raise ResultsRefused(counting.where, f"it is nested deeper than {MAX_DEPTH} levels")
            elif event.startswith("end"):
                depth -= 1
            yield event, value
    except (ijson.JSONError, ValueError) as error:
        text = error.args[0] if error.args else ""
        text = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
        raise ResultsRefused(counting.where, f"it is not JSON: {text.partition(chr(10))[0][:200]}") from error


def _beginning(events: Iterator[Event]) -> Iterator[Event]:
    """These events, without the elements, values and characters that an outline leaves out."""
    left, left_characters = _MAX_VALUES, _MAX_CHARACTERS
    sizes = [-inf]  # of the lists that are open; an object has no limit, and what is left out is always full
    for event, value in events:
        if event == "map_key":
            yield event, value
        elif event.startswith("end"):
            if sizes.pop() < inf:
                yield event, value
        else:
            beginning = value
            if event == "string":
                beginning = value[: min(_MAX_TEXT_LENGTH, left_characters)]
                left_characters -= len(beginning)
            if is_kept := left > 0 and sizes[-1] < MAX_BEGINNING:
                left -= 1
                sizes[-1] += 1
                yield event, beginning
            if event.startswith("start"):
                sizes.append(inf if not is_kept else 0 if event == "start_array" else -inf)


def _found(events: Iterator[Event], wanted: str, names: Sequence[str]) -> Event | None:
    """The first event of the value of this kind at these names of nested objects; None if there is no such value."""
    path: list[str | None] = []  # the names of the containers that are open; None in a list
    name: str | None = None
    home: list[str | None] = [None, *names]
    for event, value in events:
        if event == "map_key":
            name = value
        elif event.startswith("end"):
            path.pop()
            name = None
        elif event == wanted and name == home[-1] and path == home[:-1]:
            return event, value
        elif event.startswith("start"):
            path.append(name)
            name = None
    return None


def _value(event: str, value: Any, events: Iterator[Event], where: str) -> Any:
    """One whole value, of which this is the first event. Raises ResultsRefused if it needs too much memory."""
    builder = ObjectBuilder()
    builder.event(event, value)
    size = 0
    while builder.containers:
        event, value = next(events)
        size += 64 + (len(value) if isinstance(value, str) else 0)
        if size > MAX_VALUE_BYTES:
            raise ResultsRefused(where, f"it needs more than {MAX_VALUE_BYTES:,} bytes")
        builder.event(event, value)
    return builder.value


def _members(
    events: Iterator[Event], place: str, wanted: Collection[str] | None = None
) -> Iterator[tuple[str, Any]]:
    """The names and values of the object that has just begun; the values of others than `wanted` are skipped."""
    for event, name in events:
        if event == "end_map":
            return
        kind, value = next(events)
        if wanted is None or name in wanted:
            yield name, _value(kind, value, events, f"{place}, {str(name)[:_MAX_NAME_LENGTH]!r}")
            continue
        depth = int(kind.startswith("start"))
        while depth:
            kind, _ = next(events)
            depth += kind.startswith("start") - kind.startswith("end")


def parts_of_list(path: Path, place: str, name: str) -> list[JsonPart]:
    """The elements of the list of this name in the object that a file is, numbered from 1 in their places."""
    with path.open("rb") as file:
        scan = _Scan(name.encode())
        while part := file.read(_CHUNK):
            scan.add(part)
    return [
        JsonPart.within(path, f"{place}, {name} {number}", start, end - start)
        for number, (start, end) in enumerate(scan.ranges, 1)
    ]


def parts_of_file(path: Path, place: str) -> Iterator[JsonPart]:
    """The objects and lists in the list that a file is, one by one, numbered from 1 in their places."""
    count = 0
    with path.open("rb") as file:
        scan = _Scan(b"", before=b'{"":')
        while part := file.read(_CHUNK):
            scan.add(part)
            for start, end in scan.ranges:
                count += 1
                yield JsonPart.within(path, f"{place}, element {count}", start, end - start)
            scan.ranges.clear()


class _Scan:
    """Finds where the objects and lists of a list begin and end, without a look at what is in them."""

    def __init__(self, name: bytes, before: bytes = b"") -> None:
        """`before`: what is read before the file, which is then inside of an object."""
        self.ranges: list[tuple[int, int]] = []
        self._name = name
        self._text = b""  # the last one of the outermost object
        self._held = b""  # a backslash, the last byte of the part before
        self._offset = -len(before)
        self._depth = self._start = 0
        self._inside = self._listing = False
        self.add(before)

    def add(self, new: bytes) -> None:
        """Reads the next bytes."""
        part, self._held = self._held + new, b""
        at = 0
        while at < len(part):
            if self._inside:
                at = self._text_goes_on(part, at)
                continue
            at = end_of_match(_UP_TO_TOKEN if self._depth == 1 else _UP_TO_BRACKET, part, at)
            if at < len(part):
                self._token(part[at : at + 1], self._offset + at)
                at += 1
        self._offset += len(part) - len(self._held)

    def _text_goes_on(self, part: bytes, at: int) -> int:
        end = end_of_match(TEXT_REST, part, at)
        if self._depth == 1:
            self._text = (self._text + part[at:end])[:_MAX_NAME_LENGTH]
        if end < len(part) and part[end : end + 1] == b"\\":
            self._held = part[end:]
            return len(part)
        self._inside = end == len(part)
        return end + 1

    def _token(self, token: bytes, place: int) -> None:
        if token == b'"':
            self._inside, self._text = True, b"" if self._depth == 1 else self._text
        elif token in b"{[":
            self._depth += 1
            if self._depth == 2 and token == b"[" and self._text == self._name:
                self._listing, self.ranges = True, []
            if self._depth == 3:
                self._start = place
        else:
            self._depth -= 1
            if self._listing and self._depth == 2:
                self.ranges.append((self._start, place + 1))
            self._listing &= self._depth >= 2
