"""The overview strip above a replay, with marks at the current step and at steps with suspected exploits."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from runs.data.replay.overview_strip import BAR, Strip, coord

MIN_MARK = 9.0
POINTER = 14.0  # width of the triangle above a bar


@dataclass(frozen=True, slots=True)
class StripView:
    """`paths`: kinds with SVG path data. `size`: steps in each slot. `slot`: width of a slot.

    `current`: left edge of the mark, None without a current step. `mark`: its width, wide enough to be seen. `shift`:
    its offset in its slot. `dense`: the mark is wider than a bar.
    `timed`: the height shows the time. `suspected`: SVG path data of the triangles above bars with suspected exploits.
    """

    paths: tuple[tuple[str, str], ...]
    size: int
    slot: str
    mark: str
    shift: str
    dense: bool
    current: str | None
    timed: bool = True
    suspected: str = ""


def strip_view(strip: Strip, place: int | None, suspected: Collection[int] = ()) -> StripView:
    """`place`: of the current step among all steps; None if no step is shown. `suspected`: places of other marks."""
    bar = strip.slot_width * BAR
    mark = max(bar, MIN_MARK)
    shift = (bar - mark) / 2
    return StripView(
        paths=strip.paths,
        size=strip.size,
        slot=coord(strip.slot_width),
        mark=coord(mark),
        shift=coord(shift),
        dense=mark > bar,
        current=None if place is None else coord(place // strip.size * strip.slot_width + shift),
        timed=strip.timed,
        suspected="".join(
            f"M{coord(slot * strip.slot_width + (bar - POINTER) / 2)} -8h{coord(POINTER)}l-{coord(POINTER / 2)} 7z"
            for slot in sorted({place // strip.size for place in suspected})
        ),
    )
