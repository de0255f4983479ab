"""The dimensions that judges review. Each is a file in `prompts/dimensions/`; a new file is a new dimension."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from harness.errors import ConfigurationError

DIRECTORY = Path(__file__).parent / "prompts" / "dimensions"
PITFALLS = "pitfalls"
GENERAL, TESTS = "general", "tests"
SETS = (GENERAL, TESTS)
MAX_GUIDE_LENGTH = 6000
_NAME = re.compile(r"[a-z][a-z_]{1,39}")
_FIELDS = {"title", "summary", "sets", "order", "guide"}


@dataclass(frozen=True, slots=True)
class Dimension:
    """One dimension. `name` is the file's name, `summary` a sentence for pages, `guide` the text for the judge.

    `sets`: `general` for the work of any coding agent, `tests` for tasks whose result is tests. `order` sorts them.
    """

    name: str
    title: str
    summary: str
    guide: str
    sets: tuple[str, ...] = (GENERAL,)
    order: int = 100

    @property
    def lists_pitfalls(self) -> bool:
        """Whether evidence lines are pitfalls, with category, frequency and mechanism, from which a burden follows."""
        return self.name == PITFALLS


@cache
def dimensions() -> Mapping[str, Dimension]:
    """All shipped dimensions by name, in their order. Raises ConfigurationError for an invalid file."""
    found = [read_dimension(path) for path in sorted(DIRECTORY.glob("*.toml"))]
    return {each.name: each for each in sorted(found, key=lambda each: (each.order, each.name))}


def dimensions_of(name: str) -> tuple[Dimension, ...]:
    """The dimensions of a set, `general` or `tests`. Raises ConfigurationError for another name."""
    if name not in SETS:
        raise ConfigurationError(f"no set of dimensions is called {name!r}; there are {', '.join(SETS)}")
    return tuple(each for each in dimensions().values() if name in each.sets)


def dimension_named(name: str) -> Dimension:
    """The dimension of this name. Raises ConfigurationError, with those that exist, for another name."""
    try:
        return dimensions()[name]
    except KeyError:
        known = ", ".join(dimensions())
        raise ConfigurationError(f"no dimension is called {name!r}; there are {known}") from None


def read_dimension(path: Path) -> Dimension:
    """The dimension in a file. Raises ConfigurationError with the file, the field and what it must be."""
    try:
        stored: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{path}: {error}") from error
    if not _NAME.fullmatch(path.stem):
        raise ConfigurationError(f"{path}: name the file with 2 to 40 lower-case letters and underscores")
    if unknown := set(stored) - _FIELDS:
        raise ConfigurationError(f"{path}: unknown fields {sorted(unknown)}; known are {sorted(_FIELDS)}")
    for name in ("title", "summary", "guide"):
        if not isinstance(stored.get(name), str) or not stored[name].strip():
            raise ConfigurationError(f"{path}: {name} must be a text")
    if len(stored["guide"]) > MAX_GUIDE_LENGTH:
        raise ConfigurationError(f"{path}: guide must have at most {MAX_GUIDE_LENGTH} characters")
    order, sets = stored.get("order", 100), stored.get("sets", [GENERAL])
    if not isinstance(order, int) or isinstance(order, bool):
        raise ConfigurationError(f"{path}: order must be a whole number")
    if not isinstance(sets, list) or not sets or not all(each in SETS for each in sets):
        raise ConfigurationError(f"{path}: sets must be a list of {' and '.join(SETS)}")
    return Dimension(
        path.stem,
        stored["title"].strip(),
        stored["summary"].strip(),
        stored["guide"].strip(),
        tuple(sets),
        order,
    )
