"""Agents by the time of an attempt and their pass rate."""

from __future__ import annotations

from runs.charts.cost_scatter import CostPoint, time_against_pass_rate
from tests.runs.charts.drawn import plain


def test_agents_without_a_second_stand_apart() -> None:
    marks = [
        CostPoint("Alice", 60, 0.5, 0.2, 0.8, calibration=False, here=True),
        CostPoint("Oracle", 0, 1, 0.7, 1, calibration=True),
    ]

    chart = time_against_pass_rate(marks, plain, plain)

    assert [(point.hollow, point.here) for point in chart.points] == [(False, True), (True, False)]
    assert chart.x.ticks[0].label == "0"
    assert chart.traces()[0]["x"] == [60, chart.x.zero]
