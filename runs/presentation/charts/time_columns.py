"""Columns of several parts, one for each day or another step of time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from runs.presentation.charts.axis import Axis, Tick
from runs.presentation.charts.bars import SHADES
from runs.presentation.charts.frame import Frame, hover_text, left_margin, plain
from runs.presentation.charts.svg_shapes import Drawing, Entry, Sheet, width_of

HEIGHT = 240.0
TOP = 26.0
BOTTOM = 46.0
RIGHT = 8.0
SHARE = 0.72  # of a column's place that the column fills
LABEL_GAP = 14.0  # between the names of two columns
MAX_PARTS = len(SHADES)


@dataclass(frozen=True, slots=True)
class TimeColumn:
    """One step of time: its name, and the lengths of its parts in the axis's units."""

    name: str
    parts: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class TimeColumns:
    """Columns from the left, at most MAX_PARTS parts each. `parts` names the parts; a single one has no legend."""

    columns: tuple[TimeColumn, ...]
    axis: Axis
    parts: tuple[str, ...]
    title: str

    def draw(self, width: float) -> Drawing:
        """As wide as given, in pixels."""
        frame = self._frame(width)
        sheet = Sheet()
        frame.draw(sheet)
        floor = frame.up(0)
        for place, column in enumerate(self.columns):
            left = frame.across(place + (1 - SHARE) / 2)
            wide = frame.across(place + (1 + SHARE) / 2) - left
            total = 0.0
            for shade, length in zip(SHADES, column.parts, strict=False):
                if length > 0:
                    low, high = frame.up(total), frame.up(total + length)
                    sheet.box(f"bar {shade}", left, high, wide, min(low, floor) - high)
                    total += length
        legend = tuple(Entry(shade, name) for shade, name in zip(SHADES, self.parts, strict=False))
        return Drawing(width, HEIGHT, tuple(sheet.shapes), legend if len(self.parts) > 1 else ())

    def traces(self) -> list[dict[str, Any]]:
        """Plotly's traces, one for each part."""
        return [
            {
                "type": "bar",
                "name": plain(name),
                "x": [place + 0.5 for place in range(len(self.columns))],
                "y": [column.parts[part] for column in self.columns],
                "hovertext": [
                    hover_text([column.name, f"{name}: {column.parts[part]:,.2f}"]) for column in self.columns
                ],
                "hovertemplate": "%{hovertext}<extra></extra>",
                "marker": {"color": f"--{SHADES[part]}", "line": {"width": 1, "color": "--line-2"}},
            }
            for part, name in enumerate(self.parts)
        ]

    def layout(self, width: float) -> dict[str, Any]:
        """Axes and margins as in the drawing."""
        return {**self._frame(width).layout(), "barmode": "stack", "bargap": 1 - SHARE}

    def _frame(self, width: float) -> Frame:
        left = left_margin(self.axis)
        number = max(1, len(self.columns))
        widest = max((width_of(column.name) for column in self.columns), default=0.0)
        # Every second, third, … name, so that they are apart and as far from each other everywhere.
        every = math.ceil((widest + LABEL_GAP) * number / (width - left - RIGHT))
        ticks = tuple(
            Tick(place + 0.5, column.name) for place, column in enumerate(self.columns) if place % every == 0
        )
        x = Axis(self.title, 0.0, float(number), ticks)
        return Frame(width, HEIGHT, left, RIGHT, TOP, BOTTOM, x, self.axis)
