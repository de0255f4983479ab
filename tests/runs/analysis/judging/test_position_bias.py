"""Effect of the order on judges."""

from __future__ import annotations

import pytest

from runs.analysis.judging.position_bias import BothOrders, position_bias


def compared(*scores: tuple[int | None, int | None]) -> list[BothOrders]:
    """Pairs of scenarios of their own, with the scores of both orders."""
    return [
        BothOrders("haiku", "pitfalls", str(number), a_first, b_first)
        for number, (a_first, b_first) in enumerate(scores)
    ]


def test_a_judge_without_bias_gives_the_opposite_score_in_the_other_order() -> None:
    (found,) = position_bias(compared((-3, 3), (2, -2), (0, 0), (-1, 1)))
    assert (found.flips.value, found.unsteady.value, found.preference.value) == (0, 0, 0)
    assert (found.p.value, found.pairs) == (1, 4)


def test_a_judge_that_prefers_the_first_flips_winners() -> None:
    (found,) = position_bias(compared(*[(-2, -1)] * 6, (-3, 2), (0, 0)))
    # Preferences 0.3 six times, 0.1, 0; of 2⁷ patterns two are as extreme.
    assert (found.flips.value, found.unsteady.value) == (6 / 8, 6 / 8)
    assert found.preference.value == pytest.approx((6 * 0.3 + 0.1) / 8)
    assert found.p.value == pytest.approx(2 / 2**7)
    assert found.preference.interval is not None
    assert found.preference.interval.low > 0
    assert (found.flipped, found.direction) == (6, "first")
    (swapped,) = position_bias(compared(*[(2, 1)] * 6, (3, -2), (0, 0)))
    assert swapped.direction == "second"
    (few,) = position_bias(compared(*[(-2, -1)] * 5))
    assert (few.flips.value, few.p.value, few.direction) == (1, 2 / 2**5, "not shown")


def test_one_scenario_has_no_interval_of_its_preference() -> None:
    (found,) = position_bias(compared((-3, 4)))
    assert (found.preference.value, found.preference.interval, found.p.value) == (-0.1, None, 1)


def test_pairs_without_both_scores_are_counted_and_in_no_estimate() -> None:
    (found,) = position_bias(compared((-3, 3), (None, -2), (1, None)))
    assert (found.pairs, found.unanswered, found.flips.n) == (1, 2, 1)
    (none,) = position_bias(compared((None, None)))
    assert none.flips.reason == "no pair has a score in both orders"
    assert (none.preference.value, none.p.value, none.direction) == (None, None, "not shown")


def test_a_winner_that_becomes_a_tie_is_unsteady_and_no_flip() -> None:
    (found,) = position_bias(compared((-2, 0), (1, -1)))
    assert (found.flips.value, found.unsteady.value) == (0, 0.5)


def test_pairs_of_one_scenario_count_once() -> None:
    pairs = [BothOrders("haiku", "pitfalls", "tide", -5, -5)] * 3 + compared((-1, 1))
    (found,) = position_bias(pairs)
    assert (found.preference.value, found.flips.value, found.flips.n, found.pairs) == (0.5, 0.5, 2, 4)
    with pytest.raises(ValueError, match="scores of 6 and 0"):
        BothOrders("haiku", "pitfalls", "tide", 6, 0)
