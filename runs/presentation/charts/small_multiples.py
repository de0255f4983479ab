"""Small charts of equal size on one axis: the same rows in the same order, once for each panel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from runs.presentation.charts.axis import Axis
from runs.presentation.charts.distinct_names import distinct
from runs.presentation.charts.frame import dot_style, error_bars, hover_text, left_margin, plain
from runs.presentation.charts.svg_shapes import TEXT_HEIGHT, Drawing, Sheet, SvgShape, pixels, width_of

ACROSS = 3
CELL = 122.0  # the height of a panel with its name and the gap below it, in pixels
NAME = 20.0  # of that, the name
PLOT = 84.0  # and the plot
SHARE = 0.92  # of the width of a cell: its panel; the rest is a gap
RADIUS = 1.75
TOP = 4.0
RIGHT = 4.0


class PanelMark(NamedTuple):
    """A value with the ends of its interval; None: unknown. `hover`: what it is, and its value in words."""

    value: float | None
    low: float | None
    high: float | None
    hover: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChartPanel:
    """One little chart. `note` stands beside its name where there is room. All panels have marks of the same rows."""

    name: str
    note: str
    marks: tuple[PanelMark, ...]


@dataclass(frozen=True, slots=True)
class SmallMultiples:
    """Panels from left to right and from top to bottom, with values on one y axis."""

    panels: tuple[ChartPanel, ...]
    y: Axis

    def draw(self, width: float) -> Drawing:
        """As wide as given, in pixels; the height follows from the number of panels."""
        sheet = Sheet()
        left, cell = self._left, self._cell(width)
        names = distinct([panel.name for panel in self.panels], cell * SHARE)
        for place, (panel, name) in enumerate(zip(self.panels, names, strict=True)):
            x = left + place % ACROSS * cell
            y = TOP + place // ACROSS * CELL
            sheet.text("name", x, y + TEXT_HEIGHT, name)
            if width_of(name) + width_of(panel.note) + 8 <= cell * SHARE:
                sheet.text("tick", x + cell * SHARE, y + TEXT_HEIGHT, panel.note, "end")
            for tick in self.y.ticks:
                level = y + NAME + PLOT * (1 - self.y.at(tick.value))
                sheet.line("grid", x, level, x + cell * SHARE, level)
                if not place % ACROSS:
                    sheet.text("tick", x - 6, level + 4, tick.label, "end")
            # One path for all intervals and one for all dots, which are lines without length: there are hundreds.
            whiskers, dots = [], []
            for mark in _known(panel):
                across = pixels(x + cell * SHARE * mark.share)
                low, value, high = (
                    pixels(y + NAME + PLOT * (1 - self.y.at(end)))
                    for end in (mark.low, mark.value, mark.high)
                )
                whiskers.append(f"M{across} {high}V{low}")
                dots.append(f"M{across} {value}h0")
            sheet.shapes.append(SvgShape("path", {"class": "whisker thin", "d": "".join(whiskers)}))
            sheet.shapes.append(SvgShape("path", {"class": "dot small", "d": "".join(dots)}))
        sheet.text("axis", width - RIGHT, self._height - 4, self.y.title, "end")
        return Drawing(width, self._height, tuple(sheet.shapes))

    def traces(self) -> list[dict[str, Any]]:
        """Plotly's traces: one for all panels, in cells of width and height 1."""
        marks = [
            (place % ACROSS + SHARE * mark.share, place // ACROSS, panel.name, mark)
            for place, panel in enumerate(self.panels)
            for mark in _known(panel)
        ]
        ends = [
            (self._down(row, mark.value), self._down(row, mark.low), self._down(row, mark.high))
            for _, row, _, mark in marks
        ]
        return [
            {
                "type": "scatter",
                "mode": "markers",
                "cliponaxis": False,
                "x": [x for x, *_ in marks],
                "y": [value for value, _, _ in ends],
                "text": [hover_text([name, *mark.hover]) for *_, name, mark in marks],
                "hovertemplate": "%{text}<extra></extra>",
                # The axis of cells points down, so the low end of an interval has the larger coordinate.
                "error_y": error_bars([(value, high, low) for value, low, high in ends]),
                "marker": dot_style(2 * RADIUS, [False] * len(marks)),
            }
        ]

    def layout(self, width: float) -> dict[str, Any]:
        """Plotly's layout: cells of width and height 1, with the names of the panels."""
        cell = self._cell(width)
        names = distinct([panel.name for panel in self.panels], cell * SHARE)
        rows = -(-len(self.panels) // ACROSS)
        bare = {"showticklabels": False, "showgrid": False, "zeroline": False}
        return {
            "width": width,
            "height": self._height,
            "margin": {"l": self._left, "r": RIGHT, "t": TOP, "b": NAME, "pad": 0},
            "showlegend": False,
            "xaxis": {**bare, "range": [0, ACROSS]},
            "yaxis": {**bare, "range": [rows, 0]},
            "annotations": [
                {
                    "x": place % ACROSS,
                    "y": place // ACROSS + TEXT_HEIGHT / CELL,
                    "text": plain(name),
                    "showarrow": False,
                    "xanchor": "left",
                    "yanchor": "bottom",
                }
                for place, name in enumerate(names)
            ],
        }

    def _down(self, row: int, value: float) -> float:
        """The y coordinate of a value in cells of height 1."""
        return row + (NAME + PLOT * (1 - self.y.at(value))) / CELL

    @property
    def _left(self) -> float:
        return left_margin(self.y)

    @property
    def _height(self) -> float:
        return TOP + CELL * -(-len(self.panels) // ACROSS) + NAME

    def _cell(self, width: float) -> float:
        return (width - self._left - RIGHT) / ACROSS


class _Drawn(NamedTuple):
    """A known mark: where it stands, as a share of the panel's width, and its value with the ends of its interval."""

    share: float
    value: float
    low: float
    high: float
    hover: tuple[str, ...]


def _known(panel: ChartPanel) -> Iterator[_Drawn]:
    """The known marks; without an interval its ends are its value."""
    for place, (value, low, high, hover) in enumerate(panel.marks):
        if value is not None:
            share = (place + 0.5) / len(panel.marks)
            yield _Drawn(share, value, value if low is None else low, value if high is None else high, hover)
