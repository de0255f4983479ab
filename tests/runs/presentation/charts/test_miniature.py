"""Charts in little show what matters in a few rows, or without texts."""

from __future__ import annotations

import pytest

from runs.presentation.charts.axis import linear_axis, share_axis
from runs.presentation.charts.bars import Bar, Bars
from runs.presentation.charts.boxes import Boxes, BoxRow, Five
from runs.presentation.charts.dots import Dot, Dots
from runs.presentation.charts.line_chart import Lines, Series
from runs.presentation.charts.miniature import MINIATURE_ROWS, SLACK, compares, first_rows, miniature
from runs.presentation.charts.scatter import Scatter, ScatterPoint
from runs.presentation.charts.svg_shapes import NARROW, Chart

AXIS = share_axis("solved")
FIVE = Five(0.1, 0.2, 0.3, 0.4, 0.5)
POINT = ScatterPoint("A", 0.5, 0.5)


def rows(count: int) -> Dots:
    return Dots(tuple(Dot(f"Agent {number}", 0.5, "50 %") for number in range(count)), share_axis("solved"))


def test_a_long_chart_of_rows_is_cut_with_the_number_of_those_left() -> None:
    short, left = first_rows(rows(20), 12)
    assert isinstance(short, Dots)
    assert (len(short.rows), left) == (12, 8)
    assert first_rows(rows(12 + SLACK), 12) == (rows(12 + SLACK), 0)
    points = Scatter((), share_axis("x"), share_axis("y"))
    assert first_rows(points, 1) == (points, 0)


def test_rows_keep_their_names_on_a_card() -> None:
    drawn = miniature(rows(20))
    names = [shape.text for shape in drawn.shapes if shape.attributes["class"] == "name"]
    assert names == [f"Agent {number}" for number in range(MINIATURE_ROWS)]
    assert drawn.width == NARROW


def test_points_and_lines_have_no_texts_and_no_links_on_a_card() -> None:
    points = tuple(ScatterPoint(f"Agent {n}", n / 9, n / 9, href="/agents/") for n in range(1, 9))
    axes = (share_axis("x"), share_axis("y"))
    lines = Lines(
        (Series("Alice", ((1.0, 0.1), (2.0, 0.4)), ("", "")),), linear_axis("k", [1, 2], str), axes[1]
    )
    for chart, mark in ((Scatter(points, *axes), "circle"), (lines, "path")):
        drawn = miniature(chart)
        assert any(shape.tag == mark for shape in drawn.shapes)
        assert not any(shape.tag == "text" or shape.href for shape in drawn.shapes)
        assert not drawn.legend


@pytest.mark.parametrize(
    ("few", "more"),
    [
        (Dots((Dot("A", 0.5), Dot("B", None)), AXIS), Dots((Dot("A", 0.5), Dot("B", 0.0)), AXIS)),
        (Bars((Bar("A", (0.4, 0.0)),), AXIS, ("x", "y")), Bars((Bar("A", (0.4, 0.6)),), AXIS, ("x", "y"))),
        (Boxes((BoxRow("A", FIVE), BoxRow("B", None)), AXIS), Boxes((BoxRow("A", FIVE),) * 2, AXIS)),
        (
            Boxes((BoxRow("A", FIVE, points=(0.5,)),), AXIS, strip=True),
            Boxes((BoxRow("A", FIVE, points=(0.5, 0.6)),), AXIS, strip=True),
        ),
        (
            Lines((Series("A", ((1.0, 0.1),)),), AXIS, AXIS),
            Lines((Series("A", ((1.0, 0.1), (2.0, 0.1))),), AXIS, AXIS),
        ),
        (Scatter((POINT,), AXIS, AXIS), Scatter((POINT, POINT), AXIS, AXIS)),
    ],
)
def test_a_chart_of_one_value_compares_nothing(few: Chart, more: Chart) -> None:
    assert not compares(few)
    assert compares(more)
