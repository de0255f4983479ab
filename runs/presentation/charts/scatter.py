"""Points with intervals and names, and a Pareto front."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from runs.presentation.charts.axis import Axis
from runs.presentation.charts.distinct_names import distinct
from runs.presentation.charts.frame import Frame, dot_style, error_bars, hover_text, left_margin, plain
from runs.presentation.charts.labels import RINGS, Label, Rectangle, Spot, placed
from runs.presentation.charts.line_chart import COLOURS
from runs.presentation.charts.svg_shapes import NARROW, TEXT_HEIGHT, Drawing, Entry, Sheet, stairs
from runs.presentation.formatting.text import one_line

RADIUS, LARGE = 4.5, 7.0
HEIGHTS = {True: 400.0, False: 340.0}
MAX_NAME_LENGTH = 180.0  # pixels
TOP = 26.0
BOTTOM = 46.0
RIGHT = 14.0
SHADE_EDGE = 8.0  # pixels of a band above and below its ends, so that a mark at an end is within it


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """One mark. `low` and `high` are the ends of the interval of `y`.

    `hollow`: of another kind; `here`: the page's own. `named`: its name is shown beside it where there is room.
    `hover`: lines of the hover text below its name. `group`: the number of its group, which has a colour of its own;
    the name should say it, too. `href`: where a click on it leads.
    """

    name: str
    x: float
    y: float
    low: float | None = None
    high: float | None = None
    hollow: bool = False
    here: bool = False
    named: bool = True
    hover: tuple[str, ...] = ()
    group: int = 0
    href: str = ""

    @property
    def colour(self) -> str:
        """The name of the style sheet's variable, which is also the class of the mark."""
        return COLOURS[self.group % len(COLOURS)]

    @property
    def radius(self) -> float:
        """In pixels."""
        return LARGE if self.here else RADIUS


