"""The score of an agent in one dimension."""

from __future__ import annotations

import pytest

from runs.analysis.judging.dimension_means import dimension_mean


def test_each_scenario_counts_once_whatever_its_runs() -> None:
    found = dimension_mean([("tide", 1.0), ("tide", 0.5), ("moon", 0.0), ("ebb", 0.5)])
    assert found.value == pytest.approx((0.75 + 0.0 + 0.5) / 3)
    assert found.n == 3
    assert found.interval
    assert 0 <= found.interval.low < 0.42 < found.interval.high <= 1


def test_equal_scores_have_an_interval_and_no_score_a_reason() -> None:
    (equal, none) = (dimension_mean([("tide", 1.0), ("moon", 1.0)]), dimension_mean([]))
    assert equal.interval
    assert equal.interval.low < 0.5
    assert (none.value, none.reason) == (None, "no run has a score")


def test_a_score_outside_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="tide has a score of 2"):
        dimension_mean([("tide", 2.0)])
