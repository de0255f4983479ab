"""Intervals of rates, with the arithmetic beside the value that is expected."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.estimate import Interval
from runs.analysis.statistics.intervals import (
    Z_95,
    clustered,
    groups_of,
    wilson,
    wilson_half_width,
)
from runs.data.published.tables import IDE_BENCH, table


def ends(interval: Interval | None) -> tuple[float, float]:
    """Both ends of an interval that there is."""
    assert interval is not None
    return interval.low, interval.high


TASKS = st.lists(
    st.integers(1, 9).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=1, max_size=40
)


def over(tasks: list[tuple[int, int]]) -> Interval:
    """The interval of tasks, each (resolved, attempts)."""
    found = clustered([won / tries for won, tries in tasks], [tries for _, tries in tasks])
    assert found is not None
    return found


def printed(number: int, rate: str, half: str) -> list[tuple[float, str]]:
    """Rates, 0 to 1, with the half widths that the table prints beside them."""
    rows = table(IDE_BENCH, number)
    return [(float(row[rows.columns.index(rate)]) / 100, row[rows.columns.index(half)]) for row in rows.rows]


class TestWilson:
    def test_nothing_known_gives_no_interval(self) -> None:
        assert wilson(0.0, 0) is None

    def test_one_task_gives_a_wide_one(self) -> None:
        # centre (0 + 3.8416/2) / 4.8416 = 0.39673, half width the same
        assert ends(wilson(0.0, 1)) == pytest.approx((0.0, 0.79346), abs=1e-5)

    def test_the_rate_belongs_to_it_to_the_last_bit(self) -> None:
        # On paper 6 of 6 give an upper end of 1, and 0 of 11 a lower end of 0; rounding made 1 − 10⁻¹⁶ and 3 · 10⁻¹⁷.
        for n in range(1, 200):
            assert ends(wilson(1.0, n))[1] == 1.0
            assert ends(wilson(0.0, n))[0] == 0.0
            assert ends(clustered([1.0] * n, [5] * n))[1] == 1.0

    def test_certainty_is_not_claimed_at_the_edge(self) -> None:
        # low: 1 / (1 + 3.8416 / 80)
        assert ends(wilson(1.0, 80)) == pytest.approx((0.95418, 1.0), abs=1e-5)

    @pytest.mark.parametrize("column", ["pass_at_1", "pass_at_5"])
    def test_the_published_half_widths_are_wilsons_over_eighty_tasks(self, column: str) -> None:
        rows = printed(1, f"{column}_pct", f"{column}_halfwidth")
        assert len(rows) == 15
        assert [f"{100 * wilson_half_width(rate, 80):.2f}" for rate, _ in rows] == [half for _, half in rows]


def wald_half_width(rate: float, n: int) -> float:
    """Half the width of the Wald interval, which Table 12 prints for the rates of Table 1."""
    return Z_95 * math.sqrt(rate * (1 - rate) / n)


class TestWald:
    def test_a_quarter_of_a_hundred(self) -> None:
        # 1.96 × √(0.25 × 0.75 / 100) = 1.96 × 0.0433013
        assert wald_half_width(0.25, 100) == pytest.approx(0.0848705, abs=1e-7)

    @pytest.mark.parametrize("column", ["pass_at_1", "pass_at_5"])
    def test_the_other_published_half_widths_of_the_same_rates_are_walds(self, column: str) -> None:
        rows = printed(12, f"{column}_pct", f"{column}_halfwidth_wald")
        assert len(rows) == 15
        assert [f"{100 * wald_half_width(rate, 80):.2f}" for rate, _ in rows] == [half for _, half in rows]


def test_statsmodels_gives_the_same_wilson_interval() -> None:
    from scipy.stats import norm
    from statsmodels.stats.proportion import proportion_confint

    for n in (1, 2, 7, 80, 400):
        for count in {0, 1, n // 3, n - 1, n}:
            expected = proportion_confint(count, n, alpha=2 * norm.sf(Z_95), method="wilson")
            assert ends(wilson(count / n, n)) == pytest.approx(expected, abs=1e-12)


def test_an_invalid_proportion_is_refused() -> None:
    for rate, n in ((1.1, 5), (-0.1, 5), (0.5, -1), (float("nan"), 5)):
        with pytest.raises(ValueError, match="a rate of"):
            wilson(rate, n)


class TestClustered:
    def test_four_tasks_of_two_attempts(self) -> None:
        # rates 1, 0.5, 0.5, 0: p = 0.5, Σ(r − p)² = 0.5, d = 0.5 / (4 × 0.25) = 0.5
        # δ = 4 × 0.5 / (3 + 0.5) = 0.571429, at least 0.8/2
        # q = 0.5, K = 4 × 0.5 / (0.5 + 0.5 × 0.5) = 2.666667, K² = 7.111111
        # δ' = (7.111111 × 0.571429 + 1) / 8.111111 = 0.624266; 4 / δ' = 6.407524 tasks
        # Wilson: half = 1.96 / (1 + 3.8416 / 6.407524) × √(0.25 / 6.407524 + 3.8416 / (4 × 6.407524²)),
        # which at p = 0.5 is 1.96 / 2 / √(6.407524 + 3.8416) = 0.306113
        found = over([(2, 2), (1, 2), (1, 2), (0, 2)])
        assert found.half_width == pytest.approx(1.96 / 2 / (6.4075235 + 3.8416) ** 0.5, abs=1e-6)
        assert ends(found) == pytest.approx((0.193887, 0.806113), abs=1e-6)

    def test_tasks_that_are_all_alike_leave_what_their_attempts_leave(self) -> None:
        # p = 0.4, d = 0, δ = 0.8/5, K = 20 × 0.4 / 0.4 = 20, δ' = (400 × 0.16 + 1) / 401 = 0.162095; 123.385 tasks
        expected = wilson_half_width(0.4, 20 / (65 / 401))
        assert over([(2, 5)] * 20).half_width == pytest.approx(expected)

    def test_where_all_or_nothing_is_resolved_it_is_wilsons_over_tasks(self) -> None:
        assert over([(0, 5)] * 20) == wilson(0.0, 20)
        assert over([(5, 5)] * 20) == wilson(1.0, 20)
        mixed = over([(5, 5)] * 3 + [(0, 5)] * 17)
        assert ends(mixed) == pytest.approx(ends(wilson(0.15, 20)))

    def test_no_task_gives_none_and_one_says_nothing_of_how_tasks_vary(self) -> None:
        assert clustered([], []) is None
        assert over([(2, 5)]) == wilson(0.4, 1)

    def test_what_is_no_rate_is_refused(self) -> None:
        for rates, attempts in (([0.5], [1, 1]), ([1.5], [1]), ([0.5], [0]), ([float("nan")], [1])):
            with pytest.raises(ValueError, match="rate"):
                clustered(rates, attempts)

    @given(st.lists(st.booleans(), min_size=1, max_size=60))
    def test_single_attempts_give_wilsons_interval(self, won: list[bool]) -> None:
        plain = wilson(sum(won) / len(won), len(won))
        assert ends(over([(int(each), 1) for each in won])) == pytest.approx(ends(plain))

    @given(TASKS)
    @settings(max_examples=100)
    def test_it_lies_within_zero_and_one_around_the_mean_and_is_no_wider_than_wilsons(
        self, tasks: list[tuple[int, int]]
    ) -> None:
        found = over(tasks)
        mean = sum(won / tries for won, tries in tasks) / len(tasks)
        assert 0 <= found.low <= mean + 1e-12
        assert mean - 1e-12 <= found.high <= 1
        assert found.half_width > 0
        widest = ends(wilson(min(1.0, mean), len(tasks)))
        assert widest[0] - 1e-9 <= found.low
        assert found.high <= widest[1] + 1e-9

    @given(TASKS, st.randoms(use_true_random=False))
    def test_the_order_of_tasks_changes_nothing(
        self, tasks: list[tuple[int, int]], chance: random.Random
    ) -> None:
        shuffled = list(tasks)
        chance.shuffle(shuffled)
        assert over(shuffled) == over(tasks)

    @given(TASKS)
    def test_what_is_not_resolved_mirrors_what_is(self, tasks: list[tuple[int, int]]) -> None:
        found, mirrored = over(tasks), over([(tries - won, tries) for won, tries in tasks])
        assert mirrored.low == pytest.approx(1 - found.high, abs=1e-9)
        assert mirrored.high == pytest.approx(1 - found.low, abs=1e-9)

    @given(TASKS)
    def test_more_tasks_of_the_same_kind_narrow_it(self, tasks: list[tuple[int, int]]) -> None:
        assert over(tasks * 2).half_width < over(tasks).half_width


class TestGroups:
    RATES = (1.0, 0.0, 0.5, 1.0, 0.0, 0.5)

    def test_groups_of_one_task_change_nothing(self) -> None:
        attempts = [2.0] * 6
        assert clustered(self.RATES, attempts, groups=range(6)) == clustered(self.RATES, attempts)

    def test_equal_tasks_of_a_group_count_once(self) -> None:
        once = clustered([1.0, 0.0, 0.5], [2.0] * 3)
        twice = clustered([1.0, 1.0, 0.0, 0.0, 0.5, 0.5], [1.0] * 6, groups=["a", "a", "b", "b", "c", "c"])
        assert twice == once

    def test_unlike_tasks_of_a_group_average_out(self) -> None:
        groups = ["a", "a", "b", "b", "c", "c"]
        alike = clustered([1.0, 1.0, 0.0, 0.0, 1.0, 0.0], [1.0] * 6, groups=groups)
        unlike = clustered([1.0, 0.0, 1.0, 0.0, 1.0, 0.0], [1.0] * 6, groups=groups)
        assert alike is not None
        assert unlike is not None
        assert unlike.high - unlike.low < alike.high - alike.low

    def test_each_task_needs_a_group(self) -> None:
        with pytest.raises(ValueError, match="zip"):
            clustered(self.RATES, [1.0] * 6, groups=["a"])

    def test_a_task_without_a_scenario_is_a_group_of_its_own(self) -> None:
        assert groups_of(["", "a", "a"]) == (0, "a", "a")
        assert groups_of(["", ""]) == ()