@dataclass(frozen=True, slots=True)
class Scatter:
    """Points on two axes. `front` is drawn as steps, each as high as the point on its left.

    `shade`: the ends on the y axis of a band behind the points. `numbered`: points without room for their name have a
    number, which the legend explains; else they have nothing but their mark.
    """

    points: tuple[ScatterPoint, ...]
    x: Axis
    y: Axis
    front: tuple[tuple[float, float], ...] = ()
    shade: tuple[float, float] | None = None
    numbered: bool = True

    def draw(self, width: float) -> Drawing:
        """As wide as given, in pixels."""
        frame = self.frame(width)
        sheet = Sheet()
        frame.draw(sheet)
        if self.shade:
            low, high = map(frame.up, self.shade)
            across = frame.width - frame.left - frame.right
            sheet.box("band", frame.left, high - SHADE_EDGE, across, low - high + 2 * SHADE_EDGE)
        if self.front:
            sheet.path("front", self._stairs(frame))
        for box in self._whiskers(frame):
            sheet.line("whisker", box.left + 1, box.top, box.left + 1, box.bottom)
        labels, legend = _labelled(self, width)
        for point, label in zip(self.points, labels, strict=True):
            if label.leads:
                sheet.line("leader", frame.across(point.x), frame.up(point.y), *_end(label))
        for point in self.points:
            kind = "dot" + (" hollow" if point.hollow else "") + (" here" if point.here else "")
            kind += f" {point.colour}" if point.group else ""
            across, up = frame.across(point.x), frame.up(point.y)
            sheet.circle(kind, across, up, point.radius, href=point.href, label=point.name)
        for point, label in zip(self.points, labels, strict=True):
            if not label.name:
                continue
            sheet.text("name here" if point.here else "name", label.x, label.y, label.name, label.anchor)
        return Drawing(width, frame.height, tuple(sheet.shapes), legend)

    def traces(self) -> list[dict[str, Any]]:
        """Plotly's traces. Colours are names of style sheet variables."""
        front = {
            "type": "scatter",
            "mode": "lines",
            "x": [self.x.place(x) for x, _ in sorted(self.front)],
            "y": [y for _, y in sorted(self.front)],
            "line": {"shape": "hv", "dash": "dash", "width": 1.5, "color": "--ink-3"},
            "hoverinfo": "skip",
        }
        marks = [
            self._marks([point for point in self.points if point.group == group])
            for group in sorted({point.group for point in self.points})
        ]
        return [front, *marks] if self.front else marks or [self._marks([])]

    def _marks(self, points: Sequence[ScatterPoint]) -> dict[str, Any]:
        """The marks of one group."""
        return {
            "type": "scatter",
            "mode": "markers",
            "cliponaxis": False,
            "x": [self.x.place(point.x) for point in points],
            "y": [point.y for point in points],
            **({"customdata": [point.href for point in points]} if any(one.href for one in points) else {}),
            "text": [hover_text([point.name, *point.hover]) for point in points],
            "hovertemplate": "%{text}<extra></extra>",
            "error_y": error_bars([(point.y, point.low, point.high) for point in points]),
            "marker": dot_style(
                [2 * point.radius for point in points],
                [point.hollow for point in points],
                f"--{points[0].colour}" if points else "--accent",
            ),
        }

    def layout(self, width: float) -> dict[str, Any]:
        """Axes, margins and names as in the drawing."""
        frame = self.frame(width)
        labels, _ = _labelled(self, width)
        found = frame.layout()
        if self.shade:
            low, high = self.shade
            edge = SHADE_EDGE * (self.y.high - self.y.low) / (frame.height - frame.top - frame.bottom)
            ends = {"x0": 0, "x1": 1, "y0": low - edge, "y1": high + edge}
            look = {"fillcolor": "--accent", "opacity": 0.15, "line": {"width": 0}, "layer": "below"}
            found["shapes"] = [{"type": "rect", "xref": "paper", **ends, **look}]
        return {
            **found,
            "annotations": [
                *found["annotations"],
                *(
                    {
                        "x": math.log10(self.x.place(point.x)) if self.x.log else point.x,
                        "y": math.log10(self.y.place(point.y)) if self.y.log else point.y,
                        "text": plain(label.name),
                        "showarrow": False,
                        "xanchor": {"start": "left", "middle": "center", "end": "right"}[label.anchor],
                        "yanchor": "middle",
                        "xshift": label.x - frame.across(point.x),
                        "yshift": frame.up(point.y) - label.y + TEXT_HEIGHT * 0.35,
                    }
                    for point, label in zip(self.points, labels, strict=True)
                ),
            ],
        }

    def frame(self, width: float) -> Frame:
        """The rectangle of the marks."""
        height = HEIGHTS[width > NARROW]
        return Frame(width, height, left_margin(self.y), RIGHT, TOP, BOTTOM, self.x, self.y)

    def _stairs(self, frame: Frame) -> list[tuple[float, float]]:
        return stairs([(frame.across(x), frame.up(y)) for x, y in sorted(self.front)])

    def _whiskers(self, frame: Frame) -> list[Rectangle]:
        """The boxes of the intervals, two pixels wide."""
        return [
            Rectangle((x := frame.across(point.x)) - 1, frame.up(point.high), x + 1, frame.up(point.low))
            for point in self.points
            if point.low is not None and point.high is not None
        ]

    def labels(self, frame: Frame) -> tuple[list[Label], tuple[Entry, ...]]:
        """The label of each point, and the legend of the numbers."""
        inside = Rectangle(frame.left, frame.top - 8, frame.width, frame.height - frame.bottom)
        taken = [*self._whiskers(frame), *map(_covered, pairwise(self._stairs(frame)))]
        names = distinct([point.name for point in self.points], MAX_NAME_LENGTH)
        spots = [
            Spot(
                frame.across(point.x),
                frame.up(point.y),
                point.radius,
                name if point.named else "",
            )
            for point, name in zip(self.points, names, strict=True)
        ]
        found = placed(spots, inside, taken, RINGS if self.numbered else RINGS[:2])
        crowded = [place for place, label in enumerate(found) if label is None and spots[place].name]
        if crowded and not self.numbered:
            nameless = [
                spot._replace(name="") if label is None else spot
                for spot, label in zip(spots, found, strict=True)
            ]
            return [label or _upon(spot) for label, spot in zip(found, nameless, strict=True)], ()
        if crowded:
            for number, place in enumerate(crowded, 1):
                spots[place] = spots[place]._replace(name=str(number))
            found = placed(spots, inside, taken)
        labels = [label or _upon(spot) for label, spot in zip(found, spots, strict=True)]
        return labels, tuple(
            Entry(spots[place].name, one_line(self.points[place].name), numbered=True) for place in crowded
        )


@lru_cache(maxsize=64)
def _labelled(scatter: Scatter, width: float) -> tuple[list[Label], tuple[Entry, ...]]:
    """Cached, as finding places takes most of the time and both renderings need them."""
    return scatter.labels(scatter.frame(width))


def _covered(ends: tuple[tuple[float, float], tuple[float, float]]) -> Rectangle:
    """The box of a vertical or horizontal line, two pixels wide."""
    (x1, y1), (x2, y2) = ends
    return Rectangle(min(x1, x2) - 1, min(y1, y2) - 1, max(x1, x2) + 1, max(y1, y2) + 1)


def _upon(spot: Spot) -> Label:
    """The place above the mark, for labels without any free place."""
    return Label(spot.name, spot.x, spot.y - spot.radius - 2, "middle", leads=False)


def _end(label: Label) -> tuple[float, float]:
    """The end of a leader line at its label."""
    return (label.x, label.y - TEXT_HEIGHT * 0.35)
