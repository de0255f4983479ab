"""Intervals of means, and of their differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from runs.analysis.figure import Interval
from runs.analysis.statistics.means import student, welch

values = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=12)


def ends(interval: Interval | None) -> tuple[float, float]:
    assert interval is not None
    return interval.low, interval.high


def test_three_values_worked_by_hand() -> None:
    # Mean 4, s = √((4 + 0 + 4) ÷ 2) = 2, t₂ = 4.302653: 4 ± 4.302653 · 2 ÷ √3 = ± 4.968275
    assert ends(student([2.0, 4.0, 6.0])) == pytest.approx((-0.968275, 8.968275))


def test_two_groups_worked_by_hand() -> None:
    # 4 − 10; a = 4 ÷ 3, b = 2 ÷ 2 = 1; freedom (7/3)² ÷ ((4/3)² ÷ 2 + 1) = 49/9 ÷ 17/9 = 2.882353; t = 3.257;
    # ± t · √(7/3) = ± 4.975
    low, high = ends(welch([2.0, 4.0, 6.0], [9.0, 11.0]))
    half = float(stats.t.ppf(0.975, 49 / 17)) * (7 / 3) ** 0.5
    assert half == pytest.approx(4.975, abs=0.001)
    assert (low, high) == pytest.approx((-6 - half, -6 + half))


@pytest.mark.parametrize("few", [[], [3.0], [3.0, 3.0, 3.0]])
def test_values_that_show_no_scatter_have_no_interval(few: list[float]) -> None:
    assert student(few) is None


@pytest.mark.parametrize(
    ("ours", "theirs"), [([], [1.0, 2.0]), ([1.0], [1.0, 2.0]), ([1.0, 2.0], [3.0]), ([1.0, 1.0], [2.0, 2.0])]
)
def test_groups_that_show_no_scatter_have_none_either(ours: list[float], theirs: list[float]) -> None:
    assert welch(ours, theirs) is None


def test_one_group_that_scatters_is_enough() -> None:
    # b = 0: freedom is that of the first group, 1; t₁ = 12.7062, s ÷ √2 = 1: 2 − 5 ± 12.7062
    assert ends(welch([1.0, 3.0], [5.0, 5.0])) == pytest.approx((-15.7062, 9.7062))


@given(values)
def test_scipy_finds_the_same(drawn: list[float]) -> None:
    found = student(drawn)
    if found is None:
        assert len(set(drawn)) == 1
        return
    scale = max(map(abs, drawn))
    expected = stats.ttest_1samp(drawn, 0).confidence_interval()
    assert ends(found) == pytest.approx((expected.low, expected.high), rel=1e-6, abs=1e-6 * scale)


def test_the_order_of_values_changes_no_digit() -> None:
    drawn = np.random.default_rng(1).normal(0, 1, 40)
    assert student(drawn) == student(drawn[::-1])
    assert welch(drawn, drawn[:9]) == welch(drawn[::-1], drawn[:9][::-1])
