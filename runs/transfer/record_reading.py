"""Reads the records of an external run directory, one line at a time, into exact shapes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from runs.transfer.record_shapes import checked

MAX_LINE_LENGTH = 4 << 20
MAX_MARKS, MAX_VALUES = 600_000, 250_000  # in one JSON text
_MARKS = (b",", b"[", b"{")
_Record = TypeVar("_Record")


class RecordRefused(Exception):
    """A file of a run directory is broken, too large or contradicts another one. The message is one line."""

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(f"{file}: {reason}")


def lines_of(directory: Path, name: str) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers from 1; none if there is no such file.

    Raises RecordRefused for a line that is too long, and for a last line without an end.
    """
    try:
        file = (directory / name).open("rb")
    except FileNotFoundError:
        return
    with file:
        number = 0
        while line := file.readline(MAX_LINE_LENGTH + 1):
            number += 1
            if len(line) > MAX_LINE_LENGTH:
                raise RecordRefused(f"{name}, line {number}", f"is longer than {MAX_LINE_LENGTH} bytes")
            if not line.endswith(b"\n"):
                raise RecordRefused(f"{name}, line {number}", "is cut off")
            yield number, line


def whole_file(directory: Path, name: str, most: int) -> bytes | None:
    """The content; None if there is no such file. Raises RecordRefused if it has more than `most` bytes."""
    try:
        with (directory / name).open("rb") as file:
            content = file.read(most + 1)
    except FileNotFoundError:
        return None
    if len(content) > most:
        raise RecordRefused(name, f"has more than {most} bytes")
    return content


def parsed(record: type[_Record], content: bytes, where: str) -> _Record:
    """The record in a JSON text, as `checked` returns it. Raises RecordRefused with the place of the first error."""
    try:
        return checked(record, _values_in(content))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(ascii(part)[:60].strip("'") for part in first["loc"])
        reason = f"{place}: {first['msg']}" if place else first["msg"]
        raise RecordRefused(where, reason[:400]) from None
    except (RecursionError, ValueError, OverflowError, MemoryError) as error:
        reason = "it is nested too deep" if isinstance(error, RecursionError) else ascii(str(error))[:200]
        raise RecordRefused(where, f"is no JSON that can be read: {reason}") from None


def _values_in(content: bytes) -> object:
    """The values in a JSON text. Raises ValueError for too many, which would need much more memory than the text.

    The standard library parses: Pydantic's parser ends the process when memory runs out.
    """
    if sum(map(content.count, _MARKS)) > MAX_MARKS:
        raise ValueError(f"it has more than {MAX_MARKS} commas and brackets")
    # As text: from bytes, UTF-16 and UTF-32 would be read, too, which no other reader of records expects.
    value = json.loads(content.decode(), object_pairs_hook=_unambiguous)
    count = 0
    rest = [value]
    while rest:
        one = rest.pop()
        count += 1
        if count > MAX_VALUES:
            raise ValueError(f"it has more than {MAX_VALUES} values")
        if isinstance(one, str):
            one.encode()  # a lone surrogate has no encoding
        elif isinstance(one, dict):
            rest.extend(one)
            rest.extend(one.values())
        elif isinstance(one, list):
            rest.extend(one)
    return value


def _unambiguous(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The object. Raises ValueError for a name that comes twice: programs differ in which value they take."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = Counter(name for name, _ in pairs)
        twice = names.most_common(1)[0][0]
        raise ValueError(f"the name {twice[:60]!r} comes twice in an object")
    return found
