"""Texts that a file names in one place and has in another, stored on disk until they are needed."""

from __future__ import annotations

import tempfile
from contextlib import AbstractContextManager

from runs.intake.reported.reported_result import ResultsRefused

MAX_TEXTS = 500_000
_MAX_NAME_LENGTH = 300


class Spool(AbstractContextManager["Spool", None]):
    """Texts by name, in a temporary file that is removed at the end of the `with` block."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - __exit__ closes it
        self._places: dict[str, tuple[int, int]] = {}
        self._end = 0

    def __exit__(self, *_error: object) -> None:
        self._file.close()

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def put(self, name: str, text: str) -> None:
        """Stores a text; one of the same name is replaced. Raises ResultsRefused if there are too many."""
        if len(name) > _MAX_NAME_LENGTH:
            return
        if len(self._places) >= MAX_TEXTS:
            raise ResultsRefused(
                self._place, f"it has more than {MAX_TEXTS:,} parts that refer to each other"
            )
        data = text.encode("utf-8", "surrogatepass")
        self._file.seek(self._end)
        self._file.write(data)
        self._places[name] = (self._end, len(data))
        self._end += len(data)

    def names(self) -> list[str]:
        """The names of the texts that are left, in the order in which they came."""
        return list(self._places)

    def take(self, name: str) -> str | None:
        """The text of this name, which it has no longer then; None without one."""
        text = self.get(name)
        self._places.pop(name, None)
        return text

    def get(self, name: str) -> str | None:
        """The text of this name; None without one."""
        if name not in self._places:
            return None
        start, size = self._places[name]
        self._file.seek(start)
        return self._file.read(size).decode("utf-8", "surrogatepass")
