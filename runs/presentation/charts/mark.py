"""The protocol of all charts."""

from __future__ import annotations

from typing import Any, Protocol

from runs.presentation.charts.svg_shapes import NARROW, WIDE, Drawing


class Chart(Protocol):
    """A figure that can be drawn, and shown by Plotly. Charts of equal rows are equal, and so are their drawings."""

    def draw(self, width: float) -> Drawing:
        """The drawing; `width` in pixels."""

    def traces(self) -> list[dict[str, Any]]:
        """Plotly's `data`; a colour is the name of a variable of the style sheet."""

    def layout(self, width: float) -> dict[str, Any]:
        """Plotly's `layout` for the same rectangle as the drawing."""


def figure(chart: Chart) -> dict[str, Any]:
    """The chart as JSON for the page's script: `data` for Plotly, with a `wide` and a `narrow` layout."""
    return {"data": chart.traces(), "wide": chart.layout(WIDE), "narrow": chart.layout(NARROW)}
