"""Charts in little: the first rows of a chart of rows, and other charts without their texts."""

from __future__ import annotations

from dataclasses import replace

from runs.presentation.charts.bars import Bars
from runs.presentation.charts.boxes import Boxes
from runs.presentation.charts.dots import Dots
from runs.presentation.charts.line_chart import Lines
from runs.presentation.charts.scatter import Scatter
from runs.presentation.charts.svg_shapes import NARROW, WIDE, Chart, Drawing

SLACK = 3  # rows: a chart with so few more is shown as a whole
MINIATURE_ROWS = 3


def first_rows(chart: Chart, most: int) -> tuple[Chart, int]:
    """The chart with its first rows, at most so many and SLACK, and the number of the others; other charts stay."""
    if isinstance(chart, Bars | Boxes | Dots) and len(chart.rows) > most + SLACK:
        return _cut(chart, most), len(chart.rows) - most
    return chart, 0


def compares(chart: Chart) -> bool:
    """Whether it draws two values or more: one alone says no more than a sentence."""
    match chart:
        case Bars():
            return sum(length > 0 for row in chart.rows for length in row.parts) > 1
        case Boxes():
            boxes = sum(row.box is not None for row in chart.rows)
            return boxes > 1 or (chart.strip and sum(len(row.points) for row in chart.rows) > 1)
        case Dots():
            return sum(row.value is not None for row in chart.rows) > 1
        case Lines():
            return sum(len(series.points) for series in chart.series) > 1
        case Scatter():
            return len(chart.points) > 1
    return True


def _cut(chart: Bars | Boxes | Dots, most: int) -> Chart:
    if isinstance(chart, Bars):
        return replace(chart, rows=chart.rows[:most])
    if isinstance(chart, Boxes):
        return replace(chart, rows=chart.rows[:most])
    return replace(chart, rows=chart.rows[:most])


def miniature(chart: Chart) -> Drawing:
    """A drawing for a card: three rows with their names, or marks and lines without texts."""
    if isinstance(chart, Bars | Boxes | Dots):
        return _cut(chart, MINIATURE_ROWS).draw(NARROW)
    if isinstance(chart, Scatter):
        # Without names no places for them are searched, which takes most of the time of a drawing.
        chart = replace(chart, points=tuple(replace(point, named=False, href="") for point in chart.points))
    drawn = chart.draw(WIDE)
    return replace(drawn, shapes=tuple(shape for shape in drawn.shapes if shape.tag != "text"), legend=())
