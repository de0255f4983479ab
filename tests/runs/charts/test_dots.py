"""Rows of dots."""

from __future__ import annotations

from runs.charts.dots import Dot, Dots
from runs.charts.svg_shapes import NARROW
from tests.runs.charts.drawn import SHARES, numbers, of


def test_dots_have_rows_from_above_and_a_reason_where_there_is_no_value() -> None:
    chart = Dots((Dot("Alice", 0.5, "50 %", 0.25, 0.75), Dot("Bob", None, "n too small")), SHARES)

    drawing = chart.draw(NARROW)

    # Without room at the side names stand above: 14 at both edges leave 272, rows are 42 high, 8 above them.
    assert numbers(of(drawing, "dot"), "cx", "cy") == [(150, 37.4)]
    assert numbers(of(drawing, "whisker"), "x1", "x2") == [(82, 218)]
    assert [shape.text for shape in of(drawing, "note")] == ["50 %", "n too small"]
    assert drawing.height == 8 + 2 * 42 + 46
    (trace,) = chart.traces()
    assert (trace["x"], trace["y"]) == ([0.5], [0])
