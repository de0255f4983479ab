"""The strip above a replay, with the current step marked in it."""

from __future__ import annotations

from dataclasses import dataclass

from runs.replay.overview_strip import BAR, Strip, short

LEAST_MARK = 9.0


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
    """`place` is that of the current step among all; None: no step is shown."""
    bar = strip.slot_width * BAR
    mark = max(bar, LEAST_MARK)
    shift = (bar - mark) / 2
    return StripView(
        paths=strip.paths,
        size=strip.size,
        slot=short(strip.slot_width),
        mark=short(mark),
        shift=short(shift),
        dense=mark > bar,
        current=None if place is None else short(place // strip.size * strip.slot_width + shift),
    )
