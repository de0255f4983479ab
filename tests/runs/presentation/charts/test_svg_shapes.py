"""The shapes of a drawing."""

from __future__ import annotations

import pytest

from runs.presentation.charts.axis import log_axis
from runs.presentation.charts.bars import Bars
from runs.presentation.charts.dots import Dots
from runs.presentation.charts.line_chart import Lines
from runs.presentation.charts.scatter import Scatter, ScatterPoint
from runs.presentation.charts.svg_shapes import (
    NARROW,
    WIDE,
    Chart,
    Sheet,
    SvgShape,
    figure,
    fitted,
    pixels,
    stairs,
    width_of,
    wrapped,
)
from tests.runs.presentation.charts.drawn import SHARES, of, plain, scatter

NOTHING: tuple[Chart, ...] = (
    Scatter((), log_axis("", [], plain), SHARES),
    Dots((), SHARES),
    Bars((), SHARES, ("a",)),
    Lines((), SHARES, SHARES),
)


def test_long_names_are_cut_to_their_room() -> None:
    assert fitted("Alice", 100) == "Alice"
    assert fitted("A\nlice", 100) == "A lice"
    short = fitted("Alice in a long sentence", 60)
    assert short.endswith("…")
    assert width_of(short) <= 60


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Alice", ["Alice"]),
        ("Open hands and a cap", ["Open hands", "and a cap"]),
        ("mini-swe-agent-of-old", ["mini-swe-", "agent-of-old"]),  # no space: after a hyphen
        ("Open hands and a cap or a hat", ["Open hands", "and a cap or", "a hat"]),
        ("Open hands and a cap or some hats or gloves", ["Open hands", "and a cap or", "some hats…"]),
        ("Unpronounceable", ["Unpronoun…"]),
        ("", [""]),
    ],
)
def test_a_text_is_wrapped_and_only_the_last_of_its_lines_is_cut(text: str, lines: list[str]) -> None:
    found = wrapped(text, 75, 3)
    assert found == lines
    assert all(width_of(line) <= 75 for line in found)


def test_lengths_have_a_tenth_of_a_pixel_at_most() -> None:
    given = (3.0, 1.04, 1.06, -0.01, 0.0, -2.25, 759.96)
    assert [pixels(value) for value in given] == ["3", "1", "1.1", "0", "0", "-2.2", "760"]


def test_a_sheet_collects_shapes_in_the_order_of_painting() -> None:
    sheet = Sheet()
    sheet.line("grid", 0, 1, 2.5, 3)
    sheet.circle("dot", 1, 2, 4.5)
    sheet.box("bar", 1, 2, -3, 4)
    sheet.path("front", [(0, 0), (1.25, 2), (3, 4)])
    sheet.text("name", 5, 6, "<Alice>", "end")
    assert sheet.shapes == [
        SvgShape("line", {"class": "grid", "x1": "0", "y1": "1", "x2": "2.5", "y2": "3"}),
        SvgShape("circle", {"class": "dot", "cx": "1", "cy": "2", "r": "4.5"}),
        # No rectangle has a negative width.
        SvgShape("rect", {"class": "bar", "x": "1", "y": "2", "width": "0", "height": "4"}),
        SvgShape("path", {"class": "front", "d": "M0 0L1.2 2L3 4"}),
        SvgShape("text", {"class": "name", "x": "5", "y": "6", "text-anchor": "end"}, "<Alice>"),
    ]


def test_hundreds_of_dots_are_one_element_and_equal_ones_are_drawn_once() -> None:
    sheet = Sheet()
    sheet.dots("point", [(10, 20), (10.04, 20), (30, 20)], 2.5)
    sheet.dots("point", [], 2.5)
    around = "a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0 -5 0"
    assert sheet.shapes == [SvgShape("path", {"class": "point", "d": f"M7.5 20{around}M27.5 20{around}"})]


def test_wide_letters_take_more_room() -> None:
    # Shares of the size of the letters: 0.36, 0.59, 0.86, and 1.1 for those as wide as high.
    assert [width_of(letter, 100) for letter in ("i", "a", "m", "日")] == pytest.approx([36, 59, 86, 110])
    assert width_of("aa") == pytest.approx(14.16)
    assert width_of("") == 0


def test_without_room_only_the_ellipsis_is_left() -> None:
    assert fitted("Alice", 5) == "…"
    assert fitted("", 5) == ""


def test_stairs_are_level_until_the_next_point() -> None:
    assert stairs([(0, 5), (2, 3), (4, 9)]) == [(0, 5), (2, 5), (2, 3), (4, 3), (4, 9)]
    assert stairs([(0, 5)]) == [(0, 5)]
    assert stairs([]) == []


@pytest.mark.parametrize("chart", NOTHING, ids=lambda chart: type(chart).__name__)
def test_a_chart_of_nothing_has_its_axes(chart: Chart) -> None:
    assert of(chart.draw(WIDE), "grid")
    assert figure(chart)["narrow"]["width"] == NARROW


def test_names_reach_plotly_letter_by_letter() -> None:
    name = "<a href='https://example.org'>Eve</a> &amp; \u202eco"

    written = str(figure(scatter(ScatterPoint(name, 1, 0.5))))

    assert "<a" not in written
    assert "&lt;a href='https://example.org'&gt;Eve&lt;/a&gt; &amp;amp; ⟨U+202E⟩co" in written
