"""Means, ratios and box plots."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from runs.analysis.estimate import Estimate
from runs.analysis.statistics.summaries import Outlier, all_and_by_agent, box, mean_of, median_of, ratio
from tests.runs.analysis.made_runs import acted


class TestBox:
    def test_quartiles_whiskers_and_outliers(self) -> None:
        found = box(enumerate([3, 1, 2, 4, 20]), "")

        # Sorted 1 2 3 4 20: ranks 2, 3 and 4 are Q1 = 2, median 3, Q3 = 4; IQR 2, so whiskers reach from -1 to 7.
        assert [figure.value for figure in (found.low, found.q1, found.median, found.q3, found.high)] == [
            1,
            2,
            3,
            4,
            4,
        ]
        assert found.mean == Estimate(6, 5)
        assert found.outliers == (Outlier(4, 20),)

    def test_between_two_ranks_a_quartile_lies_on_their_line(self) -> None:
        # Four values: Q1 has rank 1 + 3/4, so 1 + 0.75 · (2 - 1).
        assert box(enumerate([1, 2, 3, 4]), "").q1.value == 1.75

    def test_a_value_at_the_fence_is_within_and_one_just_beyond_is_not(self) -> None:
        # Q1 = 2 and Q3 = 4 again: the fence stands at 4 + 1.5 · 2 = 7.
        assert box(enumerate([1, 2, 3, 4, 7]), "").high.value == 7
        assert box(enumerate([1, 2, 3, 4, 7.1]), "").outliers == (Outlier(4, 7.1),)

    def test_what_lies_at_a_fence_but_for_rounding_is_no_outlier(self) -> None:
        # Q1 is 0 + 0.75 · 0.8 = 0.6, Q3 = 1, IQR 0.4: the fence is at 0.6 − 0.6 = 0.
        assert box(enumerate([0.0, 0.8, 1.0, 1.0]), "").outliers == ()
        # Q1 is 0.15, Q3 0.25: fences at 0 and 0.4.
        found = box(enumerate([0.0, 0.2, 0.2, 0.4]), "")
        assert (found.low.value, found.high.value, found.outliers) == (0, 0.4, ())

    def test_a_whisker_never_ends_inside_the_box(self) -> None:
        # Q1 has rank 1 + 3/4: 7.5. IQR 2.5, fence 7.5 - 3.75 = 3.75: 0 is an outlier, 10 the lowest within.
        found = box(enumerate([0, 10, 10, 10]), "")
        assert (found.low.value, found.q1.value) == (7.5, 7.5)
        assert found.outliers == (Outlier(0, 0),)

    def test_one_value_is_all_of_it_and_none_is_nothing(self) -> None:
        one = box([(7, 5.0)], "")
        assert {one.mean, one.low, one.q1, one.median, one.q3, one.high} == {Estimate(5, 1)}
        assert box([], "no run").median == Estimate.unknown("no run")

    @settings(max_examples=60)
    @given(st.lists(st.integers(0, 200), min_size=1, max_size=30))
    def test_it_agrees_with_scipy_and_is_in_order(self, values: list[int]) -> None:
        found = box(enumerate(values), "")
        ends = [figure.value or 0 for figure in (found.low, found.q1, found.median, found.q3, found.high)]

        assert ends[1:4] == pytest.approx(stats.mstats.mquantiles(values, alphap=1, betap=1))
        assert ends == sorted(ends)
        assert len(found.outliers) + sum(ends[0] <= value <= ends[4] for value in values) == len(values)


def test_a_mean_is_the_same_in_any_order() -> None:
    values = [1e16, 1.0, -1e16, 1.0]
    # A plain sum loses the first 1: (1 + 1) ÷ 4.
    assert mean_of(values, "no run") == mean_of(values[::-1], "no run") == Estimate(0.5, 4)
    assert mean_of([], "no run") == Estimate.unknown("no run")


def test_a_median_lies_between_the_two_in_the_middle() -> None:
    assert median_of([9.0, 1.0, 2.0], "no run") == Estimate(2.0, 3)
    assert median_of([9.0, 1.0, 2.0, 4.0], "no run") == Estimate(3.0, 4)
    assert median_of([], "no run") == Estimate.unknown("no run")


def test_an_undefined_ratio_has_its_n() -> None:
    assert ratio(1, 4, 7, "no call") == Estimate(0.25, 7)
    assert ratio(0, 4, 7, "no call") == Estimate(0.0, 7)
    assert ratio(1, 0, 7, "no call") == Estimate.unknown("no call", 7)


def test_all_runs_come_before_those_of_each_agent() -> None:
    zoe, adam, again = acted(1, agent="zoe"), acted(2, agent="adam"), acted(3, agent="zoe")
    assert all_and_by_agent([zoe, adam, again]) == [
        (None, [zoe, adam, again]),
        ("adam", [adam]),
        ("zoe", [zoe, again]),
    ]
    assert all_and_by_agent([]) == [(None, [])]
