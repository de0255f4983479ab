"""Full-text search in the steps of one run: a case-insensitive substring, with limits on time and matches."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.records import EDITS, TRAJECTORY, Step, StepEdits
from runs.data.replay.jsonl import Stamp, complete_lines, edits_in, stamp, step_in
from runs.data.replay.outline import Outline, OutlineRow
from runs.data.replay.step_filter import SearchHits

MAX_MATCHES = 2_000
MAX_SECONDS = 3.0
MAX_EXCERPT_SECONDS = 0.5
AROUND = 40
CACHED_SEARCHES = 32

# Characters that JSON never escapes: a run of them in the query finds candidate lines without parsing.
_PLAIN = re.compile(r"[ !#-.0-\[\]-~]+")


@dataclass(frozen=True, slots=True)
class _Hits:
    """Offsets of matching lines in the trajectory, and numbers of steps with matching edits. Else as SearchHits."""

    offsets: tuple[int, ...]
    changes: tuple[int, ...]
    cut: str
    until: float


_cache: dict[tuple[Path, Stamp, Stamp, str], _Hits] = {}
_one_at_a_time = threading.Lock()


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The first match in a step, raw: the field it is in, the matching text, and the text around it."""

    where: str
    before: str
    match: str
    after: str


def search(outline: Outline, q: str) -> SearchHits:
    """The steps with `q` in their message, reasoning, arguments or results, or in a line that they changed.

    Stops after 2,000 steps or 3 seconds. A process runs one search at a time, and caches the last ones.
    """
    home = outline.directory
    key = (home, stamp(home / TRAJECTORY), stamp(home / EDITS), q)
    hits = _cache.get(key)
    if hits is None:
        with _one_at_a_time:
            hits = _cache.get(key)
            if hits is None:
                hits = _cache[key] = _scan(*key)
                while len(_cache) > CACHED_SEARCHES:
                    del _cache[next(iter(_cache))]
    return SearchHits(outline.places_at(hits.offsets, hits.changes), hits.cut, hits.until)


def excerpts(outline: Outline, rows: Iterable[OutlineRow], q: str) -> dict[int, Excerpt]:
    """The first match of `q` in each of these steps, by place. Stops after half a second."""
    deadline = time.monotonic() + MAX_EXCERPT_SECONDS
    pattern = _pattern(q)
    by_place: dict[int, Excerpt] = {}
    for row in rows:
        step = outline.step(row)
        excerpt = None if step is None else _excerpt(texts_of(step), pattern)
        if excerpt is None and row.edited and (changed := outline.edits(row.number)):
            excerpt = _excerpt(texts_of_change(changed), pattern)
        if excerpt is not None:
            by_place[row.place] = excerpt
        if time.monotonic() > deadline:
            break
    return by_place


def texts_of(step: Step) -> Iterator[tuple[str, str]]:
    """Every searched text of a step, with the name of its field."""
    yield "message", step.message
    yield "reasoning", step.reasoning
    for call in step.calls:
        for name, value in call.arguments.items():
            for text in strings_in(value):
                yield str(name), text
        yield "tool", call.name
    for result in step.results:
        yield "result", result.content


def texts_of_change(edits: StepEdits) -> Iterator[tuple[str, str]]:
    """Every searched text of an edit: its path, and the added and removed lines without their signs."""
    for file in edits.files:
        yield "change", file.path
        yield "change", changed_lines(file.diff)


def changed_lines(diff: str) -> str:
    """The added and removed lines of a diff of one file, without their signs."""
    return "\n".join(line[1:] for line in _hunks(diff) if line.startswith(("+", "-")))


def _hunks(diff: str) -> list[str]:
    """The lines from the first hunk header on: before it, `--- a/x` is not a removed line."""
    lines = diff.split("\n")
    return lines[next((at for at, line in enumerate(lines) if line.startswith("@@")), len(lines)) :]


def _scan(directory: Path, trajectory: Stamp, edits: Stamp, q: str) -> _Hits:
    whole = max(1, trajectory[1] + edits[1])
    deadline = time.monotonic() + MAX_SECONDS
    pattern = _pattern(q)
    hint = max(_PLAIN.findall(q), key=len, default="").lower().encode()
    offsets: list[int] = []
    changes: list[int] = []
    for name, size, before in ((TRAJECTORY, trajectory[1], 0), (EDITS, edits[1], trajectory[1])):
        for offset, line in complete_lines(directory / name, 0, size):
            if hint in line.lower():
                if name == TRAJECTORY and offset and _holds(line, pattern):
                    offsets.append(offset)
                elif name == EDITS and (number := _changed_in(line, pattern)) is not None:
                    changes.append(number)
            cut = "number" if len(offsets) + len(changes) >= MAX_MATCHES else ""
            cut = cut or ("time" if time.monotonic() > deadline else "")
            if cut:
                return _Hits(tuple(offsets), tuple(changes), cut, (before + offset + len(line)) / whole)
    return _Hits(tuple(offsets), tuple(changes), "", 1.0)


def _holds(line: bytes, pattern: re.Pattern[str]) -> bool:
    step = step_in(line)
    return step is not None and _excerpt(texts_of(step), pattern) is not None


def _changed_in(line: bytes, pattern: re.Pattern[str]) -> int | None:
    """The number of the step, if its edits match."""
    edits = edits_in(line)
    if edits is None or _excerpt(texts_of_change(edits), pattern) is None:
        return None
    return edits.step_id


def _excerpt(texts: Iterable[tuple[str, str]], pattern: re.Pattern[str]) -> Excerpt | None:
    for where, text in texts:
        match = pattern.search(text)
        if match:
            begin, end = match.span()
            return Excerpt(where, text[max(0, begin - AROUND) : begin], match[0], text[end : end + AROUND])
    return None


def _pattern(q: str) -> re.Pattern[str]:
    return re.compile(re.escape(q), re.IGNORECASE)


def strings_in(value: Any, depth: int = 0) -> Iterator[str]:
    """Texts and numbers in nested arguments."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list) and depth < 8:
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings_in(inner, depth + 1)
    elif value is not None and not isinstance(value, dict | list):
        yield str(value)
