"""Reads TOML files of datasets field by field, and reports each problem with file, field and reason."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol, TypeVar

_Member = TypeVar("_Member", bound=StrEnum)


class Reporter(Protocol):
    """Collects the problems of a dataset."""

    def problem(self, path: Path, where: str, reason: str) -> None:
        """Adds a problem. `where`: the field or line in the file, '' for the whole file."""


class Table:
    """One TOML file, or one table in it, read field by field. `close` reports the fields that were not read.

    If an `optional` file is missing, neither the file nor its fields are reported.
    """

    def __init__(self, reporter: Reporter, path: Path, *, optional: bool = False) -> None:
        self.reporter = reporter
        self.path = path
        self.prefix = ""
        self.readable = False
        self.values: Mapping[str, Any] = {}
        self.known: set[str] = set()
        try:
            self.values = tomllib.loads(path.read_text(encoding="utf-8"))
            self.readable = True
        except FileNotFoundError:
            if not optional:
                self.problem("", "is missing")
        except UnicodeDecodeError as error:
            self.problem(f"byte {error.start}", "is not UTF-8")
        except tomllib.TOMLDecodeError as error:
            self.problem("", f"is not TOML: {error}")

    def text(self, name: str, default: str | None = None) -> str:
        """A non-empty string, or the default."""
        value = self.get(name, default)
        if value not in (None, default) and (not isinstance(value, str) or not value.strip()):
            self.problem(name, f"must be a non-empty string, not {value!r}")
        return value if isinstance(value, str) else ""

    def inner(self, name: str) -> Table:
        """The table of this name in this one; without fields if there is none."""
        value = self.get(name, {})
        if not isinstance(value, dict):
            self.problem(name, f"must be a table, not {value!r}")
            value = {}
        return self._within(f"{name}.", value)

    def array(self, name: str) -> tuple[Table, ...]:
        """The tables of an array, in order. Required, and not empty; in problems they are numbered from 1."""
        value = self.get(name, None)
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            return tuple(self._within(f"{name}[{number}].", item) for number, item in enumerate(value, 1))
        if value is not None:
            self.problem(name, f"must be tables [[{name}]], at least one")
        return ()

    def _within(self, prefix: str, values: Mapping[str, Any]) -> Table:
        table = copy(self)
        table.prefix, table.values, table.known, table.readable = self.prefix + prefix, values, set(), True
        return table

    def texts(self, name: str, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """A non-empty list of strings; with `default` (), it may be empty."""
        value = self.get(name, None if default is None else list(default))
        sound = isinstance(value, list) and all(isinstance(item, str) for item in value)
        if sound and (value or default == ()):
            return tuple(value)
        if value is not None:
            self.problem(name, f"must be a non-empty list of strings, not {value!r}")
        return ()

    def members(self, name: str, known: Sequence[str], *, required: bool = False) -> tuple[str, ...]:
        """A list of some of the `known` names, each once; optional unless it is `required`."""
        value = self.get(name, None if required else [])
        if value is None:
            return ()
        if required and value == []:
            self.problem(name, f"is empty; known are: {', '.join(known)}")
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.problem(name, f"must be a list of strings, not {value!r}")
            return ()
        if unknown := [item for item in value if item not in known]:
            self.problem(name, f"names {', '.join(map(repr, unknown))}; known are: {', '.join(known)}")
        elif len(set(value)) != len(value):
            self.problem(name, f"names one twice: {', '.join(value)}")
        return tuple(value)

    def seconds(self, name: str, default: float) -> float:
        """A positive number of seconds."""
        value = self.get(name, default)
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return float(value)
        self.problem(name, f"must be a positive number of seconds, not {value!r}")
        return default

    def flag(self, name: str) -> bool:
        """True or false; false if it is not given."""
        value = self.get(name, False)
        if not isinstance(value, bool):
            self.problem(name, f"must be true or false, not {value!r}")
        return value is True

    def count(self, name: str, default: int) -> int:
        """A whole number of at least 1."""
        value = self.get(name, default)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
            return value
        self.problem(name, f"must be a whole number of at least 1, not {value!r}")
        return default

    def member(self, name: str, kind: type[_Member]) -> _Member:
        """One of the values of an enumeration."""
        value = self.get(name, None)
        try:
            return kind(value)
        except ValueError:
            if value is not None:
                self.problem(name, f"must be one of {', '.join(kind)}; not {value!r}")
            return next(iter(kind))

    def choice(self, name: str, known: Iterable[str], default: str) -> str:
        """One of a few names."""
        value = self.get(name, default)
        if value in known:
            return str(value)
        self.problem(name, f"must be one of {', '.join(known)}; not {value!r}")
        return default

    def get(self, name: str, default: Any) -> Any:
        """The value of a field. With `default` None, the field is required."""
        self.known.add(name)
        if name not in self.values and default is None and self.readable:
            self.problem(name, "is missing")
        return self.values.get(name, default)

    def close(self) -> None:
        """Reports every field that was not read."""
        for name in sorted(self.values.keys() - self.known):
            self.problem(name, f"is unknown; known are: {', '.join(sorted(self.known))}")

    def problem(self, where: str, reason: str) -> None:
        """Adds a problem of this file."""
        self.reporter.problem(self.path, f"{self.prefix}{where}".rstrip("."), reason)
