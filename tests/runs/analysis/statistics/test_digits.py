"""Numbers are compared by their leading digits."""

from __future__ import annotations

import math

import pytest

from runs.analysis.statistics.digits import leading


def test_the_order_of_a_sum_does_not_matter() -> None:
    one, other = 0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1
    assert one != other
    assert leading(one) == leading(other) == 0.6


@pytest.mark.parametrize(
    ("value", "rounded"),
    [
        (1.23456789012345, 1.23456789012),
        (-1.23456789012345, -1.23456789012),
        (123456789012345.0, 123456789012000.0),
        (1.23456789012345e-9, 1.23456789012e-9),
        (0.0, 0.0),
    ],
)
def test_twelve_significant_digits_remain_whatever_the_size(value: float, rounded: float) -> None:
    assert leading(value) == rounded


def test_a_difference_in_the_twelfth_digit_counts() -> None:
    assert leading(1.00000000001) > leading(1.0)
    assert leading(1.000000000001) == leading(1.0)


def test_an_unknown_number_sorts_as_zero() -> None:
    assert leading(None) == 0.0
    assert leading(math.inf) == math.inf
