"""Points of pitfalls, and the score of two runs that follows from them."""

from __future__ import annotations

import pytest

from harness.judges.answer import Frequency, Severity
from harness.judges.burden import burden, burden_score
from harness.judges.review_file import Evidence


def pitfall(severity: Severity, frequency: Frequency | None = "once") -> Evidence:
    return Evidence("a", severity, "quote", 1, "unverified", frequency=frequency)


@pytest.mark.parametrize(
    ("lines", "points"),
    [
        ([], 0),
        ([pitfall("none", None)], 0),
        ([pitfall("low")], 1),
        ([pitfall("medium")], 3),
        ([pitfall("high")], 7),
        ([pitfall("low", "repeated")], 2),
        ([pitfall("medium", "repeated")], 6),
        ([pitfall("high", "repeated")], 14),
        ([pitfall("high"), pitfall("medium", "repeated"), pitfall("low"), pitfall("none", None)], 14),
        ([pitfall("high", "repeated")] * 6, 84),
    ],
)
def test_a_burden_is_the_sum_of_severity_times_frequency(lines: list[Evidence], points: int) -> None:
    assert burden(lines) == points


# The paper's table: differences of burdens, and the size of the score.
TABLE = {range(4): 0, range(4, 7): 1, range(7, 11): 2, range(11, 16): 3, range(16, 23): 4, range(23, 41): 5}


@pytest.mark.parametrize("difference", range(-40, 41))
def test_a_difference_gives_the_papers_score_with_the_opposite_sign(difference: int) -> None:
    size = next(score for span, score in TABLE.items() if abs(difference) in span)
    expected = -size if difference > 0 else size
    for least in (0, 1, 17, 84):
        first, second = (least, least + difference) if difference >= 0 else (least - difference, least)
        assert burden_score(first, second) == expected
        assert burden_score(second, first) == -expected


def test_the_run_with_the_smaller_burden_is_better_and_a_better_first_run_is_negative() -> None:
    assert burden_score(0, 30) == -5
    assert burden_score(30, 0) == 5
