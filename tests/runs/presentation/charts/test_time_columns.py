"""Columns of parts over time."""

from __future__ import annotations

from runs.presentation.charts.axis import Axis, Tick
from runs.presentation.charts.svg_shapes import NARROW, WIDE
from runs.presentation.charts.time_columns import HEIGHT, TimeColumn, TimeColumns
from tests.runs.presentation.charts.drawn import numbers, of

DOLLARS = Axis("US$", 0.0, 10.0, (Tick(0, "$0"), Tick(10, "$10")))


def test_parts_stand_on_each_other_and_an_empty_day_has_no_column() -> None:
    days = (
        TimeColumn("1 Nov", (2.5, 5.0)),
        TimeColumn("2 Nov", (0.0, 0.0)),
        TimeColumn("3 Nov", (10.0, 0.0)),
    )
    drawing = TimeColumns(days, DOLLARS, ("A", "B"), "day").draw(WIDE)

    lower, upper = of(drawing, "bar h5"), of(drawing, "bar h3")

    assert (len(lower), len(upper)) == (2, 1)
    ((bottom, height),) = numbers(upper, "y", "height")
    ((top, quarter), (_, whole)) = numbers(lower, "y", "height")
    assert (top, height, whole) == (bottom + height, 2 * quarter, 4 * quarter)
    assert drawing.height == HEIGHT
    assert [(entry.mark, entry.name) for entry in drawing.legend] == [("h5", "A"), ("h3", "B")]


def test_names_of_days_are_as_far_apart_as_they_need_and_equally_far() -> None:
    days = tuple(TimeColumn(f"{number} November", (1.0,)) for number in range(1, 31))
    chart = TimeColumns(days, DOLLARS, ("A",), "day")
    said = [shape.text for shape in chart.draw(NARROW).shapes if shape.text.endswith("November")]
    assert said == ["1 November", "12 November", "23 November"]
    assert chart.layout(NARROW)["xaxis"]["ticktext"] == said
    assert chart.draw(NARROW).legend == ()
    assert [len(trace["x"]) for trace in chart.traces()] == [30]
    assert chart.layout(WIDE)["barmode"] == "stack"
