"""Jackknifed intervals of variances and ratios, with the arithmetic beside the value that is expected."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.analysis.estimate import Interval
from runs.analysis.statistics.jackknife import OF_DIFFERENCES, OF_RATIOS, Jackknife, of_difference


def made(value: float, *left_out: float) -> Jackknife:
    """The jackknife of a quantity that has one."""
    found = Jackknife.of(value, np.array(left_out))
    assert found is not None
    return found


def ends(interval: Interval | None) -> tuple[float, float]:
    """Both ends of an interval that there is."""
    assert interval is not None
    return interval.low, interval.high


def test_four_tasks() -> None:
    # ln: 0, 0, ln 2, ln 4, mean 3 ln 2 / 4 = 0.519860
    # d = 3 × (0.519860 − …) = 1.559581, 1.559581, −0.519860, −2.599302
    # Σd² = 11.891144 (11 × 3 ln² 2 × 9 / 12), Σd⁴ = 57.5524; 3 × 141.3993 / 57.5524 − 1 = 6.3706: n − 1 = 3 degrees
    # s = √(11.891144 / 12) = 0.995454; t = 3.182446: e^3.167980 = 23.7594
    found = made(1.5, 1.0, 1.0, 2.0, 4.0)
    assert found.moves.tolist() == pytest.approx([1.559581, 1.559581, -0.519860, -2.599302], abs=1e-6)
    assert ends(found.interval()) == pytest.approx((1.5 / 23.7594, 1.5 * 23.7594), rel=1e-4)


def test_where_one_task_decides_it_counts_as_few() -> None:
    # One of twenty: d = −19 × 19/20 ln 2 there and 19/20 ln 2 elsewhere, in units of 19/20 ln 2: −19 and 19 times 1.
    # Σd² = 380, Σd⁴ = 130,340: 3 × 144,400 / 130,340 − 1 = 2.323615 degrees, t = 3.772 in place of 2.093
    found = made(1.0, *[1.0] * 19, 2.0)
    spread = 0.95 * math.log(2) * math.sqrt(380 / (20 * 19))
    from scipy.stats import t

    assert ends(found.interval())[1] == pytest.approx(math.exp(t.ppf(0.975, 2.3236151) * spread), rel=1e-6)


def test_a_larger_exponent_gives_fewer_degrees_where_few_tasks_decide() -> None:
    # As above: 3.323615 of 20 tasks decide. 20 × (3.323615 / 20)^1.3 − 1 = 0.939925, so 1 degree: t = 12.706205
    found = made(1.0, *[1.0] * 19, 2.0)
    spread = 0.95 * math.log(2) * math.sqrt(380 / (20 * 19))
    assert ends(found.interval(OF_RATIOS))[1] == pytest.approx(math.exp(12.706205 * spread), rel=1e-5)
    # Where every task decides as in a normal sample, or more, the exponent changes nothing.
    even = made(1.0, *[0.9, 1.1] * 10)
    assert even.interval(OF_RATIOS) == even.interval()


def test_what_a_task_alone_holds_has_no_interval() -> None:
    assert Jackknife.of(1.0, np.array([0.0, 1.0, 1.0])) is None
    assert Jackknife.of(1.0, np.array([np.nan, 1.0])) is None
    assert Jackknife.of(1.0, np.array([np.inf, 1.0])) is None
    assert Jackknife.of(np.inf, np.array([1.0, 1.0])) is None
    assert Jackknife.of(0.0, np.array([1.0, 1.0])) is None
    assert Jackknife.of(1.0, np.array([1.0])) is None
    assert made(1.0, 1.0, 1.0, 1.0).interval() is None  # nothing moves it


def test_a_difference_takes_both_and_how_they_go_together() -> None:
    one, other = made(3.0, 2.8, 3.1, 3.2, 2.9), made(1.0, 1.1, 0.9, 0.95, 1.05)
    (low, high), (least, most) = (ends(each.interval(OF_DIFFERENCES)) for each in (one, other))
    r = one.correlation(other)
    assert r == pytest.approx(float(np.corrcoef(one.moves, other.moves)[0, 1]))
    assert r < 0
    found = ends(of_difference(one, other))
    below = (3 - low) ** 2 + (most - 1) ** 2 - 2 * r * (3 - low) * (most - 1)
    above = (high - 3) ** 2 + (1 - least) ** 2 - 2 * r * (high - 3) * (1 - least)
    assert found == pytest.approx((2 - math.sqrt(below), 2 + math.sqrt(above)))
    assert of_difference(one, made(1.0, 1.0, 1.0, 1.0, 1.0)) is None


@given(st.lists(st.floats(0.01, 100), min_size=2, max_size=30), st.floats(0.001, 1000))
def test_it_holds_the_value_and_follows_its_unit(left_out: list[float], unit: float) -> None:
    found = made(2.0, *left_out).interval()
    scaled = made(2.0 * unit, *(unit * value for value in left_out)).interval()
    if found is None or scaled is None:
        return
    assert 0 <= found.low <= 2.0 <= found.high
    assert scaled.low == pytest.approx(unit * found.low, rel=1e-6)
