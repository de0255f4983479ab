"""Where files are written that are sent while they are made."""

from __future__ import annotations

import io
from typing import Any


class Sink(io.RawIOBase):
    """A file that only goes forward: `take` gives what was written since it was last called, and forgets it."""

    def __init__(self) -> None:
        super().__init__()
        self._held: list[bytes] = []
        self._length = 0

    def writable(self) -> bool:
        """It is there to be written to."""
        return True

    def write(self, data: Any) -> int:
        """Holds a copy of all of it."""
        held = bytes(data)
        self._held.append(held)
        self._length += len(held)
        return len(held)

    def tell(self) -> int:
        """How much was written in all."""
        return self._length

    def take(self) -> bytes:
        """What was not taken yet; empty when nothing was written."""
        held, self._held = b"".join(self._held), []
        return held
