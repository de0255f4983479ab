"""Where values lie on axes, and which ticks stand there."""

from __future__ import annotations

import pytest

from runs.presentation.charts.axis import linear_axis, log_axis, near_share_axis, share_axis


def plain(value: float) -> str:
    return f"{value:g}"


def test_shares_have_quarters() -> None:
    axis = share_axis("pass@1")

    assert [tick.label for tick in axis.ticks] == ["0 %", "25 %", "50 %", "75 %", "100 %"]
    assert [axis.at(value) for value in (0, 0.5, 1)] == [0, 0.5, 1]


def test_what_lies_outside_stands_at_the_nearer_end() -> None:
    assert [share_axis("").at(value) for value in (-3, 1.2)] == [0, 1]


@pytest.mark.parametrize(
    ("values", "from_zero", "ticks"),
    [
        ([7, 31], True, ["0", "10", "20", "30", "40"]),
        ([1, 5], False, ["1", "2", "3", "4", "5"]),
        ([-0.2, 0.3], True, ["-0.2", "-0.1", "0", "0.1", "0.2", "0.3"]),
        ([], True, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ([4, 4], False, ["4", "5", "6", "7", "8"]),
    ],
)
def test_linear_axes_end_at_round_ticks(values: list[float], from_zero: bool, ticks: list[str]) -> None:
    axis = linear_axis("", values, plain, from_zero=from_zero)

    assert [tick.label for tick in axis.ticks] == ticks
    assert (axis.low, axis.high) == (axis.ticks[0].value, axis.ticks[-1].value)


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([140_000, 1_350_000], ["200000", "500000", "1e+06"]),
        ([1, 100], ["1", "3", "10", "30", "100"]),
        ([1, 100_000], ["1", "10", "100", "1000", "10000", "100000"]),
        ([5], ["4", "5", "6"]),
        ([], ["0.8", "1", "1.2"]),
    ],
)
def test_logarithmic_axes_are_a_little_wider_than_their_values(values: list[float], ticks: list[str]) -> None:
    assert [tick.label for tick in log_axis("", values, plain).ticks] == ticks


def test_a_logarithm_makes_equal_ratios_equal_distances() -> None:
    axis = log_axis("", [1, 100], plain)

    assert axis.at(10) == pytest.approx(0.5)
    assert axis.at(30) - axis.at(3) == pytest.approx(axis.at(50) - axis.at(5))


def test_zero_stands_apart_on_a_logarithmic_axis() -> None:
    axis = log_axis("", [0, 1, 100], plain)

    assert axis.ticks[0].label == "0"
    assert axis.zero is not None
    assert axis.low < axis.zero < 1
    assert axis.at(0) == axis.at(axis.zero)
    assert axis.place(0) == axis.zero


@pytest.mark.parametrize(
    ("shares", "ticks"),
    [
        ([0.73, 0.97], ["70 %", "75 %", "80 %", "85 %", "90 %", "95 %", "100 %"]),
        ([0.0, 0.06], ["0 %", "1 %", "2 %", "3 %", "4 %", "5 %", "6 %"]),
        ([0.5, 0.5], ["50 %", "52 %"]),
        ([1.0], ["98 %", "100 %"]),
    ],
)
def test_an_axis_near_shares_has_round_ticks_around_them(shares: list[float], ticks: list[str]) -> None:
    assert [tick.label for tick in near_share_axis("Rate", shares).ticks] == ticks
