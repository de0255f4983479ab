"""Points with intervals, names and a front."""

from __future__ import annotations

from dataclasses import replace

import pytest

from runs.presentation.charts.scatter import SHADE_EDGE, ScatterPoint
from runs.presentation.charts.svg_markup import svg_element
from runs.presentation.charts.svg_shapes import NARROW, WIDE
from tests.runs.presentation.charts.drawn import numbers, of, scatter


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


def test_groups_have_colours_in_the_drawing_and_traces_of_their_own() -> None:
    chart = scatter(ScatterPoint("Alice", 1, 0.5), ScatterPoint("1: Bob", 2, 0.5, group=1))

    assert [shape.attributes["class"] for shape in chart.draw(NARROW).shapes if shape.tag == "circle"] == [
        "dot",
        "dot edit",
    ]
    assert [(trace["x"], trace["marker"]["color"]) for trace in chart.traces()] == [
        ([1], "--accent"),
        ([2], "--edit"),
    ]


def test_a_mark_can_be_a_link_in_the_drawing_and_in_its_trace() -> None:
    chart = scatter(ScatterPoint('<b>"A"', 1, 0.5, href='?a=1&b="#f'), ScatterPoint("Bob", 10, 0.5))

    element = svg_element(chart.draw(WIDE), "Both")

    assert element.startswith('<svg viewBox="0 0 600 400" role="group" aria-label="Both">')
    assert element.count("<a ") == 1
    link = (
        '<a href="?a=1&amp;b=&quot;#f" aria-label="&lt;b&gt;&quot;A&quot;" tabindex="-1"><circle class="dot"'
    )
    assert link in element
    assert chart.traces()[0]["customdata"] == ['?a=1&b="#f', ""]
    without = scatter(ScatterPoint("Bob", 10, 0.5))
    assert 'role="img"' in svg_element(without.draw(WIDE), "One")
    assert "customdata" not in without.traces()[0]


def test_without_numbers_names_without_room_are_left_out_and_none_overlap() -> None:
    points = tuple(ScatterPoint(f"Agent number {place}", 100, 0.5) for place in range(20))

    drawing = replace(scatter(*points), numbered=False).draw(NARROW)

    assert not drawing.legend
    assert 0 < len(of(drawing, "name")) < 20
    assert len(set(numbers(of(drawing, "name"), "x", "y"))) == len(of(drawing, "name"))


def test_a_shade_lies_behind_the_marks_between_its_ends() -> None:
    chart = replace(scatter(ScatterPoint("Alice", 10, 0.5)), shade=(0.25, 0.5))
    frame = chart.frame(WIDE)

    ((y, height),) = numbers(of(chart.draw(WIDE), "band"), "y", "height")
    (shape,) = chart.layout(WIDE)["shapes"]

    assert (y, y + height) == (frame.up(0.5) - SHADE_EDGE, frame.up(0.25) + SHADE_EDGE)
    assert shape["y0"] < 0.25
    assert shape["y1"] > 0.5
    assert shape["fillcolor"] == "--accent"
