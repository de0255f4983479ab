"""How numbers are written."""

from __future__ import annotations

import pytest

from runs.analysis.estimate import Estimate, Interval
from runs.presentation.formatting.numbers import (
    any_of_first,
    correlation,
    count,
    counted,
    counted_kinds,
    dollars,
    duration,
    fixed,
    heat,
    p_value,
    percent,
    points,
    points_interval,
    span,
    typeset,
    unbroken,
    unsigned_points,
    whole_percent,
)


@pytest.mark.parametrize(
    ("share", "written"),
    [(None, "–"), (0.0, "0.0 %"), (0.875, "87.5 %"), (1.0, "100.0 %"), (-0.05, "−5.0 %"), (-0.0001, "0.0 %")],
)
def test_a_share_is_a_percentage_and_none_is_a_dash(share: float | None, written: str) -> None:
    assert percent(share) == written.replace(" ", "\u00a0")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, "–"),
        (0, "0"),
        (2.44, "2.4"),
        (8.0, "8"),
        (640, "640"),
        (12_345, "12,345"),
        (99_999.4, "99,999"),
        (100_000, "100 k"),
        (648_123, "648 k"),
        (999_499, "999 k"),
        (999_500, "1.00 M"),
        (1_354_000, "1.35 M"),
        (-733.3, "−733"),
    ],
)
def test_a_count_is_short_when_it_is_long(value: float | None, written: str) -> None:
    assert count(value) == written.replace(" ", "\u00a0")


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (None, "–"),
        (0.0, "0 ms"),
        (0.00034, "0.3 ms"),
        (0.00096, "1 ms"),
        (0.004, "4 ms"),
        (0.9994, "999 ms"),
        (0.9996, "1.0 s"),
        (3.14, "3.1 s"),
        (9.96, "10 s"),
        (59.4, "59 s"),
        (59.6, "1:00"),
        (341, "5:41"),
        (3723, "1:02:03"),
        (-48, "−48 s"),
    ],
)
def test_a_duration_has_the_unit_that_fits(seconds: float | None, written: str) -> None:
    assert duration(seconds) == written.replace(" ", "\u00a0")


@pytest.mark.parametrize(
    ("seconds", "parts"),
    [
        (None, ["–"]),
        (45, ["45 s"]),
        (59.7, ["1 min"]),
        (720, ["12 min"]),
        (3600, ["1 h"]),
        (11_400, ["3 h", "10 min"]),
        (187_200, ["2 d", "4 h"]),
    ],
)
def test_a_span_has_two_units_at_most_and_breaks_only_between_them(
    seconds: float | None, parts: list[str]
) -> None:
    assert span(seconds) == " ".join(part.replace(" ", "\u00a0") for part in parts)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, "unknown"),
        (0, "$0"),
        (0.0042, "$0.0042"),
        (0.00001234, "$0.000012"),
        (0.25, "$0.25"),
        (1234.5, "$1,234.50"),
        (-0.075, "−$0.0750"),
    ],
)
def test_dollars_have_the_digits_that_matter_and_none_is_unknown(value: float | None, written: str) -> None:
    assert dollars(value) == written


def test_differences_are_points_with_their_sign() -> None:
    figure = Estimate(-0.12, 10, interval=Interval(-0.304, 0.004))

    assert [points(value) for value in (0.047, -0.12, 0.0, None)] == ["+4.7", "−12.0", "0.0", "–"]
    assert unsigned_points(-0.12) == "12.0"
    assert points_interval(figure) == "−30 to 0"
    assert points_interval(Estimate(0.1, 1)) == "no interval"


def test_a_correlation_has_a_minus_sign_and_zero_has_none() -> None:
    assert [correlation(value) for value in (0.961, 0.0, -0.8, -0.001)] == ["0.96", "0.00", "−0.80", "0.00"]


def test_the_first_of_some_attempts_is_one_attempt_without_a_number() -> None:
    assert any_of_first(1, "attempt") == "the first attempt"
    assert any_of_first(3, "attempt") == "at least one of the first 3 attempts"


def test_a_count_is_written_with_its_noun() -> None:
    assert [counted(1, "run"), counted(2000, "run"), counted(2, "sign is", "signs are")] == [
        "1 run",
        "2,000 runs",
        "2 signs are",
    ]


def test_counts_of_kinds_are_written_without_zeros() -> None:
    assert [
        counted_kinds({"new": new, "known": known}, "run")
        for new, known in ((1, 0), (2000, 1), (0, 2), (0, 0))
    ] == ["1 new run", "2,000 new, 1 known runs", "2 known runs", "no runs"]


def test_only_zero_and_one_have_the_outermost_colours() -> None:
    assert [heat(share) for share in (None, 0.0, 0.001, 0.5, 0.999, 1.0)] == [
        "h-none",
        "h0",
        "h1",
        "h2",
        "h4",
        "h5",
    ]


def test_negative_numbers_have_a_minus_sign_and_zero_has_none() -> None:
    assert [typeset(text) for text in ("-1,234.50", "-0.00", "+0.0", "+0.5", "2e-07")] == [
        "−1,234.50",
        "0.00",
        "0.0",
        "+0.5",
        "2e−07",
    ]


def test_a_sentence_does_not_break_between_a_number_and_its_unit() -> None:
    assert unbroken("42 % for 1:20; 3.1 s of 12 min, n 10 tasks, 7 s.") == (
        "42\u00a0% for 1:20; 3.1\u00a0s of 12\u00a0min, n 10 tasks, 7\u00a0s."
    )


@pytest.mark.parametrize(
    ("share", "written"),
    [(0.6375, "63.8"), (0.5875, "58.8"), (0.0005, "0.1"), (51 / 80 - 1e-16, "63.8"), (0.63749, "63.7")],
)
def test_halves_are_rounded_up_whatever_their_float(share: float, written: str) -> None:
    assert percent(share) == f"{written}\u00a0%"
    assert points(-share) == f"−{written}"


def test_the_rule_holds_for_numbers_of_all_kinds() -> None:
    assert [fixed(value, 2) for value in (0.125, 0.285, 1.005, -0.125)] == ["0.13", "0.29", "1.01", "-0.13"]
    assert [correlation(0.125), dollars(0.125), count(2.25), duration(2.25)] == [
        "0.13",
        "$0.13",
        "2.3",
        "2.3\u00a0s",
    ]
    assert [duration(12.5), span(90), whole_percent(0.125), p_value(0.0625)] == [
        "13\u00a0s",
        "2\u00a0min",
        "13",
        "= 0.063",
    ]
