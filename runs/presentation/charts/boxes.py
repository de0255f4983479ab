"""Box plots and strips of points, a row for each sample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from runs.presentation.charts.axis import Axis
from runs.presentation.charts.frame import Frame, dot_style, hover_text
from runs.presentation.charts.named_rows import Rows
from runs.presentation.charts.svg_shapes import Drawing, Sheet

THICK = 14.0  # of a box, in pixels
POINT = 2.5  # the radius of a point
MAX_POINTS = 600  # of a row
LAYERS = 6  # of a strip: where points of several layers overlap, the colour is darker
STRIP = 44.0  # how much higher rows with a strip are, in pixels
GOLDEN = 0.6180339887498949  # steps of this share of a range spread points evenly over it


class Five(NamedTuple):
    """The ends of the whiskers, the quartiles and the median of a sample, in the axis's units."""

    low: float
    q1: float
    median: float
    q3: float
    high: float


@dataclass(frozen=True, slots=True)
class BoxRow:
    """One row. `box` None: the sample is empty, and `note`, which is written beside it, says why.

    `points` are drawn one by one: outliers, or with `strip` a whole sample, spread over the height of the row. Of more
    than MAX_POINTS, points at even distances in the given order are drawn. `hover`: lines below the name.
    """

    name: str
    box: Five | None
    note: str = ""
    points: tuple[float, ...] = ()
    hover: tuple[str, ...] = ()

    @property
    def drawn(self) -> Sequence[float]:
        """The points that are drawn."""
        step = -(-len(self.points) // MAX_POINTS) or 1
        return self.points[::step]


@dataclass(frozen=True, slots=True)
class Boxes:
    """Rows from the top, on one x axis."""

    rows: tuple[BoxRow, ...]
    axis: Axis
    strip: bool = False

    def draw(self, width: float) -> Drawing:
        """As wide as given, in pixels; the height follows from the rows."""
        rows = self._rows(width)
        sheet = Sheet()
        rows.draw(sheet)
        for place, row in enumerate(self.rows):
            y = rows.middle(place)
            points = [(rows.frame.across(value), y + shift) for shift, value in self._points(row)]
            if self.strip:
                for layer in range(LAYERS):
                    sheet.dots("point", points[layer::LAYERS], POINT)
            else:
                sheet.dots("point outlier", points, POINT)
            if row.box is not None:
                _box(sheet, rows.frame, row.box, y)
        return Drawing(width, rows.frame.height, tuple(sheet.shapes))

    def traces(self) -> list[dict[str, Any]]:
        """Plotly's traces: lines for whiskers and boxes, marks for medians and points.

        The file of Plotly that pages load has no box plots.
        """
        known = [(place, row, row.box) for place, row in enumerate(self.rows) if row.box is not None]
        spans = [(place, box.low, box.high) for place, _, box in known]
        halves = [(place, box.q1, box.q3) for place, _, box in known]
        rows = self._rows(1000.0)
        marks = {
            "type": "scatter",
            "mode": "markers",
            "cliponaxis": False,
            "x": [self.axis.place(value) for row in self.rows for _, value in self._points(row)],
            "y": [
                place + shift / rows.pitch
                for place, row in enumerate(self.rows)
                for shift, _ in self._points(row)
            ],
            "hoverinfo": "skip",
            "marker": {**dot_style(2 * POINT, [not self.strip]), "opacity": 0.5},
        }
        medians = {
            "type": "scatter",
            "mode": "markers",
            "cliponaxis": False,
            "x": [self.axis.place(box.median) for _, _, box in known],
            "y": [place for place, _, _ in known],
            "text": [hover_text([row.name, *(row.hover or (row.note,))]) for _, row, _ in known],
            "hovertemplate": "%{text}<extra></extra>",
            "marker": {"symbol": "line-ns", "size": THICK, "line": {"width": 2, "color": "--ink"}},
        }
        return [marks, self._lines(spans, 1.5, "--ink-3"), self._lines(halves, THICK, "--h2"), medians]

    def layout(self, width: float) -> dict[str, Any]:
        """Axis, margins and names as in the drawing."""
        return self._rows(width).layout()

    def _lines(self, spans: Sequence[tuple[int, float, float]], thick: float, colour: str) -> dict[str, Any]:
        return {
            "type": "scatter",
            "mode": "lines",
            "x": [
                end for _, low, high in spans for end in (self.axis.place(low), self.axis.place(high), None)
            ],
            "y": [end for place, _, _ in spans for end in (place, place, None)],
            "line": {"width": thick, "color": colour},
            "hoverinfo": "skip",
        }

    def _points(self, row: BoxRow) -> Iterator[tuple[float, float]]:
        """The height of each point, in pixels from the middle of the row, and its value."""
        for number, value in enumerate(row.drawn):
            yield ((number * GOLDEN % 1 - 0.5) * (THICK + STRIP) if self.strip else 0.0), value

    def _rows(self, width: float) -> Rows:
        return Rows(
            tuple(row.name for row in self.rows),
            tuple(row.note for row in self.rows),
            self.axis,
            width,
            extra=STRIP if self.strip else 0.0,
        )


def _box(sheet: Sheet, frame: Frame, box: Five, y: float) -> None:
    low, q1, median, q3, high = map(frame.across, box)
    sheet.line("whisker", low, y, q1, y)
    sheet.line("whisker", q3, y, high, y)
    sheet.box("bar h2", q1, y - THICK / 2, q3 - q1, THICK)
    sheet.line("median", median, y - THICK / 2, median, y + THICK / 2)
