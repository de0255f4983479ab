"""Drawings for tests, and where their marks are."""

from __future__ import annotations

from collections.abc import Iterable

from runs.presentation.charts.axis import log_axis, share_axis
from runs.presentation.charts.scatter import Scatter, ScatterPoint
from runs.presentation.charts.svg_shapes import Drawing, SvgShape

SHARES = share_axis("pass@1")


def plain(value: float) -> str:
    return f"{value:g}"


def of(drawing: Drawing, name: str) -> list[SvgShape]:
    """The shapes of a class."""
    return [shape for shape in drawing.shapes if shape.attributes["class"] == name]


def numbers(shapes: Iterable[SvgShape], *names: str) -> list[tuple[float, ...]]:
    """These attributes of each shape."""
    return [tuple(float(shape.attributes[name]) for name in names) for shape in shapes]


def scatter(*points: ScatterPoint, front: tuple[tuple[float, float], ...] = ()) -> Scatter:
    return Scatter(points, log_axis("tokens", [point.x for point in points], plain), SHARES, front)
