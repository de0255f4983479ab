"""Estimates, intervals and exclusions."""

from __future__ import annotations

import math

import pytest

from runs.analysis.estimate import Estimate, Interval


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_an_estimate_is_a_number_or_a_reason(value: float) -> None:
    with pytest.raises(ValueError, match="not finite"):
        Estimate(value, 3)
    with pytest.raises(ValueError, match="either a value or a reason"):
        Estimate(None, 3)
    with pytest.raises(ValueError, match="either a value or a reason"):
        Estimate(1.0, 3, "too small")
    assert Estimate.unknown("not tried").n == 0


def test_a_difference_has_no_interval_and_is_unknown_where_either_is() -> None:
    known, lost = Estimate(0.75, 4, interval=Interval(0.5, 1.0)), Estimate.unknown("not tried", 4)

    assert known.minus(Estimate(0.5, 4)) == Estimate(0.25, 4)
    assert known.minus(lost) == lost.minus(known) == lost
    assert lost.minus(Estimate.unknown("no task", 4)) == lost


def test_negated_the_interval_turns_round() -> None:
    assert Estimate(0.25, 4, interval=Interval(-0.5, 1.0)).negated() == Estimate(
        -0.25, 4, interval=Interval(-1.0, 0.5)
    )
    assert Estimate(0.25, 4).negated() == Estimate(-0.25, 4)
    lost = Estimate.unknown("not tried", 4)
    assert lost.negated() == lost
