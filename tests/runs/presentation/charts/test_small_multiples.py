"""Small charts of equal size: one axis, and the same rows in the same order."""

from __future__ import annotations

import re

import pytest

from runs.presentation.charts.axis import share_axis
from runs.presentation.charts.small_multiples import CELL, ChartPanel, PanelMark, SmallMultiples
from runs.presentation.charts.svg_shapes import NARROW, WIDE, SvgShape

ALICE = PanelMark(0.75, 0.5, 1.0, ("Alice", "75 %"))
BOB = PanelMark(0.25, 0.0, 0.5, ("Bob", "25 %"))
NOBODY = PanelMark(None, None, None, ("Carol", "no run"))
ALONE = PanelMark(0.5, None, None, ("Dora", "50 %"))
CHART = SmallMultiples(
    (
        ChartPanel("harbour", "n 4", (ALICE, BOB)),
        ChartPanel("canal", "n 2", (NOBODY, ALICE)),
        ChartPanel("lock", "n 1", (BOB, ALONE)),
        ChartPanel("quay", "n 1", (ALICE, ALICE)),
    ),
    share_axis("solved"),
)


def shapes(width: float, kind: str) -> list[SvgShape]:
    return [each for each in CHART.draw(width).shapes if each.attributes["class"].startswith(kind)]


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_equal_values_have_equal_places_in_each_panel(width: float) -> None:
    drawn = "".join(each.attributes["d"] for each in shapes(width, "dot"))
    dots = [tuple(map(float, dot.split())) for dot in re.findall(r"M([\d. ]+)h0", drawn)]

    assert len(dots) == 7  # nothing is drawn for what is unknown
    harbour, quay = dots[:2], dots[5:]
    assert quay[0] == pytest.approx(
        (harbour[0][0], harbour[0][1] + CELL)
    )  # the fourth panel is below the first
    assert harbour[0][1] < harbour[1][1]  # more is higher
    assert dots[2][0] > harbour[1][0]
    assert all(0 < x < width for x, _ in dots)


def test_names_and_numbers_stand_above_the_panels_and_ticks_at_the_left_ones() -> None:
    assert [each.text for each in shapes(WIDE, "name")] == ["harbour", "canal", "lock", "quay"]
    ticks = [each.text for each in shapes(WIDE, "tick")]
    assert ticks.count("n 1") == 2
    assert ticks.count("50 %") == 2  # of two rows of panels


def test_the_live_chart_has_the_same_marks_in_cells_of_one() -> None:
    (trace,) = CHART.traces()
    layout = CHART.layout(WIDE)

    assert len(trace["x"]) == 7
    assert trace["text"][0] == "harbour<br>Alice<br>75 %"
    assert trace["x"][0] == trace["x"][5]
    assert trace["y"][5] == pytest.approx(trace["y"][0] + 1)
    assert min(trace["error_y"]["array"]) == 0  # without an interval
    assert layout["xaxis"]["range"] == [0, 3]
    assert layout["yaxis"]["range"] == [2, 0]
    assert [each["text"] for each in layout["annotations"]] == ["harbour", "canal", "lock", "quay"]
