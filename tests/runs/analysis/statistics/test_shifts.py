"""Changes between two measurements of clusters."""

from __future__ import annotations

import pytest

from runs.analysis.estimate import Interval
from runs.analysis.statistics.shifts import BeforeAfter, shift


def test_each_cluster_counts_once() -> None:
    # Changes: tide (0 + 1) ÷ 2, moon 0, reef −0.5; the second pair of tide is no cluster of its own.
    found = shift(
        [
            BeforeAfter("tide", 0.0, 0.0),
            BeforeAfter("tide", 0.0, 1.0),
            BeforeAfter("moon", 1.0, 1.0),
            BeforeAfter("reef", 1.0, 0.5),
        ]
    )
    assert (found.change.value, found.change.n, found.pairs) == (0, 3, 4)
    assert found.before.value == found.after.value == pytest.approx(2 / 3)
    # ±0.5 ±0.5: sums 1, 0, 0, −1; observed 0
    assert (found.flips.above, found.flips.below, found.flips.either) == (0.75, 0.75, 1.0)
    # s = 0.5: 4.303 · 0.5 ÷ √3
    assert found.change.interval is not None
    assert found.change.interval.high == pytest.approx(1.2421, abs=1e-4)


def test_equal_changes_have_the_interval_of_rates() -> None:
    found = shift([BeforeAfter(str(number), 0.5, 0.5) for number in range(16)])
    assert found.change.value == 0
    reach = 1 - 0.025 ** (1 / 16)
    assert found.change.interval == Interval(-reach, reach)
    seconds = shift([BeforeAfter(str(number), 10, 20) for number in range(3)])
    assert (seconds.change.value, seconds.change.interval) == (10, None)


def test_without_a_pair_nothing_is_known() -> None:
    found = shift([])
    assert found.change.reason == found.before.reason == "no pair has both values"
    assert (found.flips.either, found.pairs) == (1.0, 0)
