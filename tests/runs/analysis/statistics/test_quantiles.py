"""Six figures of a sample."""

from __future__ import annotations

import statistics
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.estimate import Estimate
from runs.analysis.statistics.quantiles import quantiles

amounts = st.lists(st.floats(0, 1e9), min_size=1, max_size=40)


def test_quartiles_lie_on_the_line_between_their_neighbours() -> None:
    # In order 1 2 4 9; places (4 − 1) · 0.25 = 0.75, 1.5, 2.25.
    # P25 = 1 + 0.75 · (2 − 1); median = 2 + 0.5 · (4 − 2); P75 = 4 + 0.25 · (9 − 4); mean 16 ÷ 4
    found = quantiles([9, 1, 4, 2])
    assert found.p25 == Estimate(1.75, 4)
    assert found.median == Estimate(3.0, 4)
    assert found.p75 == Estimate(5.25, 4)
    assert found.mean == Estimate(4.0, 4)
    assert (found.minimum, found.maximum) == (Estimate(1.0, 4), Estimate(9.0, 4))


def test_nothing_is_undefined_and_one_value_is_itself() -> None:
    assert quantiles([], "no run").median == Estimate.unknown("no run")
    assert quantiles([]).n == 0
    one = quantiles([7.0])
    assert {one.mean, one.median, one.p25, one.p75, one.minimum, one.maximum} == {Estimate(7.0, 1)}


@settings(max_examples=60)
@given(amounts, st.randoms(use_true_random=False))
def test_order_does_not_matter_and_figures_rise(values: list[float], random: Any) -> None:
    found = quantiles(values)
    shuffled = list(values)
    random.shuffle(shuffled)
    assert quantiles(shuffled) == found

    rising = [f.value for f in (found.minimum, found.p25, found.median, found.p75, found.maximum)]
    assert all(a <= b * (1 + 1e-12) for a, b in pairwise(rising) if a is not None and b is not None)


@settings(max_examples=60)
@given(st.lists(st.floats(0, 1e9), min_size=2, max_size=40))
def test_the_standard_library_agrees(values: list[float]) -> None:
    found = quantiles(values)
    expected = statistics.quantiles(values, n=4, method="inclusive")
    assert [found.p25.value, found.median.value, found.p75.value] == pytest.approx(expected)
    assert found.mean.value == pytest.approx(statistics.fmean(values))
