"""Figures as Plotly takes them: pure functions from rows to JSON-ready objects. Colours are the page's, by class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from runs.analysis.method import Method


@dataclass(frozen=True, slots=True)
class Point:
    """One agent in the chart: seconds for an attempt, pass@1 from 0 to 1 with its interval."""

    name: str
    seconds: float
    pass_1: float
    low: float
    high: float
    calibration: bool
    here: bool = False


def time_against_pass_rate(points: Sequence[Point]) -> dict[str, Any]:
    """Mean seconds of an attempt (across, logarithmic) against pass@1 with its interval (up).

    Up and to the left is better. Calibration agents have hollow marks; the agent of the page is drawn large.

    Formula: a mark for each agent, at (seconds of all its attempts ÷ attempts, pass@1).

    Source: ours.

    Units: seconds, no less than 0.01, where a logarithm needs them; shares from 0 to 1.

    Small n: an agent without a graded attempt, or without a duration, has no mark; no agent gives an empty figure.
    """
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "markers+text",
                "x": [max(point.seconds, 0.01) for point in points],
                "y": [point.pass_1 for point in points],
                "text": [point.name for point in points],
                "textposition": "top center",
                "cliponaxis": False,
                "error_y": {
                    "type": "data",
                    "symmetric": False,
                    "array": [point.high - point.pass_1 for point in points],
                    "arrayminus": [point.pass_1 - point.low for point in points],
                    "thickness": 1,
                    "width": 3,
                },
                "marker": {
                    "size": [16 if point.here else 9 for point in points],
                    "symbol": ["circle-open" if point.calibration else "circle" for point in points],
                    "line": {"width": 2},
                },
                "hovertemplate": "%{text}<br>%{x:.1f} s, %{y:.1%}<extra></extra>",
            }
        ],
        "layout": {
            "showlegend": False,
            "margin": {"l": 60, "r": 20, "t": 20, "b": 50},
            "xaxis": {"title": {"text": "seconds for an attempt"}, "type": "log", "dtick": 1},
            "yaxis": {"title": {"text": "pass@1"}, "range": [-0.05, 1.1], "tickformat": ".0%"},
        },
    }


METHOD = Method("chart", "Time against pass rate", time_against_pass_rate)
