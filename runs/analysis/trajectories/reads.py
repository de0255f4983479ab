"""Which files an agent read, and which of them again."""

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

    `first` and `last` count lines from 1; `last` is infinite where the call does not say where it stops.
    """

    path: str
    step_id: int
    position: int
    first: float = 1
    last: float = math.inf


def reads(trace: Trace, files: Iterable[str] | None) -> tuple[Read, ...]:
    """Every time that a file of the workspace was shown, in order: by a tool that reads, or by shell.

    `files` are those of the workspace at the start; with those that the run changed, they tell a file from what is
    none, and what a shell's pattern stands for. None, not known: each path counts that a call which worked names, but
    patterns. Listings, searches, failed calls and files outside of the workspace never count.
    """
    known = None if files is None else {*files, *_changed(trace)}
    found = []
    position = 0
    for iteration in trace.iterations:
        for call in iteration.calls:
            for path in _shown(call, known):
                found.append(Read(path, iteration.step_id, position, *_lines(call.arguments)))
            position += 1
    return tuple(found)


def files_read(read: Iterable[Read]) -> frozenset[str]:
    """Which files, each once."""
    return frozenset(one.path for one in read)


def re_reads(read: Iterable[Read]) -> dict[str, tuple[Read, ...]]:
    """Of each file, the times that it was read again: when it showed no line that it had not shown before.

    Going on to the next part of a long file is no reading again. Reading it again after a change is.
    """
    seen: dict[str, list[Lines]] = defaultdict(list)
    again: dict[str, list[Read]] = defaultdict(list)
    for one in read:
        lines = (one.first, one.last)
        if any(first <= one.first and one.last <= last for first, last in seen[one.path]):
            again[one.path].append(one)
        else:
            seen[one.path] = united([*seen[one.path], lines])
    return {path: tuple(times) for path, times in again.items()}


def _changed(trace: Trace) -> Iterator[str]:
    return (file.path for iteration in trace.iterations for file in iteration.edits)


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
    """A shell's star ends at a slash."""
    return pattern.count("/") == file.count("/") and fnmatchcase(file, pattern)


def _lines(arguments: Mapping[str, Any]) -> Lines:
    """First and last line that a call asks for, as far as its arguments tell."""
    window = arguments.get("view_range")
    if isinstance(window, list) and len(window) == 2:
        return _number(window[0], 1), _number(window[1], math.inf)
    first = next((_number(arguments[name], 1) for name in _STARTS if name in arguments), 1.0)
    last = next((_number(arguments[name], math.inf) for name in _ENDS if name in arguments), math.inf)
    if "limit" in arguments:
        last = min(last, first + _number(arguments["limit"], math.inf) - 1)
    return first, last


def _number(value: Any, otherwise: float) -> float:
    """A line number, also where a model wrote it as text; what is none, or is below 1, is as if it were left out."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return otherwise
    return number if 1 <= number < math.inf else otherwise


def united(ranges: Iterable[Lines]) -> list[Lines]:
    """The same lines as ranges between which there are gaps."""
    united: list[Lines] = []
    for first, last in sorted(ranges):
        if united and first <= united[-1][1] + 1:
            united[-1] = (united[-1][0], max(last, united[-1][1]))
        else:
            united.append((first, last))
    return united
