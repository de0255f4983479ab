"""Names that are cut to fit, and that still differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from runs.presentation.charts.svg_shapes import TEXT_HEIGHT, fitted, width_of
from runs.presentation.formatting.text import one_line


def distinct(names: Sequence[str], room: float) -> list[str]:
    """Each name, cut to fit in `room` pixels. Those that would be cut to the same text lose their middle instead.

    What is cut is the end of what they share; where they still are the same, they show their ends.
    """
    whole = [one_line(name) for name in names]
    shown = [fitted(name, room) for name in whole]
    for places in _equal(shown, whole):
        shared = _shared([whole[place] for place in places])
        start = max(shared.rfind(mark) for mark in " /-_") + 1
        for place in places:
            end = whole[place][start:]
            fits = width_of(end) + 2 * TEXT_HEIGHT <= room
            shown[place] = (
                fitted(whole[place], room - width_of(end)) + end if fits else _end(whole[place], room)
            )
    for places in _equal(shown, whole):
        for place in places:
            shown[place] = _end(whole[place], room)
    return shown


def _equal(shown: Sequence[str], whole: Sequence[str]) -> list[list[int]]:
    """The places of different names that are shown as the same text."""
    places = defaultdict(list)
    for place, text in enumerate(shown):
        places[text].append(place)
    return [group for group in places.values() if len({whole[place] for place in group}) > 1]


def _shared(names: Sequence[str]) -> str:
    """What all of these begin with."""
    first, last = min(names), max(names)
    same = next(
        (place for place, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first)
    )
    return first[:same]


def _end(name: str, room: float) -> str:
    while name and width_of(name) + TEXT_HEIGHT > room:
        name = name[1:]
    return f"…{name.lstrip()}"
