"""Full-text search in the steps of one run: a plain substring, whatever its case, bounded in time and number."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.records import Step
from runs.replay.lines import TRAJECTORY, Stamp, complete_lines, stamp, step_in
from runs.replay.outline import Outline, Row

MOST_MATCHES = 2_000
MOST_SECONDS = 3.0
MOST_EXCERPT_SECONDS = 0.5
AROUND = 40
KEPT_SEARCHES = 32

# What stands in a JSON text as it is: from these the search tells quickly which lines are worth reading.
_PLAIN = re.compile(r"[ !#-.0-\[\]-~]+")


@dataclass(frozen=True, slots=True)
class Found:
    """The places of the steps that hold a text. `cut` says why there may be more: 'number', 'time', or '' for none.

    `until`: the share of the trajectory that was searched, 0 to 1.
    """

    places: tuple[int, ...]
    cut: str = ""
    until: float = 1.0


@dataclass(frozen=True, slots=True)
class _Hits:
    """Where the lines begin that hold a text; `cut` and `until` as in Found."""

    offsets: tuple[int, ...]
    cut: str
    until: float


_kept: dict[tuple[Path, Stamp, str], _Hits] = {}
_one_at_a_time = threading.Lock()


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The first place in a step that holds the text, raw: what it is in, the text, and what stands around it."""

    where: str
    before: str
    match: str
    after: str


def search(outline: Outline, q: str) -> Found:
    """The steps that hold `q` in their message, reasoning, arguments or results.

    At most 2,000 steps are found, in at most 3 seconds. A process searches for one reader at a time; the others wait,
    and whoever asks for the same gets what was found: the last searches are kept.
    """
    key = (outline.directory, stamp(outline.directory / TRAJECTORY), q)
    hits = _kept.get(key)
    if hits is None:
        with _one_at_a_time:
            hits = _kept.get(key)
            if hits is None:
                hits = _scanned(*key)
                _kept[key] = hits
                while len(_kept) > KEPT_SEARCHES:
                    del _kept[next(iter(_kept))]
    return Found(outline.places_at(list(hits.offsets)), hits.cut, hits.until)


def excerpts(outline: Outline, rows: Iterable[Row], q: str) -> dict[int, Excerpt]:
    """Where each of these steps holds `q`, by place. Steps that cannot be read in half a second have none."""
    deadline = time.monotonic() + MOST_EXCERPT_SECONDS
    pattern = _pattern(q)
    found: dict[int, Excerpt] = {}
    for row in rows:
        step = outline.step(row)
        excerpt = None if step is None else _excerpt(step, pattern)
        if excerpt is not None:
            found[row.place] = excerpt
        if time.monotonic() > deadline:
            break
    return found


def texts_of(step: Step) -> Iterator[tuple[str, str]]:
    """Every text of a step that is searched, with what it is."""
    yield "message", step.message
    yield "reasoning", step.reasoning
    for call in step.calls:
        for name, value in call.arguments.items():
            for text in _strings(value):
                yield str(name), text
        yield "tool", call.name
    for result in step.results:
        yield "result", result.content


def _scanned(directory: Path, of: Stamp, q: str) -> _Hits:
    size = of[1]
    deadline = time.monotonic() + MOST_SECONDS
    pattern = _pattern(q)
    hint = max(_PLAIN.findall(q), key=len, default="").lower().encode()
    found: list[int] = []
    for offset, line in complete_lines(directory / TRAJECTORY, 0, size):
        if offset and hint in line.lower() and _holds(line, pattern):
            found.append(offset)
            if len(found) == MOST_MATCHES:
                return _Hits(tuple(found), "number", (offset + len(line)) / size)
        if time.monotonic() > deadline:
            return _Hits(tuple(found), "time", (offset + len(line)) / size)
    return _Hits(tuple(found), "", 1.0)


def _holds(line: bytes, pattern: re.Pattern[str]) -> bool:
    step = step_in(line)
    return step is not None and any(pattern.search(text) for _, text in texts_of(step))


def _excerpt(step: Step, pattern: re.Pattern[str]) -> Excerpt | None:
    for where, text in texts_of(step):
        match = pattern.search(text)
        if match:
            begin, end = match.span()
            return Excerpt(where, text[max(0, begin - AROUND) : begin], match[0], text[end : end + AROUND])
    return None


def _pattern(q: str) -> re.Pattern[str]:
    return re.compile(re.escape(q), re.IGNORECASE)


def _strings(value: Any, depth: int = 0) -> Iterator[str]:
    """Texts and numbers in arguments, however they are nested."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list) and depth < 8:
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner, depth + 1)
    elif value is not None and not isinstance(value, dict | list):
        yield str(value)
