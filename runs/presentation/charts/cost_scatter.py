"""A chart of agents: the time of an attempt against pass@1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runs.analysis.method import Method
from runs.presentation.charts.axis import Say, log_axis, share_axis
from runs.presentation.charts.scatter import Scatter, ScatterPoint


@dataclass(frozen=True, slots=True)
class CostPoint:
    """One agent: seconds for an attempt, pass@1 from 0 to 1 with its interval."""

    name: str
    seconds: float
    pass_1: float
    low: float
    high: float
    calibration: bool
    here: bool = False


def time_against_pass_rate(marks: Sequence[CostPoint], duration: Say, percent: Say) -> Scatter:
    """Mean seconds of an attempt (across, logarithmic) against pass@1 with its interval (up).

    Up and to the left is better. Calibration agents have hollow marks; the agent of the page is drawn large.
    `duration` and `percent` write the values.

    Formula: a mark for each agent, at (seconds of all its attempts ÷ attempts, pass@1).

    Source: ours.

    Units: seconds; shares from 0 to 1. A mean of 0 seconds is drawn apart, because a logarithmic axis has no 0.

    Small n: an agent without a graded attempt, or without a duration, has no mark; no agent gives an empty figure.
    """
    return Scatter(
        tuple(
            ScatterPoint(
                mark.name,
                mark.seconds,
                mark.pass_1,
                mark.low,
                mark.high,
                hollow=mark.calibration,
                here=mark.here,
                hover=(f"{percent(mark.pass_1)}, {duration(mark.seconds)} an attempt",),
            )
            for mark in marks
        ),
        log_axis("time of an attempt", (mark.seconds for mark in marks), duration),
        share_axis("solved per attempt"),
    )


METHOD = Method(
    "chart",
    "Time against pass rate",
    time_against_pass_rate,
    short="Each mark is an agent: its mean time across, its pass@1 with an interval up; up and to the left is better.",
    example="60 % in 3 minutes lies above and to the left of 50 % in 10 minutes.",
)
