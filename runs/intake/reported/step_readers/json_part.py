"""A JSON value that is a part of a file: of any size, and read again from its beginning each time."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from runs.intake.reported.report_document import parse_json, pick
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.json_constants import TEXT_REST, ByteReader
from runs.intake.reported.step_readers.json_file import SMALL, begins, events_of, list_elements, value_of

MAX_BYTES = 4 * 1024**3  # of one part
_CHUNK = 1024**2
_UP_TO_BRACKET = re.compile(rb'(?:[^"{}\[\]]+|"[^"\\]*(?:\\.[^"\\]*)*")*', re.DOTALL)
_UP_TO_TOKEN = re.compile(rb'[^"{}\[\]]*')
_MAX_NAME_LENGTH = 64


@dataclass(frozen=True)
class JsonPart:
    """One value. `opens` opens its `size` bytes. A small one is parsed once; others are streamed.

    Its methods raise ResultsRefused with its `place`.
    """

    place: str
    size: int
    opens: Callable[[], ByteReader] = field(repr=False)
    _whole: list[Any] = field(
        default_factory=list, init=False, repr=False, compare=False
    )  # once it is parsed

    def __post_init__(self) -> None:
        if self.size > MAX_BYTES:
            raise ResultsRefused(self.place, f"it has more than {MAX_BYTES:,} bytes")

    def forgotten(self) -> JsonPart:
        """The same part, without what was parsed."""
        return JsonPart(self.place, self.size, self.opens)

    def elements(self, *names: str) -> Iterator[Any]:
        """The elements of the list at these names of nested objects, one by one; nothing without one."""
        if self.size <= SMALL:
            value = pick(self._parsed(), *names)
            yield from value if isinstance(value, list) else ()
            return
        with self._events() as events:
            if begins(events, "start_array", names):
                yield from list_elements(events, self.place)

    def items(self, *names: str) -> Iterator[tuple[str, Any]]:
        """The names and values of the object at these names, one by one; nothing without one."""
        if self.size <= SMALL:
            value = pick(self._parsed(), *names)
            yield from value.items() if isinstance(value, dict) else ()
            return
        with self._events() as events:
            if begins(events, "start_map", names):
                yield from _members(events, self.place)

    def fields(self, names: Collection[str]) -> dict[str, Any]:
        """The values of the object at these names. The others may need any memory."""
        if self.size <= SMALL:
            value = self._parsed()
            if not isinstance(value, dict):
                raise ResultsRefused(self.place, "it is not an object")
            return {name: value[name] for name in names if name in value}
        with self._events() as events:
            if not begins(events, "start_map", ()):
                raise ResultsRefused(self.place, "it is not an object")
            return dict(_members(events, self.place, names))

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
                data = b"".join(iter(partial(file.read, _CHUNK), b""))
            self._whole.append(parse_json(data, self.place))
        return self._whole[0]

    @contextmanager
    def _events(self) -> Iterator[Iterator[tuple[str, Any]]]:
        with self._file() as file:
            yield events_of(file, self.place)

    @contextmanager
    def _file(self) -> Iterator[ByteReader]:
        file = self.opens()
        try:
            yield file
        finally:
            if callable(close := getattr(file, "close", None)):
                close()


def _members(
    events: Iterator[tuple[str, Any]], place: str, wanted: Collection[str] | None = None
) -> Iterator[tuple[str, Any]]:
    """The names and values of the object that has just begun; the values of others than `wanted` are skipped."""
    for event, name in events:
        if event == "end_map":
            return
        kind, value = next(events)
        if wanted is None or name in wanted:
            yield name, value_of(kind, value, events, f"{place}, {str(name)[:_MAX_NAME_LENGTH]!r}")
        elif kind.startswith("start"):
            _skip(events)


def _skip(events: Iterator[tuple[str, Any]]) -> None:
    depth = 1
    while depth:
        event, _ = next(events)
        depth += event.startswith("start") - event.startswith("end")


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


def parts_of_list(path: Path, place: str, name: str) -> list[JsonPart]:
    """The elements of the list of this name in the object that a file is, numbered from 1 in their places."""
    with path.open("rb") as file:
        scan = _Scan(name.encode())
        while part := file.read(_CHUNK):
            scan.add(part)
    return [
        JsonPart(f"{place}, {name} {number}", end - start, partial(FileWindow, path, start, end - start))
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
                size = end - start
                yield JsonPart(f"{place}, element {count}", size, partial(FileWindow, path, start, size))
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
            found = (_UP_TO_TOKEN if self._depth == 1 else _UP_TO_BRACKET).match(part, at)
            at = at if found is None else found.end()
            if at < len(part):
                self._token(part[at : at + 1], self._offset + at)
                at += 1
        self._offset += len(part) - len(self._held)

    def _text_goes_on(self, part: bytes, at: int) -> int:
        found = TEXT_REST.match(part, at)
        end = at if found is None else found.end()
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
