"""Reads and re-reads of files."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from runs.analysis.trajectories.kinds import lists
from runs.analysis.trajectories.trace import Trace, TracedCall

Lines = tuple[float, float]  # the first and the last

_STARTS, _ENDS = ("offset", "start_line"), ("end_line",)


@dataclass(frozen=True, slots=True)
class Read:
    """One file shown by one call. `position` is that of the call among all calls of the run, from 0.

    `first` and `last` count lines from 1; `last` is infinite if the call has no end.
    """

    path: str
    step_id: int
    position: int
    first: float = 1
    last: float = math.inf


def reads(trace: Trace, files: Iterable[str] | None) -> tuple[Read, ...]:
    """Every read of a file of the workspace, in order: by a reading tool or a shell command.

    `files` are those of the workspace at the start; together with files that the run changed, they decide which paths
    are files and what a shell pattern matches. None, unknown: each path of a successful call counts, except patterns.
    Listings, searches, failed calls and files outside of the workspace never count.
    """
    changed = (file.path for iteration in trace.iterations for file in iteration.edits)
    known = None if files is None else {*files, *changed}
    shown = []
    position = 0
    for iteration in trace.iterations:
        for call in iteration.calls:
            for path in _shown(call, known):
                shown.append(Read(path, iteration.step_id, position, *_lines(call.arguments)))
            position += 1
    return tuple(shown)


def files_read(read: Iterable[Read]) -> frozenset[str]:
    """The files, each once."""
    return frozenset(each.path for each in read)


def re_reads(read: Iterable[Read]) -> dict[str, tuple[Read, ...]]:
    """The re-reads of each file: reads that showed only lines that were shown before.

    Reading the next part of a long file is not a re-read. Reading it again after a change is.
    """
    seen: dict[str, list[Lines]] = defaultdict(list)
    again: dict[str, list[Read]] = defaultdict(list)
    for each in read:
        if any(first <= each.first and each.last <= last for first, last in seen[each.path]):
            again[each.path].append(each)
        else:
            seen[each.path] = united([*seen[each.path], (each.first, each.last)])
    return {path: tuple(times) for path, times in again.items()}


def _shown(call: TracedCall, known: Set[str] | None) -> Iterator[str]:
    if not call.ok or call.kind not in {"read", "run"} or lists(call.tool):
        return
    for path in call.paths:
        if path.startswith(("/", "../", "~")) or path in {".", "..", "-"}:
            continue
        pattern = call.kind == "run" and any(sign in path for sign in "*?[{$")
        if known is None:
            if not pattern:
                yield path
        elif path in known:
            yield path
        elif pattern:
            yield from sorted(file for file in known if _stands_for(path, file))


def _stands_for(pattern: str, file: str) -> bool:
    """Whether a shell pattern matches a file; a star does not match a slash."""
    return pattern.count("/") == file.count("/") and fnmatchcase(file, pattern)


def _lines(arguments: Mapping[str, Any]) -> Lines:
    """The first and last line in the arguments of a call."""
    window = arguments.get("view_range")
    if isinstance(window, list) and len(window) == 2:
        return _number(window[0], 1), _number(window[1], math.inf)
    first = next((_number(arguments[name], 1) for name in _STARTS if name in arguments), 1.0)
    last = next((_number(arguments[name], math.inf) for name in _ENDS if name in arguments), math.inf)
    if "limit" in arguments:
        last = min(last, first + _number(arguments["limit"], math.inf) - 1)
    return first, last


def _number(value: Any, otherwise: float) -> float:
    """A line number, possibly given as text; invalid ones count as absent."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return otherwise
    return number if 1 <= number < math.inf else otherwise


def united(ranges: Iterable[Lines]) -> list[Lines]:
    """The lines as disjoint ranges."""
    united: list[Lines] = []
    for first, last in sorted(ranges):
        if united and first <= united[-1][1] + 1:
            united[-1] = (united[-1][0], max(last, united[-1][1]))
        else:
            united.append((first, last))
    return united
