"""Rows of bars."""

from __future__ import annotations

from runs.presentation.charts.bars import Bar, Bars
from runs.presentation.charts.svg_shapes import NARROW, WIDE
from tests.runs.presentation.charts.drawn import SHARES, numbers, of


def test_bars_stack_their_parts_and_write_in_those_that_are_wide_enough() -> None:
    chart = Bars((Bar("Alice", (0.5, 0.01, 0.49), ("50 %", "1 %", "49 %"), "n 9"),), SHARES, ("a", "b", "c"))

    drawing = chart.draw(NARROW)

    assert numbers(of(drawing, "bar h5"), "x", "width") == [(14, 136)]
    assert numbers(of(drawing, "bar h3"), "x", "width") == [(150, 2.7)]
    assert [shape.text for shape in drawing.shapes if shape.attributes["class"].startswith("within")] == [
        "50 %",
        "49 %",
    ]
    assert [(entry.mark, entry.name) for entry in drawing.legend] == [("h5", "a"), ("h3", "b"), ("h1", "c")]
    assert [trace["x"] for trace in chart.traces()] == [[0.5], [0.01], [0.49]]


def test_bars_of_one_part_need_no_legend() -> None:
    assert Bars((Bar("Alice", (0.5,)),), SHARES, ("resolved",)).draw(WIDE).legend == ()
