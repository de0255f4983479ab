"""A dot with its interval for each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from runs.presentation.charts.axis import Axis
from runs.presentation.charts.frame import dot_style, error_bars, hover_text
from runs.presentation.charts.named_rows import Rows
from runs.presentation.charts.svg_shapes import Drawing, Sheet

RADIUS = 4.5


@dataclass(frozen=True, slots=True)
class Dot:
    """One row. `note` is written beside it; where `value` is None, it gives the reason.

    `low` and `high` are the ends of its interval. `hollow`: of another kind than the others. `hover`: lines of the
    hover text below its name.
    """

    name: str
    value: float | None
    note: str = ""
    low: float | None = None
    high: float | None = None
    hollow: bool = False
    hover: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dots:
    """Rows from the top, on one x axis. `reference`: a value that is marked by a dashed line."""

    rows: tuple[Dot, ...]
    axis: Axis
    reference: float | None = None

    def draw(self, width: float) -> Drawing:
        """As wide as given, in pixels; the height follows from the rows."""
        rows = self._rows(width)
        frame = rows.frame
        sheet = Sheet()
        if self.reference is not None:  # below the names
            x = frame.across(self.reference)
            sheet.line("front", x, frame.top, x, frame.height - frame.bottom)
        rows.draw(sheet)
        for place, row in enumerate(self.rows):
            y = rows.middle(place)
            if row.low is not None and row.high is not None:
                sheet.line("whisker", frame.across(row.low), y, frame.across(row.high), y)
            if row.value is not None:
                sheet.circle("dot hollow" if row.hollow else "dot", frame.across(row.value), y, RADIUS)
        return Drawing(width, frame.height, tuple(sheet.shapes))

    def traces(self) -> list[dict[str, Any]]:
        """Plotly's traces."""
        known = [(place, row, row.value) for place, row in enumerate(self.rows) if row.value is not None]
        return [
            {
                "type": "scatter",
                "mode": "markers",
                "cliponaxis": False,
                "x": [self.axis.place(value) for _, _, value in known],
                "y": [place for place, _, _ in known],
                "text": [hover_text([row.name, *(row.hover or (row.note,))]) for _, row, _ in known],
                "hovertemplate": "%{text}<extra></extra>",
                "error_x": error_bars([(value, row.low, row.high) for _, row, value in known]),
                "marker": dot_style(2 * RADIUS, [row.hollow for _, row, _ in known]),
            }
        ]

    def layout(self, width: float) -> dict[str, Any]:
        """Axis, margins and names as in the drawing."""
        found = self._rows(width).layout()
        if self.reference is None:
            return found
        line = {"color": "--ink-3", "width": 1.5, "dash": "dash"}
        ends = {"x0": self.reference, "x1": self.reference, "y0": 0, "y1": 1}
        return {**found, "shapes": [{"type": "line", "yref": "paper", **ends, "line": line}]}

    def _rows(self, width: float) -> Rows:
        return Rows(
            tuple(row.name for row in self.rows), tuple(row.note for row in self.rows), self.axis, width
        )
