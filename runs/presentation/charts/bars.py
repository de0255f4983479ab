"""Horizontal bars of one or several parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from runs.presentation.charts.axis import Axis
from runs.presentation.charts.frame import hover_text, plain
from runs.presentation.charts.named_rows import Rows
from runs.presentation.charts.svg_shapes import Drawing, Entry, Sheet, width_of

THICK = 16.0
# Classes of the parts, which are also style sheet variables of their colours; they differ in grey as well.
SHADES = ("h5", "h3", "h1", "h4", "h2", "h0")


@dataclass(frozen=True, slots=True)
class Bar:
    """One row: the lengths of its parts in the axis's units, and the texts in them, shown where they fit."""

    name: str
    parts: tuple[float, ...]
    written: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Bars:
    """Rows from the top. `parts` names the parts; a single one has no legend."""

    rows: tuple[Bar, ...]
    axis: Axis
    parts: tuple[str, ...]

    def draw(self, width: float) -> Drawing:
        """As wide as given, in pixels; the height follows from the rows."""
        rows = self._rows(width)
        frame = rows.frame
        sheet = Sheet()
        rows.draw(sheet)
        for place, row in enumerate(self.rows):
            y = rows.middle(place)
            for shade, written, start, end in _parts(row):
                left, right = frame.across(start), frame.across(end)
                sheet.box(f"bar {shade}", left, y - THICK / 2, right - left, THICK)
                if written and width_of(written) + 4 <= right - left:
                    sheet.text(f"within {shade}", (left + right) / 2, y + 4, written, "middle")
        legend = tuple(Entry(shade, name) for shade, name in zip(SHADES, self.parts, strict=False))
        return Drawing(width, frame.height, tuple(sheet.shapes), legend if len(self.parts) > 1 else ())

    def traces(self) -> list[dict[str, Any]]:
        """Plotly's traces, one for each part."""
        return [
            {
                "type": "bar",
                "orientation": "h",
                "name": plain(name),
                "x": [row.parts[place] for row in self.rows],
                "y": list(range(len(self.rows))),
                "text": [plain(row.written[place]) if row.written else "" for row in self.rows],
                "textposition": "inside",
                "insidetextanchor": "middle",
                "textangle": 0,
                "textfont": {"color": f"--{SHADES[place]}-ink"},
                "hovertext": [
                    hover_text([row.name, f"{name}: {row.written[place] if row.written else row.note}"])
                    for row in self.rows
                ],
                "hovertemplate": "%{hovertext}<extra></extra>",
                "marker": {"color": f"--{SHADES[place]}", "line": {"width": 1, "color": "--line-2"}},
            }
            for place, name in enumerate(self.parts)
        ]

    def layout(self, width: float) -> dict[str, Any]:
        """Axis, margins and names as in the drawing."""
        rows = self._rows(width)
        share = THICK / rows.pitch
        return {**rows.layout(), "barmode": "stack", "bargap": 1 - share}

    def _rows(self, width: float) -> Rows:
        return Rows(
            tuple(row.name for row in self.rows), tuple(row.note for row in self.rows), self.axis, width
        )


def _parts(row: Bar) -> Iterator[tuple[str, str, float, float]]:
    """Shade, text, start and end of each part with a length."""
    start = 0.0
    written = row.written or ("",) * len(row.parts)
    for shade, text, length in zip(SHADES, written, row.parts, strict=False):
        if length > 0:
            yield shade, text, start, start + length
        start += length
