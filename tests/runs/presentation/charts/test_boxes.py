"""Box plots and strips."""

from __future__ import annotations

import pytest

from runs.presentation.charts.axis import linear_axis
from runs.presentation.charts.boxes import MAX_POINTS, POINT, Boxes, BoxRow, Five
from runs.presentation.charts.svg_shapes import NARROW, SvgShape
from tests.runs.presentation.charts.drawn import SHARES, numbers, of, plain

BOX = BoxRow("Alice", Five(0, 0.25, 0.5, 0.75, 1), "50 %, n 9", points=(0.1,))


def dots(shapes: list[SvgShape]) -> list[tuple[float, float]]:
    """The middles of the points, which are drawn from their left edges."""
    starts = [
        start.partition("a")[0].split() for shape in shapes for start in shape.attributes["d"].split("M")[1:]
    ]
    return [(float(x) + POINT, float(y)) for x, y in starts]


def test_a_box_has_its_quartiles_its_median_and_whiskers() -> None:
    drawing = Boxes((BOX, BoxRow("Bob", None, "no run")), SHARES).draw(NARROW)

    # 14 at both edges leave 272; the marks of the first row are at 8 + 42 · 0.7, the box is 14 high.
    assert numbers(of(drawing, "bar h2"), "x", "y", "width", "height") == [(82, 30.4, 136, 14)]
    assert numbers(of(drawing, "median"), "x1", "y1", "y2") == [(150, 30.4, 44.4)]
    assert numbers(of(drawing, "whisker"), "x1", "x2") == [(14, 82), (218, 286)]
    assert dots(of(drawing, "point outlier")) == [(41.2, 37.4)]
    assert [shape.text for shape in of(drawing, "note")] == ["50 %, n 9", "no run"]


def test_plotly_shows_the_same_with_lines_and_marks() -> None:
    points, whiskers, boxes, medians = Boxes((BOX,), SHARES).traces()

    assert (points["x"], points["y"]) == ([0.1], [0])
    assert whiskers["x"] == [0, 1, None]
    assert boxes["x"] == [0.25, 0.75, None]
    assert (medians["x"], medians["text"]) == ([0.5], ["Alice<br>50 %, n 9"])


def test_a_strip_spreads_a_limited_number_of_points_over_its_row() -> None:
    values = tuple(float(value) for value in range(2 * MAX_POINTS + 1))
    row = BoxRow("resolved", Five(0, 1, 2, 3, 4), points=values)
    chart = Boxes((row,), linear_axis("iterations", values, plain), strip=True)

    assert len(row.drawn) <= MAX_POINTS
    assert row.drawn[:3] == (0, 3, 6)
    drawing = chart.draw(NARROW)
    heights = [y for _, y in dots(of(drawing, "point"))]
    # 8 + 42 · 0.7 + 44 ÷ 2 is the middle, and 14 + 44 the height over which they are spread.
    assert (min(heights), max(heights)) == pytest.approx((59.4 - 29, 59.4 + 29), abs=0.5)
    assert drawing.height == 8 + 42 + 44 + 46
