"""States, quotes and cost of reviews."""

from __future__ import annotations

from dataclasses import replace

import pytest

from runs.analysis.judging.review_quality import ReviewFacts, review_quality
from tests.runs.analysis.personas import ends


def test_a_judge_in_one_dimension() -> None:
    (found,) = review_quality(
        [
            ReviewFacts("haiku", "pitfalls", "done", quotes=4, struck=1, cost_usd=0.02, seconds=8),
            ReviewFacts("haiku", "pitfalls", "done", quotes=2, struck=0, asks=2, cost_usd=0.04, seconds=12),
            ReviewFacts("haiku", "pitfalls", "malformed", asks=2),
            ReviewFacts("haiku", "pitfalls", "refused", cost_usd=0.0),
        ]
    )
    assert (found.reviews, found.states) == (4, {"done": 2, "malformed": 1, "refused": 1})
    assert (found.scored.value, found.asked_again.value) == (0.5, 0.5)
    assert (found.struck.value, found.struck.n) == (0.125, 2)
    assert found.cost.value == pytest.approx(0.02)
    assert (found.cost.n, found.unpriced) == (3, 1)
    assert found.seconds.value == 10


def test_two_equal_reviews_of_each_scenario_count_as_one() -> None:
    reviews = [
        ReviewFacts("haiku", "pitfalls", "done" if n < 6 else "failed", 2, n % 3, 1 + n % 2, float(n), n)
        for n in range(8)
    ]
    twins = [replace(one, scenario=str(n)) for n, one in enumerate(reviews) for _ in "dt"]
    (alone,), (twice,) = review_quality(reviews), review_quality(twins)
    for name in ("scored", "asked_again", "cost", "seconds"):
        assert ends(getattr(twice, name)) == pytest.approx(ends(getattr(alone, name))), name
    assert ends(twice.struck) == pytest.approx(ends(alone.struck))
    assert (twice.struck.n, twice.reviews) == (16, 16)


def test_an_unknown_cost_is_not_zero() -> None:
    (found,) = review_quality([ReviewFacts("haiku", "pitfalls", "failed")])
    assert found.cost.reason == "the cost of no review is known"
    assert found.struck.reason == "no review quotes anything"
    assert found.seconds.reason == "the time of no review is known"
    assert review_quality([]) == ()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"quotes": 1, "struck": 2}, "haiku: 2 of 1 quotes are struck"),
        ({"cost_usd": -1.0}, r"haiku: a cost of -1\.0"),
        ({"seconds": float("nan")}, "haiku: a seconds of nan"),
    ],
)
def test_impossible_values_are_refused(values: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ReviewFacts("haiku", "pitfalls", "done", **values)  # type: ignore[arg-type]
