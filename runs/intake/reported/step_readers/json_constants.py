"""Replaces NaN and Infinity, which Python writes and JSON does not allow, by null while a file is read."""

from __future__ import annotations

import re
from typing import Protocol

# A match of either always succeeds, so that neither goes back over what it has read.
TEXT_REST = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL)  # up to the quote that ends a text
_OUTSIDE = re.compile(rb'(?:[^"NI]+|"[^"\\]*(?:\\.[^"\\]*)*")*', re.DOTALL)
_NAMES = (b"NaN", b"Infinity")
_QUOTE, _BACKSLASH = 0x22, 0x5C


class ByteReader(Protocol):
    """What bytes are read from, one part after the other."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes; none at the end."""


class PlainConstants:
    """A JSON file as it is read, in which NaN, Infinity and -Infinity are null. Texts stay as they are."""

    def __init__(self, file: ByteReader) -> None:
        self._file = file
        self._held = b""  # the beginning of what may be a constant, or a backslash
        self._inside = False  # a text

    def read(self, size: int) -> bytes:
        """About so many bytes; none at the end."""
        while size:  # ijson asks for nothing first, to see what it gets
            new = self._file.read(size)
            part, self._held = self._held + new, b""
            if not part:
                return b""
            if replaced := self._replaced(part, bool(new)):
                return replaced
        return b""

    def _replaced(self, part: bytes, more: bool) -> bytes:
        pieces: list[bytes] = []
        at = start = 0
        while at < len(part):
            if self._inside:
                at = end_of_match(TEXT_REST, part, at)
                if at < len(part) and part[at] == _QUOTE:
                    self._inside = False
                    at += 1
                    continue
                break  # at the end, or before a last backslash
            at = end_of_match(_OUTSIDE, part, at)
            if at < len(part) and part[at] == _QUOTE:
                self._inside = True
                at += 1
            elif (name := next((name for name in _NAMES if part.startswith(name, at)), None)) is not None:
                pieces += [part[start:at].removesuffix(b"-"), b"null"]
                at = start = at + len(name)
            elif more and any(name.startswith(part[at:]) for name in _NAMES):
                at -= part[:at].endswith(b"-") and at > start
                break
            else:
                at += 1
        if more and at < len(part):
            part, self._held = part[:at], part[at:]
        return b"".join((*pieces, part[start:]))


def end_of_match(pattern: re.Pattern[bytes], part: bytes, at: int) -> int:
    """The end of what a pattern matches from here on; `at` itself if that is nothing."""
    match = pattern.match(part, at)
    return at if match is None else match.end()
