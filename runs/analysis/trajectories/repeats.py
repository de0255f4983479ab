"""Equal calls of a run, and sequences of repeated calls."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from itertools import groupby

from runs.analysis.trajectories.trace import TracedCall

STUCK = 3
# Arguments that explain a call without changing its effect: ours, Claude Code's, Codex's.
_WHY = frozenset({"explanation", "description", "justification"})


def marks(calls: Sequence[TracedCall]) -> tuple[bytes, ...]:
    """A digest of each call's tool and arguments, without arguments that explain the call."""
    return tuple(_mark(call, place) for place, call in enumerate(calls))


def episodes(alike: Sequence[bytes]) -> list[range]:
    """The indices of every sequence of three or more equal consecutive calls."""
    rows = []
    first = 0
    for _, row in groupby(alike):
        behind = first + sum(1 for _ in row)
        if behind - first >= STUCK:
            rows.append(range(first, behind))
        first = behind
    return rows


def _mark(call: TracedCall, place: int) -> bytes:
    does = {name: value for name, value in call.arguments.items() if name not in _WHY}
    try:
        written = json.dumps([call.tool, does], sort_keys=True, default=str)
    except (RecursionError, TypeError, ValueError):
        written = f"call {place}, like no other"
    return blake2b(written.encode(errors="replace"), digest_size=16).digest()
