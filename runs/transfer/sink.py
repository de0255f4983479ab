"""A file object for formats that are sent while they are written."""

from __future__ import annotations

import io
from typing import Any


class Sink(io.RawIOBase):
    """A file in memory that is only written to. `take` returns and removes what was written since the last call."""

    def __init__(self) -> None:
        super().__init__()
        self._held: list[bytes] = []
        self._length = 0

    def writable(self) -> bool:
        """Always."""
        return True

    def write(self, data: Any) -> int:
        """Stores a copy of the data."""
        held = bytes(data)
        self._held.append(held)
        self._length += len(held)
        return len(held)

    def tell(self) -> int:
        """The number of bytes written so far."""
        return self._length

    def take(self) -> bytes:
        """The bytes that were not taken yet; may be empty."""
        held, self._held = b"".join(self._held), []
        return held
