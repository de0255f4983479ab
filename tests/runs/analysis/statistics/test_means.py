"""Intervals of means, and of their differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from runs.analysis.estimate import Interval
from runs.analysis.statistics.intervals import clustered, wilson
from runs.analysis.statistics.means import of_shares, student, welch

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


def test_shares_that_are_all_alike_stay_open() -> None:
    # Wilson's for six tasks with t₅ = 2.570582: 6 ÷ (6 + 2.570582²) = 0.475892
    assert ends(of_shares([1.0] * 6)) == pytest.approx((0.475892, 1.0), abs=1e-6)


def test_shares_are_worth_as_many_tasks_as_their_scatter_says() -> None:
    # Mean 0.5, d = 4 · 0.1² ÷ (4 · 0.25) = 0.04; δ = 4 · 0.04 ÷ 3.04 = 0.0526316;
    # K = 4 · 0.5 ÷ (0.5 + 0.04 · 0.5) = 3.846154, K² = 14.792899;
    # (14.792899 · 0.0526316 + 1) ÷ 15.792899 = 0.112618: 4 ÷ 0.112618 = 35.518 tasks, t₃ = 3.182446.
    # z² = 10.127962; ± 3.182446 ÷ (1 + 10.127962 ÷ 35.518) · √(0.25 ÷ 35.518 + 10.127962 ÷ (4 · 35.518²))
    found = ends(of_shares([0.4, 0.6, 0.4, 0.6]))
    z = 3.182446
    half = z / (1 + z * z / 35.518) * (0.25 / 35.518 + z * z / (4 * 35.518**2)) ** 0.5
    assert found == pytest.approx((0.5 - half, 0.5 + half), abs=1e-5)


def test_one_share_has_the_interval_of_one_task_and_none_has_none() -> None:
    assert of_shares([]) is None
    assert of_shares([0.25]) == wilson(0.25, 1)


def test_shares_reach_further_than_rates_of_so_many_tasks_whose_attempts_are_endless() -> None:
    shares = [0.1, 0.4, 0.35, 0.8]
    low, high = ends(of_shares(shares))
    least, most = ends(clustered(shares, [float("inf")] * 4))
    assert low < least < most < high


def test_a_share_outside_0_to_1_is_refused() -> None:
    with pytest.raises(ValueError, match=r"a rate of 1\.5"):
        of_shares([0.5, 1.5])


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


def test_values_of_a_group_count_once() -> None:
    groups = ["a", "a", "b", "b", "c", "c"]
    assert student([2.0, 2.0, 4.0, 4.0, 6.0, 6.0], groups) == student([2.0, 4.0, 6.0])
    assert of_shares([0.2, 0.2, 0.4, 0.4, 0.6, 0.6], groups) == of_shares([0.2, 0.4, 0.6])
    assert student([1.0, 3.0, 3.0, 1.0], ["a", "a", "b", "b"]) is None
