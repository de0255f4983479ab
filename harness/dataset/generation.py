"""How a task was made: by hand, by changing functions of a repository, or from a change that was merged.

tasks/<task>/start.diff       hidden: from the repository's source/ to the tree that the agent gets
tasks/<task>/generation.json  hidden: origin, targets, measures, and what the generator recorded
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

START, GENERATION = "start.diff", "generation.json"
GENERATION_SCHEMA = 1
MAX_GENERATION_BYTES = 8 << 20


class Origin(StrEnum):
    """Where a task comes from. Success rates of different origins say different things and are never pooled."""

    HAND_MADE = "hand-made"
    REMOVED = "removed"
    CORRUPTED = "corrupted"
    MULTIPLE = "multiple"
    PULL_REQUEST = "pull request"
    RELEASE = "release"


@dataclass(frozen=True, slots=True)
class Target:
    """A function that has to be repaired. `name` is qualified; `occurrence`: see `harness.functions.Function`."""

    path: str
    name: str
    occurrence: int = 0

    def __str__(self) -> str:
        number = f" ({self.occurrence + 1})" if self.occurrence else ""
        return f"{self.path}: {self.name}{number}"


@dataclass(frozen=True, slots=True)
class Generation:
    """The record of a generated task. `measures`: numbers of the target by name; the first target of several.

    `detail`: everything else in the file, as the generator wrote it.
    """

    origin: Origin
    targets: tuple[Target, ...] = ()
    measures: Mapping[str, float] = field(default_factory=dict, repr=False)
    detail: Mapping[str, Any] = field(default_factory=dict, repr=False)


def read_generation(path: Path, problem: Callable[[str, str], None]) -> Generation | None:
    """The record in a file. None, with a call of `problem(field, reason)` for each mistake, if it is invalid."""
    if path.stat().st_size > MAX_GENERATION_BYTES:
        problem("", f"is too big: at most {MAX_GENERATION_BYTES >> 20} MB are read")
        return None
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        problem("", f"is not JSON: {error}")
        return None
    if not isinstance(stored, dict) or stored.get("schema_version") != GENERATION_SCHEMA:
        problem("schema_version", f"must be {GENERATION_SCHEMA}")
        return None
    try:
        origin = Origin(str(stored.get("origin")))
    except ValueError:
        problem("origin", f"must be one of {', '.join(Origin)}; not {stored.get('origin')!r:.100}")
        return None
    targets = _targets(stored.get("targets", []), problem)
    measures = _measures(stored.get("measures", {}), problem)
    known = {"schema_version", "origin", "targets", "measures"}
    detail = {name: value for name, value in stored.items() if name not in known}
    detail["targets"] = stored.get("targets", [])
    return Generation(origin, targets, measures, detail)


def _targets(stored: object, problem: Callable[[str, str], None]) -> tuple[Target, ...]:
    found: list[Target] = []
    for number, item in enumerate(stored if isinstance(stored, list) else [None], 1):
        values = item if isinstance(item, dict) else {}
        path, name, occurrence = values.get("path"), values.get("name"), values.get("occurrence", 0)
        sound = isinstance(path, str) and isinstance(name, str) and isinstance(occurrence, int)
        if sound and path and name and occurrence >= 0:
            found.append(Target(path, name, occurrence))
        else:
            problem(f"targets[{number}]", "must have a path, a name, and an occurrence of at least 0")
    if len(set(found)) < len(found):
        problem("targets", "names a function twice")
    return tuple(found)


def _measures(stored: object, problem: Callable[[str, str], None]) -> Mapping[str, float]:
    if isinstance(stored, dict) and all(
        isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        for value in stored.values()
    ):
        return {name: float(value) for name, value in stored.items()}
    problem("measures", "must be an object of numbers")
    return {}
