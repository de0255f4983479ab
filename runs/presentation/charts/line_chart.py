"""Lines, each with its name at its end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from runs.presentation.charts.axis import Axis
from runs.presentation.charts.frame import Frame, hover_text, left_margin, plain
from runs.presentation.charts.svg_shapes import (
    NARROW,
    TEXT_HEIGHT,
    Drawing,
    Entry,
    Sheet,
    fitted,
    stairs,
    width_of,
)
from runs.presentation.formatting.text import one_line

HEIGHTS = {True: 400.0, False: 320.0}
MAX_NAME_LENGTH = 170.0  # pixels
TOP = 26.0
BOTTOM = 46.0
LEAD = 22.0
APART = TEXT_HEIGHT + 2
# Colours of the style sheet, and dashes for readers who do not see colours: 28 pairs before one repeats.
COLOURS = ("accent", "edit", "run", "search", "bad", "near", "ink-2")
DASHES = (("solid", ""), ("dash", "7 4"), ("dot", "2 3"), ("dashdot", "7 3 2 3"))


@dataclass(frozen=True, slots=True)
class Series:
    """One line through points in the order given. `said`: the hover text of each point.

    `band`: low and high at each point, drawn as an area behind the lines; () for none.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    said: tuple[str, ...] = ()
    band: tuple[tuple[float, float], ...] = ()

    @property
    def outline(self) -> list[tuple[float, float]]:
        """The corners of the band: its high end from the left, then its low end from the right."""
        ends = [(x, low, high) for (x, _), (low, high) in zip(self.points, self.band, strict=True)]
        return [*((x, high) for x, _, high in ends), *((x, low) for x, low, _ in reversed(ends))]


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines on two axes. `steps`: the line is level until the next point."""

    series: tuple[Series, ...]
    x: Axis
    y: Axis
    steps: bool = False

    def draw(self, width: float) -> Drawing:
        """As wide as given, in pixels. A narrow drawing has numbers at the ends of several lines, and a legend."""
        frame = self._frame(width)
        sheet = Sheet()
        frame.draw(sheet)
        names = self._names(width)
        heights = self._heights(frame)
        for place, series in enumerate(self.series):
            if series.band:
                sheet.path(
                    f"band {_colour(place)}", [(frame.across(x), frame.up(y)) for x, y in series.outline]
                )
        for place, series in enumerate(self.series):
            if not series.points:
                continue
            drawn = [(frame.across(x), frame.up(y)) for x, y in series.points]
            sheet.path(f"series {_colour(place)} d{_dash(place)}", stairs(drawn) if self.steps else drawn)
            if len(drawn) <= 12:
                for x, y in drawn:
                    sheet.circle(f"knot {_colour(place)}", x, y, 2.5)
            x, y = drawn[-1]
            edge = frame.width - frame.right
            sheet.path("leader", [(x, y), (edge + 4, heights[place]), (edge + LEAD - 4, heights[place])])
            sheet.text(
                f"name {_colour(place)}", edge + LEAD, heights[place] + TEXT_HEIGHT * 0.35, names[place]
            )
        legend = tuple(
            Entry(name, one_line(series.name), numbered=True)
            for name, series in zip(names, self.series, strict=True)
        )
        return Drawing(width, frame.height, tuple(sheet.shapes), legend if self._numbered(width) else ())

    def traces(self) -> list[dict[str, Any]]:
        """Plotly's traces, one for each line, after one for each band."""
        return [
            *(
                _area(self.x, self.y, series, place)
                for place, series in enumerate(self.series)
                if series.band
            ),
            *(self._trace(series, place) for place, series in enumerate(self.series)),
        ]

    def _trace(self, series: Series, place: int) -> dict[str, Any]:
        return {
            "type": "scatter",
            "mode": "lines+markers" if len(series.points) <= 12 else "lines",
            "name": plain(series.name),
            "x": [self.x.place(x) for x, _ in series.points],
            "y": [self.y.place(y) for _, y in series.points],
            "text": [
                hover_text([series.name, *([said] if said else [])])
                for said in series.said or ("",) * len(series.points)
            ],
            "hovertemplate": "%{text}<extra></extra>",
            "line": {
                "shape": "hv" if self.steps else "linear",
                "dash": DASHES[_dash(place)][0],
                "width": 1.75,
                "color": f"--{_colour(place)}",
            },
            "marker": {"size": 5, "color": f"--{_colour(place)}"},
        }

    def layout(self, width: float) -> dict[str, Any]:
        """Axes, margins and names as in the drawing."""
        frame = self._frame(width)
        heights = self._heights(frame)
        inner = frame.height - frame.top - frame.bottom
        found = frame.layout()
        return {
            **found,
            "annotations": [
                *found["annotations"],
                *(
                    {
                        "xref": "paper",
                        "yref": "paper",
                        "x": 1,
                        "y": (frame.height - frame.bottom - heights[place]) / inner,
                        "text": plain(name),
                        "showarrow": False,
                        "xanchor": "left",
                        "yanchor": "middle",
                        "xshift": LEAD,
                        "font": {"color": f"--{_colour(place)}"},
                    }
                    for place, name in enumerate(self._names(width))
                    if self.series[place].points
                ),
            ],
        }

    def _numbered(self, width: float) -> bool:
        return width <= NARROW and len(self.series) > 1

    def _names(self, width: float) -> list[str]:
        if self._numbered(width):
            return [str(number) for number in range(1, len(self.series) + 1)]
        return [fitted(series.name, MAX_NAME_LENGTH) for series in self.series]

    def _frame(self, width: float) -> Frame:
        widest = max((width_of(name) for name in self._names(width)), default=0.0)
        height = HEIGHTS[width > NARROW]
        height = max(height, TOP + BOTTOM + APART * len(self.series))
        right = widest + LEAD + 4
        left = max(left_margin(self.y), self._lead_in(width - right))
        return Frame(width, height, left, right, TOP, BOTTOM, self.x, self.y)

    def _lead_in(self, end: float) -> float:
        """Room on the left for the first label of the x axis, whose middle is at its tick; the axis ends at `end`."""
        if not self.x.ticks:
            return 0.0
        first = self.x.ticks[0]
        at = self.x.at(first.value)
        return (width_of(first.label) / 2 - at * end) / (1 - at) if at < 1 else 0.0

    def _heights(self, frame: Frame) -> list[float]:
        """The places of the names: at the ends of their lines, moved apart where they would overlap."""
        ends = [frame.up(series.points[-1][1]) if series.points else math.inf for series in self.series]
        return spread(ends, frame.top, frame.height - frame.bottom)


def _area(x: Axis, y: Axis, series: Series, place: int) -> dict[str, Any]:
    """A band: Plotly fills it with a lighter tone of the line's colour."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [x.place(at) for at, _ in series.outline],
        "y": [y.place(at) for _, at in series.outline],
        "fill": "toself",
        "hoverinfo": "skip",
        "line": {"width": 0, "color": f"--{_colour(place)}"},
    }


def spread(wanted: Sequence[float], low: float, high: float) -> list[float]:
    """Heights at least APART from one another, in the same order, near the wanted ones; inf stays inf.

    From the low end, each height is moved beyond the one before it; then back from the high end.
    """
    order = sorted((place for place, at in enumerate(wanted) if math.isfinite(at)), key=lambda p: wanted[p])
    found = list(wanted)
    before = low - APART
    for place in order:
        found[place] = before = max(found[place], before + APART)
    after = high + APART
    for place in reversed(order):
        found[place] = after = min(found[place], after - APART)
    return found


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def _dash(place: int) -> int:
    return place // len(COLOURS) % len(DASHES)
