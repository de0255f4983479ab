"""How topics write numbers in sentences."""

from __future__ import annotations

import pytest

from runs.formatting.sentence_numbers import amount, correlation, counted, dollars, percent, points, seconds


def test_less_than_nothing_has_a_minus_sign() -> None:
    assert [correlation(value) for value in (0.961, 0.0, -0.8, -0.001)] == ["0.96", "0.00", "−0.80", "0.00"]
    assert [points(value) for value in (0.047, -0.12)] == ["+4.7", "−12.0"]


def test_shares_and_what_is_counted() -> None:
    assert (percent(None), percent(0.875), percent(0.875, 0)) == ("–", "87.5 %", "88 %")
    assert (counted(1, "run"), counted(2000, "run"), counted(2, "sign is", "signs are")) == (
        "1 run",
        "2,000 runs",
        "2 signs are",
    )


@pytest.mark.parametrize(
    ("value", "written"),
    [(0, "0"), (2.44, "2.4"), (640, "640"), (12_345, "12.3 k"), (648_123, "648 k"), (1_354_000, "1.35 M")],
)
def test_amounts_have_the_digits_that_matter(value: float, written: str) -> None:
    assert amount(value) == written


@pytest.mark.parametrize(
    ("value", "written"), [(0, "$0"), (0.00416, "$0.0042"), (0.25, "$0.25"), (1234.5, "$1,234.50")]
)
def test_dollars_have_the_digits_that_matter(value: float, written: str) -> None:
    assert dollars(value) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.004, "4 ms"), (3.14, "3.1 s"), (48.4, "48 s"), (341, "5:41"), (3723, "1:02:03")],
)
def test_seconds_have_the_unit_that_fits(value: float, written: str) -> None:
    assert seconds(value) == written
