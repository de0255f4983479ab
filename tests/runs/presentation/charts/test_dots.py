"""Rows of dots."""

from __future__ import annotations

from runs.presentation.charts.dots import Dot, Dots
from runs.presentation.charts.svg_shapes import NARROW
from tests.runs.presentation.charts.drawn import SHARES, numbers, of


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


def test_a_reference_is_a_dashed_line_through_all_rows() -> None:
    chart = Dots((Dot("Alice", 0.5), Dot("Bob", 0.25)), SHARES, reference=0.5)

    assert numbers(of(chart.draw(NARROW), "front"), "x1", "y1", "x2", "y2") == [(150, 8, 150, 92)]
    (shape,) = chart.layout(NARROW)["shapes"]
    assert (shape["x0"], shape["x1"], shape["yref"]) == (0.5, 0.5, "paper")
    assert "shapes" not in Dots((), SHARES).layout(NARROW)
