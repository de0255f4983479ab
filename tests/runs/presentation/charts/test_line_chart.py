"""Lines with names at their ends."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.presentation.charts.axis import Axis, Tick, linear_axis
from runs.presentation.charts.line_chart import APART, Lines, Series, spread
from runs.presentation.charts.svg_shapes import NARROW, WIDE, width_of
from tests.runs.presentation.charts.drawn import SHARES, of, plain


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


def test_the_first_label_of_the_x_axis_has_room_although_its_middle_is_at_its_tick() -> None:
    ways = Axis("method", 0, 2, (Tick(0, "solved per attempt"), Tick(2, "Elo")))
    chart = Lines((Series("Alice", ((0, 0.0), (2, 1.0))),), ways, SHARES)

    for width in (WIDE, NARROW):
        (label,) = (shape for shape in chart.draw(width).shapes if shape.text == "solved per attempt")
        assert float(label.attributes["x"]) - width_of(label.text) / 2 == pytest.approx(0, abs=0.1)


def test_a_band_is_an_area_behind_all_lines() -> None:
    band = Series("Alice", ((0, 0.5), (1, 0.5)), band=((0.25, 0.75), (0.5, 1)))
    chart = Lines((Series("Bob", ((0, 0.0), (1, 0.0))), band), linear_axis("k", [0, 1], plain), SHARES)

    (area,) = of(chart.draw(WIDE), "band edit")
    corners = [tuple(map(float, point.split())) for point in area.attributes["d"][1:].split("L")]
    # 400 high, 26 above and 46 below: 1 is at 26, 0 at 354.
    assert [y for _, y in corners] == [108, 26, 190, 272]
    names = [shape.attributes.get("class", "") for shape in chart.draw(WIDE).shapes]
    assert names.index("band edit") < names.index("series accent d0")
    assert [trace["y"] for trace in chart.traces()] == [[0.75, 1, 0.5, 0.25], [0, 0], [0.5, 0.5]]


def test_every_line_has_a_colour_and_dashes_of_its_own() -> None:
    lines = Lines(tuple(Series(str(place), ((0, 0),)) for place in range(28)), SHARES, SHARES)

    assert len({(trace["line"]["color"], trace["line"]["dash"]) for trace in lines.traces()}) == 28


@given(st.lists(st.floats(20, 280), max_size=15))
def test_names_at_the_ends_of_lines_stay_apart_in_their_order(wanted: list[float]) -> None:
    found = spread(wanted, 20, 280)

    ordered = [found[place] for place in sorted(range(len(wanted)), key=lambda place: wanted[place])]
    assert all(after - before >= APART - 1e-9 for before, after in pairwise(ordered))
    assert all(20 - 1e-9 <= at <= 280 + 1e-9 for at in found)


def test_names_that_are_apart_already_stay_level_with_their_lines() -> None:
    assert spread([50, 200, 100], 0, 300) == [50, 200, 100]
