"""Whether what is known of a session is the beginning of another state of it: the session went on in between."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.records import TRAJECTORY

_CHUNK = 1024**2
_MEASURED = ("metrics", "extra")  # what a step used; its count may come later, or belong to another session


def is_beginning_of_file(older: Path, newer: Path) -> bool:
    """Whether a file begins with the whole content of another one, or is equal. False if one is missing."""
    if not (older.is_file() and newer.is_file()) or older.stat().st_size > newer.stat().st_size:
        return False
    with older.open("rb") as first, newer.open("rb") as second:
        while part := first.read(_CHUNK):
            if second.read(len(part)) != part:
                return False
    return True


def is_beginning_of_record(older: Path, newer: Path) -> bool:
    """Whether the steps in a run directory are the first ones of those in another one, or equal.

    The last step may have gone on: more text, more calls, more results. Two steps are in memory. False if a record is
    missing.
    """
    if not ((older / TRAJECTORY).is_file() and (newer / TRAJECTORY).is_file()):
        return False
    with (older / TRAJECTORY).open("rb") as first, (newer / TRAJECTORY).open("rb") as second:
        first.readline(), second.readline()  # the heads name the files
        line = first.readline()
        while line:
            other, following = second.readline(), first.readline()
            if line != other and not _goes_on(line, other, is_last=not following):
                return False
            line = following
    return True


def _goes_on(line: bytes, other: bytes, *, is_last: bool) -> bool:
    """Whether a step is another state of one, as far as it is known what was said and done."""
    try:
        one, two = (_plain(json.loads(each)) for each in (line, other))
    except (ValueError, AttributeError, RecursionError):  # no further step, or a damaged record
        return False
    if not is_last:
        return one == two
    texts = ("message", "reasoning_content")
    return (
        one.get("source") == two.get("source")
        and all(str(two.get(name, "")).startswith(str(one.get(name, ""))) for name in texts)
        and _is_first_part(one.get("tool_calls", ()), two.get("tool_calls", ()))
        and _is_first_part(_results(one), _results(two))
    )


def _plain(step: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in step.items() if name not in _MEASURED}


def _results(step: Mapping[str, Any]) -> Sequence[Any]:
    results: Sequence[Any] = step.get("observation", {}).get("results", ())
    return results


def _is_first_part(some: Sequence[Any], all_: Sequence[Any]) -> bool:
    return list(some) == list(all_)[: len(some)]
