"""Intervals by drawing anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.statistics.bootstrap import (
    Floats,
    Kind,
    corrected_tails,
    expanded_tails,
    over_attempts,
    over_task_means,
    over_tasks,
)

RATES = np.random.default_rng(4).beta(1, 2, 30)


def mean(tables: Floats) -> Any:
    return tables.mean(axis=-1)


def first(means: Floats) -> Any:
    return means[..., 0]


def ends(figure: Estimate) -> tuple[float, float]:
    assert figure.interval is not None
    return figure.interval.low, figure.interval.high


class TestOverTasks:
    def test_two_tasks_are_drawn_in_four_ways(self) -> None:
        # Of the draws (0, 0), (0, 1), (1, 0), (1, 1) a quarter each has mean 0 and 1: 2.5 % lie well within them.
        found = over_tasks([0.0, 1.0], mean, kind="percentile")
        assert found == Estimate(0.5, 2, interval=Interval(0.0, 1.0))

    @pytest.mark.parametrize("kind", ["bca", "percentile"])
    def test_scipy_gives_the_same(self, kind: Kind) -> None:
        from scipy.stats import bootstrap

        theirs = bootstrap(
            (np.sort(RATES),),
            np.mean,
            method="BCa" if kind == "bca" else kind,
            n_resamples=2000,
            rng=np.random.default_rng(7),
        ).confidence_interval
        found = over_tasks(RATES, mean, kind=kind, seed=7)
        assert ends(found) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
        assert ends(over_task_means(RATES[:, None], first, kind=kind, seed=7)) == pytest.approx(ends(found))

    def test_draws_that_equal_the_value_but_for_rounding_count_half(self) -> None:
        # 0.1 + 0.2 + 0.3 and its like differ in their last digit by the order they are added in: the draws of tenths
        # and those of whole numbers are the same draws, so the interval is the same but for the unit.
        for tenths in ([1, 2, 3], [1, 1, 2, 6, 7], [0, 3, 3, 6, 9, 9, 10]):
            whole = ends(over_tasks([float(tenth) for tenth in tenths], mean))
            assert ends(over_tasks([tenth / 10 for tenth in tenths], mean)) == pytest.approx(
                [end / 10 for end in whole], abs=1e-12
            )
            columns = np.array(tenths)[:, None]
            assert whole == pytest.approx(ends(over_task_means(columns, first)))

    def test_draws_of_which_nearly_all_agree_give_no_interval(self) -> None:
        # A draw of twelve has a median below 1 when six or more are the first task:
        # Σ C(12, i) (1/12)^i (11/12)^(12 − i) from i = 6 on is 0.02 %.
        def median(tables: Floats) -> Any:
            return np.median(tables, axis=-1)

        assert over_tasks([0.0, *([1.0] * 11)], median, kind="percentile") == Estimate(1.0, 12)

    def test_draws_that_leave_it_undefined_are_left_out(self) -> None:
        # (9/10)^10 = 35 % of draws miss the first task, and without it nothing is defined: percentiles of the rest.
        def of_the_first(tables: Floats) -> Any:
            return np.where(tables.max(axis=-1) == 10, tables.mean(axis=-1), np.nan)

        found = over_tasks([10.0, *range(9)], of_the_first)
        assert found == over_tasks([10.0, *range(9)], of_the_first, kind="percentile")
        assert found.interval is not None

    def test_the_unit_changes_nothing(self) -> None:
        large = over_tasks(RATES * 2**40, mean)
        assert ends(large) == pytest.approx([end * 2**40 for end in ends(over_tasks(RATES, mean))])
        assert over_task_means([[1e9 / 3]] * 7, first).interval is None

    def test_rows_stay_whole(self) -> None:
        # Both columns are alike, so their difference is zero in every draw.
        pairs = np.column_stack([RATES, RATES])
        found = over_tasks(pairs, lambda tables: (tables[..., 0] - tables[..., 1]).mean(axis=-1))
        assert found == Estimate(0.0, 30)

    def test_the_seed_decides(self) -> None:
        assert over_tasks(RATES, mean) == over_tasks(RATES, mean, seed=0)
        assert over_tasks(RATES, mean) != over_tasks(RATES, mean, seed=1)

    def test_where_nothing_was_seen_to_vary_there_is_no_interval(self) -> None:
        assert over_tasks([0.5] * 9, mean) == Estimate(0.5, 9)
        assert over_tasks([0.5], mean) == Estimate(0.5, 1)
        assert over_tasks([], mean) == Estimate.unknown("there is no task")

    def test_an_undefined_statistic_is_said_to_be(self) -> None:
        found = over_tasks(RATES, lambda tables: tables.mean(axis=-1) * np.nan)
        assert found == Estimate.unknown("it is undefined for these tasks", 30)


class TestOverTaskMeans:
    def test_a_ratio_of_means(self) -> None:
        columns = np.column_stack([RATES, RATES + 1])
        found = over_task_means(columns, lambda means: means[..., 0] / means[..., 1], seed=3)
        slow = over_tasks(
            columns, lambda tables: tables[..., 0].mean(axis=-1) / tables[..., 1].mean(axis=-1), seed=3
        )
        assert found.value == pytest.approx(slow.value)
        assert ends(found) == pytest.approx(ends(slow))

    def test_one_task_nothing_and_no_task(self) -> None:
        assert over_task_means([[0.5]] * 9, first) == Estimate(0.5, 9)
        assert over_task_means([[0.5]], first) == Estimate(0.5, 1)
        assert over_task_means([], first) == Estimate.unknown("there is no task")

    def test_draws_that_leave_it_undefined_are_left_out(self) -> None:
        def over_the_first(means: Floats) -> Any:
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.where(means[..., 0] > 0, means[..., 1] / means[..., 0], np.nan)

        # The first column is zero in (9/10)^10 = 35 % of draws, and with one task of ten left out.
        some = over_task_means([[1.0, 2.0]] + [[0.0, 3.0]] * 9, over_the_first)
        assert some.interval is not None
        assert over_task_means([[0.0, 3.0]] * 9, over_the_first).value is None

    @given(arrays(float, st.integers(2, 25), elements=st.floats(0, 1)))
    @settings(max_examples=40, deadline=None)
    def test_the_interval_of_a_mean_lies_within_the_rates(self, rates: Floats) -> None:
        found = over_task_means(rates[:, None], first, draws=200)
        if found.interval is not None:
            assert rates.min() - 1e-9 <= found.interval.low <= found.interval.high <= rates.max() + 1e-9

    @given(st.permutations(range(12)))
    @settings(max_examples=20, deadline=None)
    def test_the_order_of_tasks_changes_nothing(self, order: list[int]) -> None:
        pairs = np.column_stack([RATES[:12].round(1), RATES[12:24]])
        assert over_task_means(pairs[order], first, draws=100) == over_task_means(pairs, first, draws=100)


class TestOverAttempts:
    def test_it_scatters_as_much_as_the_attempts_do(self) -> None:
        # Each of 50 tasks: 3 of 5 resolved, sample variance 0.3, so the mean's variance is 0.3 / 5 / 50 = 0.0012;
        # 1.96 × √0.0012 = 0.0679
        found = over_attempts([[0, 1, 1, 0, 1]] * 50, mean)
        assert found.value == pytest.approx(0.6)
        low, high = ends(found)
        assert (high - low) / 2 == pytest.approx(0.0679, abs=0.004)

    def test_tasks_that_differ_add_nothing(self) -> None:
        assert over_attempts([[1, 1], [0, 0], [1, 1], [0, 0]], mean) == Estimate(0.5, 4)

    def test_unequal_attempts_and_single_ones(self) -> None:
        assert over_attempts([[0, 1], [1, 0, 1]], mean).interval is not None
        assert over_attempts([[0, 1], [1]], mean) == Estimate(0.75, 2)
        assert over_attempts([], mean) == Estimate.unknown("there is no task")
        with pytest.raises(ValueError, match="without an attempt"):
            over_attempts([[]], mean)


def test_no_draw_is_refused() -> None:
    with pytest.raises(ValueError, match="0 draws"):
        over_tasks([1.0], mean, draws=0)
    with pytest.raises(ValueError, match="0 draws"):
        over_task_means([[1.0]], first, draws=0)
    with pytest.raises(ValueError, match="0 draws"):
        over_attempts([[1.0]], mean, draws=0)


def test_expanded_percentiles() -> None:
    # Two tasks: t(1) leaves 90 % in the middle at tan(0.45 π) = 6.3138; Φ(−√2 · 6.3138) = 2.2e−19.
    # Twenty: t(19) = 2.0930, √(20/19) · 2.0930 = 2.1474, Φ(−2.1474) = 0.01588.
    assert expanded_tails(2, 0.9)[0] == pytest.approx(0, abs=1e-18)
    assert expanded_tails(20, 0.95) == pytest.approx((0.01588, 0.98412), abs=1e-5)
    assert expanded_tails(10**6, 0.95) == pytest.approx((0.025, 0.975), abs=1e-6)


def test_with_expanded_percentiles_a_mean_has_the_interval_of_its_t_test() -> None:
    # Evenly spread and symmetric, so that means of draws are nearly normal.
    values = np.linspace(-1, 1, 12)
    draws = np.random.default_rng(0).choice(values, (200_000, 12)).mean(axis=1)
    theirs = scipy.stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert np.quantile(draws, expanded_tails(12, 0.95)) == pytest.approx(list(theirs), abs=0.01)


def test_corrected_tails_follow_bias_and_skewness() -> None:
    # 30 of 100 draws lie below: z₀ = −0.524401. Left out: deviations −1, −1, 2: a = 6 ÷ (6 · 6^1.5) = 0.068041.
    # low: −0.524401 − 1.959964 = −2.484365, ÷ (1 + 0.068041 · 2.484365) = −2.125132, Φ(−2.649533) = 0.004030
    # high: −0.524401 + 1.959964 = 1.435563, ÷ (1 − 0.068041 · 1.435563) = 1.590955, Φ(1.066554) = 0.856914
    drawn = np.arange(100.0)
    found = corrected_tails(29.5, drawn, np.array([2.0, 2.0, -1.0]))
    assert found == pytest.approx((0.004030, 0.856914), abs=2e-5)


def test_tails_stay_where_nothing_tells_how_to_correct_them() -> None:
    drawn, skewed = np.arange(100.0), np.array([1.0, 2.0, 5.0])
    assert corrected_tails(-1.0, drawn, skewed, (0.1, 0.9)) == (0.1, 0.9)  # all draws lie above
    assert corrected_tails(29.5, drawn, np.full(3, 2.0), (0.1, 0.9)) == (0.1, 0.9)
    assert corrected_tails(29.5, drawn, skewed, (0.0, 1.0)) == (0.0, 1.0)
