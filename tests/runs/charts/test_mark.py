"""Each kind of chart on tiny data: the places of its marks, and the same for Plotly."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from runs.charts.axis import linear_axis, log_axis, share_axis
from runs.charts.bars import Bar, Bars
from runs.charts.cost_scatter import CostPoint, time_against_pass_rate
from runs.charts.dots import Dot, Dots
from runs.charts.line_chart import Lines, Series
from runs.charts.mark import Chart, figure
from runs.charts.scatter import Scatter, ScatterPoint
from runs.charts.svg_shapes import NARROW, WIDE, Drawing, SvgShape, fitted, width_of

SHARES = share_axis("pass@1")


def plain(value: float) -> str:
    return f"{value:g}"


def of(drawing: Drawing, name: str) -> list[SvgShape]:
    return [shape for shape in drawing.shapes if shape.attributes["class"] == name]


def numbers(shapes: Iterable[SvgShape], *names: str) -> list[tuple[float, ...]]:
    return [tuple(float(shape.attributes[name]) for name in names) for shape in shapes]


def scatter(*points: ScatterPoint, front: tuple[tuple[float, float], ...] = ()) -> Scatter:
    return Scatter(points, log_axis("tokens", [point.x for point in points], plain), SHARES, front)


def test_points_stand_where_their_values_are_with_their_intervals() -> None:
    chart = scatter(ScatterPoint("Alice", 10, 0.5, 0.25, 1.0), ScatterPoint("Oracle", 1000, 1.0, hollow=True))
    frame = chart.frame(WIDE)

    drawing = chart.draw(WIDE)

    # 400 high, 26 above and 46 below: half is at 190, a quarter at 272, all at 26.
    ((x, y),) = numbers(of(drawing, "dot"), "cx", "cy")
    assert x == pytest.approx(frame.across(10), abs=0.05)
    assert y == 190
    assert numbers(of(drawing, "whisker"), "x1", "y1", "x2", "y2") == [(x, 26, x, 272)]
    assert numbers(of(drawing, "dot hollow"), "cy") == [(26,)]
    assert [shape.text for shape in of(drawing, "name")] == ["Alice", "Oracle"]
    (trace,) = chart.traces()
    assert trace["x"] == [10, 1000]
    assert (trace["error_y"]["array"], trace["error_y"]["arrayminus"]) == ([0.5, 0], [0.25, 0])
    assert trace["marker"]["symbol"] == ["circle", "circle-open"]


def test_the_front_goes_by_steps_from_the_cheapest() -> None:
    chart = scatter(
        ScatterPoint("A", 10, 0.25), ScatterPoint("B", 1000, 0.75), front=((1000, 0.75), (10, 0.25))
    )
    frame = chart.frame(WIDE)
    left, right = (f"{round(frame.across(x), 1):g}" for x in (10, 1000))

    (front,) = of(chart.draw(WIDE), "front")

    assert front.attributes["d"] == f"M{left} 272L{right} 272L{right} 108"
    assert chart.traces()[0]["x"] == [10, 1000]


def test_names_without_room_become_numbers_that_a_legend_explains() -> None:
    points = [ScatterPoint(f"Agent number {place}", 100, 0.5) for place in range(20)]

    drawing = scatter(*points).draw(NARROW)

    assert drawing.legend
    numbered = [entry.mark for entry in drawing.legend]
    assert numbered == [str(number) for number in range(1, len(numbered) + 1)]
    assert {entry.name for entry in drawing.legend} <= {point.name for point in points}
    assert len(of(drawing, "name")) == 20


def test_dots_have_rows_from_above_and_a_reason_where_there_is_no_value() -> None:
    chart = Dots((Dot("Alice", 0.5, "50 %", 0.25, 0.75), Dot("Bob", None, "n too small")), SHARES)

    drawing = chart.draw(NARROW)

    # Without room at the side names stand above: 14 at both edges leave 332, rows are 42 high, 8 above them.
    assert numbers(of(drawing, "dot"), "cx", "cy") == [(180, 37.4)]
    assert numbers(of(drawing, "whisker"), "x1", "x2") == [(97, 263)]
    assert [shape.text for shape in of(drawing, "note")] == ["50 %", "n too small"]
    assert drawing.height == 8 + 2 * 42 + 46
    (trace,) = chart.traces()
    assert (trace["x"], trace["y"]) == ([0.5], [0])


def test_bars_stack_their_parts_and_write_in_those_that_are_wide_enough() -> None:
    chart = Bars((Bar("Alice", (0.5, 0.01, 0.49), ("50 %", "1 %", "49 %"), "n 9"),), SHARES, ("a", "b", "c"))

    drawing = chart.draw(NARROW)

    assert numbers(of(drawing, "bar h5"), "x", "width") == [(14, 166)]
    assert numbers(of(drawing, "bar h3"), "x", "width") == [(180, 3.3)]
    assert [shape.text for shape in drawing.shapes if shape.attributes["class"].startswith("within")] == [
        "50 %",
        "49 %",
    ]
    assert [(entry.mark, entry.name) for entry in drawing.legend] == [("h5", "a"), ("h3", "b"), ("h1", "c")]
    assert [trace["x"] for trace in chart.traces()] == [[0.5], [0.01], [0.49]]


def test_bars_of_one_part_need_no_legend() -> None:
    assert Bars((Bar("Alice", (0.5,)),), SHARES, ("resolved",)).draw(WIDE).legend == ()


def test_lines_are_named_at_their_ends_and_numbered_where_that_is_narrow() -> None:
    series = (Series("Alice", ((1, 0.0), (2, 1.0))), Series("Bob", ((1, 0.0), (2, 0.5))))
    chart = Lines(series, linear_axis("k", [1, 2], plain, from_zero=False), SHARES, steps=True)

    wide, narrow = chart.draw(WIDE), chart.draw(NARROW)

    assert [shape.text for shape in wide.shapes if shape.text in {"Alice", "Bob"}] == ["Alice", "Bob"]
    assert wide.legend == ()
    assert [(entry.mark, entry.name) for entry in narrow.legend] == [("1", "Alice"), ("2", "Bob")]
    # 320 high, 26 above and 46 below: nothing is at 274, half at 150.
    (line,) = of(narrow, "series edit d0")
    steps = [tuple(map(float, point.split())) for point in line.attributes["d"][1:].split("L")]
    assert [y for _, y in steps] == [274, 274, 150]
    assert [trace["line"]["shape"] for trace in chart.traces()] == ["hv", "hv"]


def test_every_line_has_a_colour_and_dashes_of_its_own() -> None:
    lines = Lines(tuple(Series(str(place), ((0, 0),)) for place in range(28)), SHARES, SHARES)

    assert len({(trace["line"]["color"], trace["line"]["dash"]) for trace in lines.traces()}) == 28


NOTHING: tuple[Chart, ...] = (
    Scatter((), log_axis("", [], plain), SHARES),
    Dots((), SHARES),
    Bars((), SHARES, ("a",)),
    Lines((), SHARES, SHARES),
)


@pytest.mark.parametrize("chart", NOTHING, ids=lambda chart: type(chart).__name__)
def test_a_chart_of_nothing_has_its_axes(chart: Chart) -> None:
    assert of(chart.draw(WIDE), "grid")
    assert figure(chart)["narrow"]["width"] == NARROW


def test_names_reach_plotly_letter_by_letter() -> None:
    name = "<a href='https://example.org'>Eve</a> &amp; \u202eco"

    written = str(figure(scatter(ScatterPoint(name, 1, 0.5))))

    assert "<a" not in written
    assert "&lt;a href='https://example.org'&gt;Eve&lt;/a&gt; &amp;amp; ⟨U+202E⟩co" in written


def test_long_names_are_cut_to_their_room() -> None:
    assert fitted("Alice", 100) == "Alice"
    assert fitted("A\nlice", 100) == "A lice"
    short = fitted("Alice in a long sentence", 60)
    assert short.endswith("…")
    assert width_of(short) <= 60


def test_agents_without_a_second_stand_apart() -> None:
    marks = [
        CostPoint("Alice", 60, 0.5, 0.2, 0.8, calibration=False, here=True),
        CostPoint("Oracle", 0, 1, 0.7, 1, calibration=True),
    ]

    chart = time_against_pass_rate(marks, plain, plain)

    assert [(point.hollow, point.here) for point in chart.points] == [(False, True), (True, False)]
    assert chart.x.ticks[0].label == "0"
    assert chart.traces()[0]["x"] == [60, chart.x.zero]
