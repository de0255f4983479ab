"""Agents by the time of an attempt and their pass rate."""

from __future__ import annotations

from runs.presentation.charts.cost_scatter import CostPoint, time_against_pass_rate
from tests.runs.presentation.charts.drawn import plain


def test_agents_without_a_second_stand_apart() -> None:
    marks = [
        CostPoint("Alice", 60, 0.5, 0.2, 0.8, calibration=False, here=True),
        CostPoint("Oracle", 0, 1, 0.7, 1, calibration=True),
    ]

    chart = time_against_pass_rate(marks, plain, plain)

    assert [(point.hollow, point.here) for point in chart.points] == [(False, True), (True, False)]
    assert chart.x.ticks[0].label == "0"
    assert chart.traces()[0]["x"] == [60, chart.x.zero]


def test_a_mark_is_at_time_and_pass_rate_and_says_both() -> None:
    chart = time_against_pass_rate(
        [CostPoint("Alice", 90, 0.5, 0.2, 0.8, calibration=False)],
        lambda seconds: f"{seconds:g} s",
        lambda share: f"{100 * share:g} %",
    )
    (point,) = chart.points
    assert (point.x, point.y, point.low, point.high) == (90, 0.5, 0.2, 0.8)
    assert point.hover == ("50 %, 90 s an attempt",)
    assert (chart.x.title, chart.x.log, chart.y.title) == ("time of an attempt", True, "solved per attempt")


def test_no_agent_gives_an_empty_chart() -> None:
    chart = time_against_pass_rate([], plain, plain)
    assert chart.points == ()
    assert chart.x.ticks
