"""The rank test of two groups."""

from __future__ import annotations

import numpy as np
import pytest

from runs.analysis.statistics.rank_test import mann_whitney


def test_delta_and_p_by_hand() -> None:
    # Of 4 · 2 pairs, 7 are won by the first group: 2 · 7 ÷ 8 − 1; U ≥ 7 has 2 of C(6, 2) arrangements, on either side.
    delta, p = mann_whitney(np.array([2.0, 4, 5, 6]), np.array([1.0, 3]))
    assert delta == 0.75
    assert p == pytest.approx(4 / 15)


def test_equal_values_have_no_difference() -> None:
    assert mann_whitney(np.ones(3), np.ones(2)) == (0.0, 1.0)
