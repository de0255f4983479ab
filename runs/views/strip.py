"""The strip above a replay: every step at a glance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from runs.views.trajectory import OutlineRow

WIDTH, HEIGHT, LEAST = 1000.0, 36.0, 5.0
MOST_BARS = 250
_LOUDEST = ("failed", "edit", "run", "search", "read", "other")


@dataclass(frozen=True, slots=True)
class Bar:
    """One step, or several neighbours where there are more than fit; `number` is the first of them."""

    number: int
    last: int
    kind: str
    title: str
    x: str
    y: str
    width: str
    height: str


def bars(rows: Sequence[OutlineRow]) -> tuple[Bar, ...]:
    """Height grows with the square root of the seconds, so that a long step does not flatten all others."""
    if not rows:
        return ()
    size = math.ceil(len(rows) / MOST_BARS)
    groups = [rows[start : start + size] for start in range(0, len(rows), size)]
    longest = max(row.seconds for row in rows) or 1.0
    slot = WIDTH / max(len(groups), 16)
    return tuple(_bar(group, place, slot, longest) for place, group in enumerate(groups))


def _bar(group: Sequence[OutlineRow], place: int, slot: float, longest: float) -> Bar:
    height = LEAST + (HEIGHT - LEAST) * math.sqrt(max(0.0, *(row.seconds for row in group)) / longest)
    kinds = {"failed" if row.failed else row.kind for row in group}
    kind = next((kind for kind in _LOUDEST if kind in kinds), "other")
    first, last = group[0], group[-1]
    title = f"step {first.number}: {first.tool or 'message'} {first.target}".strip()
    if last is not first:
        title = f"steps {first.number} to {last.number}"
    return Bar(
        number=first.number,
        last=last.number,
        kind=kind,
        title=title,
        x=f"{place * slot:.1f}",
        y=f"{HEIGHT - height:.1f}",
        width=f"{slot * 0.86:.1f}",
        height=f"{height:.1f}",
    )
