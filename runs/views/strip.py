"""The strip above a replay: every step at a glance, drawn as one path for each kind."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from runs.replay.strip import Slot, Strip

WIDTH, HEIGHT, LEAST = 1000.0, 36.0, 5.0
FEWEST_SLOTS = 16
LEAST_MARK = 9.0
# From the bottom up: what failed is on top, where it is seen.
KINDS = ("read", "search", "other", "run", "edit", "failed")


@dataclass(frozen=True, slots=True)
class StripView:
    """`paths` are kinds with what an SVG path draws.

    `size` steps are in each slot, which is `slot` wide. `current` is the left edge of the mark of the current step,
    `mark` how wide it is, and `shift` where it begins in its slot: it can be seen however many slots there are.
    `dense`: it is wider than a bar.
    """

    paths: tuple[tuple[str, str], ...]
    size: int
    slot: str
    mark: str
    shift: str
    dense: bool
    current: str | None


def strip_view(strip: Strip, place: int | None) -> StripView:
    """Height grows with the square root of the seconds, so that a long step does not flatten all others.

    A slot of several steps is divided as they are by kind.
    """
    slot = WIDTH / max(len(strip.slots), FEWEST_SLOTS)
    bar = slot * 0.86
    mark = max(bar, LEAST_MARK)
    shift = (bar - mark) / 2
    longest = max((one.seconds for one in strip.slots), default=0.0) or 1.0
    paths: dict[str, list[str]] = defaultdict(list)
    for number, one in enumerate(strip.slots):
        for kind, drawn in _bar(one, number * slot, bar, longest):
            paths[kind].append(drawn)
    return StripView(
        paths=tuple((kind, "".join(paths[kind])) for kind in KINDS if kind in paths),
        size=strip.size,
        slot=_short(slot),
        mark=_short(mark),
        shift=_short(shift),
        dense=mark > bar,
        current=None if place is None else _short(strip.slot_of(place) * slot + shift),
    )


def _bar(slot: Slot, left: float, width: float, longest: float) -> Iterator[tuple[str, str]]:
    height = LEAST + (HEIGHT - LEAST) * math.sqrt(max(0.0, slot.seconds) / longest)
    kinds = dict(slot.kinds)
    steps = sum(kinds.values())
    bottom = HEIGHT
    for kind in KINDS:
        if kind in kinds:
            part = height * kinds[kind] / steps
            bottom -= part
            yield kind, f"M{_short(left)} {_short(bottom)}h{_short(width)}v{_short(part)}h-{_short(width)}z"


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
