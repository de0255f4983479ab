"""The bounds of recorded values: how large, how long and of which form they may be.

The types here annotate the fields of records. The harness reads its own records leniently; records from elsewhere are
checked by these bounds (`runs.transfer.record_shapes`). A function in an annotation returns the value, or raises
ValueError. Nothing here imports pydantic, so that records are read without it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

MAX_SIZE = 2**31 - 1  # the largest value of a column of the database
MAX_TOKENS = 2**53  # up to here, floats are exact
MAX_VALUES, MAX_DEPTH = 5000, 40  # of a free-form value
MAX_TEST_ID_LENGTH = 20_000  # a parametrised test may have a whole file in its name
REQUIRED: Mapping[str, bool] = {"required": True}
"""Metadata of a field that every record has, although its dataclass has a default for it."""
_MAX_WHOLE = 2**63 - 1
_YEAR = 366 * 86_400
_FIRST = datetime(1970, 1, 1, tzinfo=UTC)
_CLOCKS_DIFFER = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of a value, both included. None: there is no such limit. The names are those of pydantic's `Field`."""

    ge: float | None = None
    le: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None


def moment_of(text: str) -> datetime:
    """A time from 1970 until now. Raises ValueError."""
    moment = datetime.fromisoformat(text)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if not _FIRST <= moment <= datetime.now(UTC) + _CLOCKS_DIFFER:
        raise ValueError("must be a time from 1970 until now")
    return moment


def _moment(text: str) -> str:
    moment_of(text)
    return text


def _without_nul(text: str) -> str:
    """Refuses NUL, which PostgreSQL cannot store."""
    if "\0" in text:
        raise ValueError("must not hold the character NUL")
    return text


def _free(value: Any) -> Any:
    """Refuses values that are too deep, too many, or numbers that other programs cannot read."""
    rest = [(value, 1)]
    count = 0
    while rest:
        inner, depth = rest.pop()
        count += 1
        if depth > MAX_DEPTH or count > MAX_VALUES:
            raise ValueError(f"must have at most {MAX_VALUES} values in {MAX_DEPTH} levels")
        if isinstance(inner, float) and not math.isfinite(inner):
            raise ValueError("must hold finite numbers only")
        if isinstance(inner, int) and abs(inner) > _MAX_WHOLE:
            raise ValueError("must hold no whole number beyond 2^63")
        parts = inner.values() if isinstance(inner, dict) else inner if isinstance(inner, list) else ()
        rest.extend((part, depth + 1) for part in parts)
    return value


def _storable(value: Any) -> Any:
    """Refuses NUL in any text, which PostgreSQL cannot store in a value like this."""
    rest = [value]
    while rest:
        inner = rest.pop()
        if isinstance(inner, str):
            _without_nul(inner)
        elif isinstance(inner, dict):
            rest += [*inner, *inner.values()]
        elif isinstance(inner, list):
            rest += inner
    return value


Count = Annotated[int, Bounds(ge=0, le=MAX_SIZE)]
Number = Annotated[int, Bounds(ge=1, le=MAX_SIZE)]
Requests = Annotated[int, Bounds(ge=0, le=100)]  # for one answer of a simulated user
SmallNumber = Annotated[int, Bounds(ge=1, le=1000)]
Tokens = Annotated[int, Bounds(ge=0, le=MAX_TOKENS)]
Seconds = Annotated[float, Bounds(ge=0, le=_YEAR)]
Dollars = Annotated[float, Bounds(ge=0, le=1_000_000)]
Share = Annotated[float, Bounds(ge=0, le=1)]
Slug = Annotated[str, Bounds(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$", max_length=50)]
TaskSlug = Annotated[str, Bounds(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", max_length=100)]
Word = Annotated[str, Bounds(pattern=r"^[A-Za-z0-9._/:@+ -]*$", max_length=200)]
ModelId = Annotated[str, Bounds(pattern=r"^([A-Za-z0-9._:@+-]+(/[A-Za-z0-9._:@+-]+)*)?$", max_length=200)]
RunId = Annotated[
    str, Bounds(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*(/[A-Za-z0-9][A-Za-z0-9_.-]*)*$", max_length=300)
]
AgentName = Annotated[str, Bounds(min_length=1, max_length=100)]
TestId = Annotated[str, Bounds(min_length=1, max_length=MAX_TEST_ID_LENGTH)]
Digest = Annotated[str, Bounds(pattern=r"^[0-9a-f]{64}$")]
Short = Annotated[str, Bounds(max_length=200), _without_nul]
Sentence = Annotated[str, Bounds(max_length=20_000), _without_nul]
FailedPart = Annotated[str, Bounds(max_length=40), _without_nul]
FilePath = Annotated[str, Bounds(max_length=4096), _without_nul]
Message = Annotated[str, Bounds(max_length=10_000)]
Text = Annotated[str, Bounds(max_length=4 << 20)]
Moment = Annotated[str, Bounds(max_length=40), _moment]
Free = Annotated[Mapping[str, Any], _free]
StorableFree = Annotated[Mapping[str, Any], _free, _storable]
