"""The rectangle for the marks, with its axes, as a drawing and as a layout of Plotly."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from runs.presentation.charts.axis import Axis, Tick
from runs.presentation.charts.svg_shapes import TEXT_HEIGHT, Sheet, width_of
from runs.presentation.formatting.text import one_line

MAX_LENGTH = 200
TICK_GAP = 6.0


@dataclass(frozen=True, slots=True)
class Frame:
    """Sizes and margins in pixels. `y` None: there are rows in place of a y axis."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    x: Axis
    y: Axis | None = None

    def across(self, value: float) -> float:
        """The x coordinate of a value, in pixels."""
        return self.left + self.x.at(value) * (self.width - self.left - self.right)

    def up(self, value: float) -> float:
        """The y coordinate of a value, in pixels from the top."""
        assert self.y is not None, "a frame of rows has no y axis"
        return self.height - self.bottom - self.y.at(value) * (self.height - self.top - self.bottom)

    def draw(self, sheet: Sheet) -> None:
        """Grid, ticks and titles."""
        floor = self.height - self.bottom
        for tick in _apart(self.x, (self.width - self.left - self.right)):
            x = self.across(tick.value)
            sheet.line("grid", x, self.top, x, floor)
            sheet.text("tick", x, floor + TICK_GAP + TEXT_HEIGHT, tick.label, "middle")
        sheet.text("axis", self.width - self.right, self.height - 6, self.x.title, "end")
        if self.y is None:
            return
        for tick in self.y.ticks:
            y = self.up(tick.value)
            sheet.line("grid", self.left, y, self.width - self.right, y)
            sheet.text("tick", self.left - TICK_GAP, y + 4, tick.label, "end")
        sheet.text("axis", 0, TEXT_HEIGHT, self.y.title)

    def layout(self) -> dict[str, Any]:
        """Plotly's layout for the same rectangle."""
        margin = {"l": self.left, "r": self.right, "t": self.top, "b": self.bottom, "pad": 0}
        found: dict[str, Any] = {
            "width": self.width,
            "height": self.height,
            "margin": margin,
            "showlegend": False,
            "xaxis": _axis(self.x),
            "annotations": [
                self._title(self.x, {"x": 1, "y": 0, "xanchor": "right", "yshift": 10 - self.bottom})
            ],
        }
        if self.y is not None:
            found["yaxis"] = _axis(self.y)
            corner = {"x": 0, "y": 1, "xanchor": "left", "xshift": -self.left, "yshift": self.top - 8}
            found["annotations"].append(self._title(self.y, corner))
        return found

    def _title(self, axis: Axis, place: Mapping[str, Any]) -> dict[str, Any]:
        """At the place of the drawing, which is not Plotly's default."""
        return {
            **place,
            "xref": "paper",
            "yref": "paper",
            "yanchor": "middle",
            "showarrow": False,
            "text": plain(axis.title),
            "font": {"weight": 600},
        }


def left_margin(axis: Axis) -> float:
    """Room for the tick labels of a y axis."""
    return max((width_of(tick.label) for tick in axis.ticks), default=0.0) + TICK_GAP + 2


def _axis(axis: Axis) -> dict[str, Any]:
    ends = [axis.low, axis.high]
    return {
        "type": "log" if axis.log else "linear",
        "range": [math.log10(end) for end in ends] if axis.log else ends,
        "tickvals": [tick.value for tick in axis.ticks],
        "ticktext": [plain(tick.label) for tick in axis.ticks],
        "zeroline": False,
        "tickfont": {"color": "--ink-3"},
    }


def _apart(axis: Axis, room: float) -> list[Tick]:
    """The ticks whose labels do not touch the ones before them."""
    shown = []
    end = -math.inf
    for tick in axis.ticks:
        half = width_of(tick.label) / 2
        if axis.at(tick.value) * room - half > end:
            shown.append(tick)
            end = axis.at(tick.value) * room + half + 4
    return shown


def error_bars(values: Iterable[tuple[float, float | None, float | None]]) -> dict[str, Any]:
    """Plotly's error bars for values with the ends of their intervals; no bar where an end is None."""
    known = list(values)
    return {
        "type": "data",
        "symmetric": False,
        "array": [0 if high is None else high - value for value, _, high in known],
        "arrayminus": [0 if low is None else value - low for value, low, _ in known],
        "thickness": 1.5,
        "width": 0,
        "color": "--ink-3",
    }


def dot_style(sizes: float | list[float], hollow: Iterable[bool], colour: str = "--accent") -> dict[str, Any]:
    """Plotly's markers for dots. `colour`: the name of a variable of the style sheet."""
    symbols = ["circle-open" if each else "circle" for each in hollow]
    return {
        "size": _once(sizes) if isinstance(sizes, list) else sizes,
        "symbol": _once(symbols),
        "color": colour,
        "opacity": 1,
        "line": {"width": 2, "color": colour},
    }


def _once(values: list[Any]) -> Any:
    """The one value that all marks have, or the value of each mark."""
    return values[0] if len(set(values)) == 1 else values


def plain(text: str) -> str:
    """One line, escaped: Plotly interprets some tags and entities."""
    return one_line(text, MAX_LENGTH).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def hover_text(lines: Iterable[str]) -> str:
    """The lines of a mark's hover text."""
    return "<br>".join(map(plain, lines))
