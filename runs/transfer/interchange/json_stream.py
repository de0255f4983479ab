"""JSON for readers that are strict, written piece by piece."""

from __future__ import annotations

import codecs
import json
import math
from collections.abc import Generator, Iterable
from typing import Any, BinaryIO

_CHUNK = 64 * 1024


def written(value: object) -> bytes:
    """The value as JSON in UTF-8, without what strict readers refuse. Raises RecursionError for a very deep one."""
    return json.dumps(sendable(value), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def sendable(value: Any) -> Any:
    """The value with null for numbers that JSON does not have, and without lone surrogates."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {sendable(name): sendable(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [sendable(each) for each in value]
    return value


def quoted(file: BinaryIO) -> Generator[bytes]:
    """The content of a file as one JSON string, chunk by chunk. Bytes that are not UTF-8 become U+FFFD."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    yield b'"'
    while part := file.read(_CHUNK):
        yield written(decoder.decode(part))[1:-1]
    yield written(decoder.decode(b"", final=True))[1:-1] + b'"'


def listed(values: Iterable[object]) -> Generator[bytes]:
    """A list of values as JSON, several values in each chunk."""
    held = [b"["]
    size = 0
    for number, value in enumerate(values):
        held.append((b",\n" if number else b"\n") + written(value))
        size += len(held[-1])
        if size > _CHUNK:
            yield b"".join(held)
            held, size = [], 0
    yield b"".join(held) + b"\n]"


def members(values: dict[str, Any]) -> bytes:
    """The members of an object without its braces, so that others can follow."""
    return written(values)[1:-1]
