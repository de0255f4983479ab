"""Results of the analysis as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any

import numpy as np

from runs.analysis.estimate import Estimate

SCHEMA = 1
FORMAT = "benchbench report"


def encoded(value: object) -> str:
    """JSON text. The same value gives the same text."""
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def plain(value: object) -> Any:
    """The value in objects, lists, strings, numbers, true, false and null. TypeError for other types.

    An estimate is `{"value", "n", "reason", "low", "high"}`; other dataclasses are objects of their fields. A
    mapping is an object with sorted keys, numbers among them as strings; with keys that are tuples it is a list of
    `{"key", "value"}`. Sets are sorted lists. A number that is not finite is null.
    """
    if value is None or isinstance(value, bool):
        return value
    for kinds, convert in _KINDS:
        if isinstance(value, kinds):
            return convert(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _sendable(value: str) -> str:
    """UTF-8 has no form for half a surrogate pair."""
    return value.encode("utf-8", "replace").decode("utf-8")


def _estimate(estimate: Estimate) -> dict[str, Any]:
    interval = estimate.interval
    return {
        "value": plain(estimate.value),
        "n": estimate.n,
        "reason": estimate.reason,
        "low": None if interval is None else plain(interval.low),
        "high": None if interval is None else plain(interval.high),
    }


def _mapping(value: Mapping[Any, object]) -> Any:
    if any(isinstance(key, tuple) for key in value):
        pairs = [{"key": plain(key), "value": plain(each)} for key, each in value.items()]
        return sorted(pairs, key=lambda pair: str(pair["key"]))
    ordered = sorted(value.items(), key=lambda item: str(item[0]))
    return {_sendable(str(plain(key))): plain(each) for key, each in ordered}


def _sequence(value: Sequence[object]) -> Any:
    names: tuple[str, ...] | None = getattr(value, "_fields", None)
    if names is not None:
        return {name: plain(each) for name, each in zip(names, value, strict=True)}
    return [plain(each) for each in value]


_KINDS: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (Enum, lambda value: plain(value.value)),
    (str, _sendable),
    (int, int),
    (float, lambda value: float(value) if math.isfinite(value) else None),
    ((np.generic, np.ndarray), lambda value: plain(value.tolist())),
    (datetime, datetime.isoformat),
    (Estimate, _estimate),
    (Mapping, _mapping),
    (Set, lambda value: sorted((plain(each) for each in value), key=str)),
    (Sequence, _sequence),
)
