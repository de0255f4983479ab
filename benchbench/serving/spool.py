"""A queue of bytes: the first 256 KB in memory, more of them in an unnamed file."""

from __future__ import annotations

import contextlib
import tempfile
from typing import IO

IN_MEMORY = 256 * 1024


class Spool:
    """Bytes that come out in the order in which they went in. Not for several threads at once.

    `directory`: where the file is made, on a disk and not in memory.
    """

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._file: IO[bytes] | None = None
        self._read = self._written = 0

    def __len__(self) -> int:
        return self._written - self._read

    def put(self, data: bytes | memoryview) -> None:
        """Appends bytes. Raises OSError when the disk is full."""
        if self._file is None:
            # Closed by `close`.
            self._file = tempfile.SpooledTemporaryFile(IN_MEMORY, dir=self._directory)  # noqa: SIM115
        self._file.seek(self._written)
        self._file.write(data)
        self._written += len(data)

    def peek(self, most: int) -> bytes:
        """Up to `most` of the first bytes, which stay in the queue."""
        if self._file is None:
            return b""
        self._file.seek(self._read)
        return self._file.read(most)

    def drop(self, count: int) -> None:
        """Removes the first `count` bytes. An empty queue gives its memory and its file back."""
        self._read += count
        if not len(self):
            self.close()

    def close(self) -> None:
        """Empties the queue. On a full disk, too: what the file still has to write is not needed."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
        self._file = None
        self._read = self._written = 0
