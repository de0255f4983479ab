"""Values that a file refers to in one place and defines in another, stored until they are needed."""

from __future__ import annotations

import json
import tempfile
from contextlib import AbstractContextManager
from typing import Any

from runs.intake.reported.reported_result import ResultsRefused

MAX_TEXTS = 500_000
_MAX_NAME_LENGTH = 300


class Spool(AbstractContextManager["Spool", None]):
    """Texts and JSON values by name, in a temporary file that is removed at the end of the `with` block.

    `in_memory`: where what they come from is in memory anyway, they stay there, and no reader may change a value.
    """

    def __init__(self, place: str, *, in_memory: bool = False) -> None:
        self._place = place
        self._file = None if in_memory else tempfile.TemporaryFile()  # noqa: SIM115 - __exit__ closes it
        self._places: dict[str, tuple[int, int]] = {}
        self._values: dict[str, Any] = {}
        self._end = 0

    def __exit__(self, *_error: object) -> None:
        if self._file is not None:
            self._file.close()

    def __contains__(self, name: str) -> bool:
        return name in self._places or name in self._values

    def put(self, name: str, text: str) -> None:
        """Stores a text; one of the same name is replaced. Raises ResultsRefused if there are too many."""
        if len(name) > _MAX_NAME_LENGTH:
            return
        if len(self._places) + len(self._values) >= MAX_TEXTS:
            raise ResultsRefused(
                self._place, f"it has more than {MAX_TEXTS:,} parts that refer to each other"
            )
        if self._file is None:
            self._values[name] = text
            return
        data = text.encode("utf-8", "surrogatepass")
        self._file.seek(self._end)
        self._file.write(data)
        self._places[name] = (self._end, len(data))
        self._end += len(data)

    def put_value(self, name: str, value: Any) -> None:
        """Stores a JSON value, as `put` a text."""
        self.put(name, value if self._file is None else json.dumps(value, ensure_ascii=False))

    def names(self) -> list[str]:
        """The names of the texts that are left, in the order in which they came."""
        return [*self._places, *self._values]

    def take(self, name: str) -> str | None:
        """The text of this name, which it has no longer then; None without one."""
        text = self.get(name)
        self._places.pop(name, None)
        self._values.pop(name, None)
        return text

    def get(self, name: str) -> str | None:
        """The text of this name; None without one."""
        if self._file is None:
            return self._values.get(name)
        if name not in self._places:
            return None
        start, size = self._places[name]
        self._file.seek(start)
        return self._file.read(size).decode("utf-8", "surrogatepass")

    def value(self, name: str) -> Any:
        """The JSON value of this name; None without one."""
        if self._file is None:
            return self._values.get(name)
        text = self.get(name)
        return None if text is None else json.loads(text)
