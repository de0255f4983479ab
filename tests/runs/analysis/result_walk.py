"""Walks through whole results: finds invalid values and listed runs, and compares them without names."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from typing import Any

from runs.analysis.estimate import Estimate, Exclusion, Interval
from runs.analysis.everything import everything
from runs.analysis.facts import RunFacts

Path = tuple[str, ...]


def each(runs: Sequence[RunFacts]) -> dict[str, object]:
    """Every result of the pages by its group and name."""
    return {
        f"{group}.{name}": found
        for group, results in everything(runs).items()
        for name, found in results.items()
    }


def walk(found: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """A result and all that it is made of, each with the way to it."""
    yield path, found
    if is_dataclass(found):
        for field in fields(found):
            yield from walk(getattr(found, field.name), (*path, field.name))
    elif isinstance(found, Mapping):
        for key, value in found.items():
            yield from walk(key, (*path, "key"))
            yield from walk(value, (*path, str(key)))
    elif isinstance(found, tuple | list | Set):
        for number, value in enumerate(found):
            yield from walk(value, (*path, str(number)))


def impossible(found: object) -> list[str]:
    """What no result may hold: numbers that are none, intervals without a width or beside their value, runs named
    twice.
    """
    wrong = []
    for path, each in walk(found):
        place = ".".join(path)
        if isinstance(each, float) and not math.isfinite(each):
            wrong.append(f"{place} is {each}")
        if isinstance(each, Interval) and not each.low <= each.high:
            wrong.append(f"{place} is from {each.low} to {each.high}")
        if isinstance(each, Estimate) and not isinstance(each.value, float | int | None):
            wrong.append(f"{place} is a {type(each.value)}")
        if isinstance(each, Estimate) and each.interval and each.value is not None:
            wrong += _beside(place, each.value, each.interval)
        if isinstance(each, Exclusion) and list(each.runs) != sorted(set(each.runs)):
            wrong.append(f"{place} names {each.runs}")
        if isinstance(each, Exclusion) and not each.runs:
            wrong.append(f"{place} lists no run")
    return wrong


def _beside(place: str, value: float, interval: Interval) -> list[str]:
    """An interval has a width, and holds its value."""
    dust = 1e-9 * max(1.0, abs(value))
    message = f"{place}: {value}, from {interval.low} to {interval.high}"
    held = interval.low - dust <= value <= interval.high + dust
    return [] if held and interval.low < interval.high else [message]


def named(found: object) -> set[int]:
    """The numbers of all runs that a result says it left something of out."""
    return {run for _, each in walk(found) if isinstance(each, Exclusion) for run in each.runs}


def plain(found: object, rename: Callable[[str], str] = str, drop: Set[str] = frozenset()) -> Any:
    """A result as nested tuples that compare: floats to nine digits, rows of things in no order.

    `rename` gives names their other ones; fields in `drop` are left out.
    """
    if isinstance(found, str):
        return rename(found)
    if isinstance(found, float):
        return float(f"{found:.9g}") + 0.0
    if is_dataclass(found):
        shown = (field.name for field in fields(found) if field.name not in drop)
        return (type(found).__name__, *((name, plain(getattr(found, name), rename, drop)) for name in shown))
    if isinstance(found, Mapping):
        return _unordered(
            (plain(key, rename, drop), plain(value, rename, drop)) for key, value in found.items()
        )
    if isinstance(found, tuple | list | Set):
        each = [plain(value, rename, drop) for value in found]
        # Rows of numbers have a meaning in their order; everything else is sorted by something, names in the end.
        numbers = all(isinstance(value, float | int | None) for value in found)
        return tuple(each) if numbers and not isinstance(found, Set) else _unordered(each)
    return found


def _unordered(found: Any) -> tuple[Any, ...]:
    return tuple(sorted(found, key=repr))
