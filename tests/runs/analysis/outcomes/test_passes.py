"""Estimators of one task and their means over tasks, with the arithmetic beside the value that is expected."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.outcomes.passes import (
    TaskScore,
    all_pass_rate,
    checked_k,
    mean,
    pass_at_k,
    pass_hat_k,
    pass_rate,
    place_between,
    rate_of_tests,
    retry_benefit,
    usual_k,
)
from runs.analysis.statistics.intervals import clustered, wilson, wilson_half_width
from runs.analysis.statistics.means import of_shares

SCORES = st.integers(1, 9).flatmap(lambda n: st.builds(TaskScore, st.just(n), st.integers(0, n)))


class TestK:
    def test_it_is_the_most_that_some_agent_has_at_each_task_and_five_at_most(self) -> None:
        def of(*attempts: Sequence[int]) -> int:
            return usual_k([[TaskScore(made, 0) for made in theirs] for theirs in attempts])

        assert of([9, 7]) == 5
        assert of([2, 2], [9, 3], [4, 1]) == 3
        assert of([], [2]) == 2
        assert of() == of([]) == 1

    def test_it_counts_from_one(self) -> None:
        assert [checked_k(k) for k in (None, 1, 7)] == [None, 1, 7]
        with pytest.raises(ValueError, match="k of 0: expected 1 or more"):
            checked_k(0)

    def test_a_rate_is_resolved_over_attempts_without_rounding(self) -> None:
        assert TaskScore(6, 4).rate == Fraction(2, 3)


class TestPassAtK:
    def test_one_of_five_attempts(self) -> None:
        assert pass_at_k(5, 1, 1) == 1 / 5
        # 1 - C(4, 2) / C(5, 2) = 1 - 6 / 10
        assert pass_at_k(5, 1, 2) == 0.4
        assert pass_at_k(5, 1, 5) == 1.0

    def test_two_of_five_attempts(self) -> None:
        # 1 - C(3, 3) / C(5, 3) = 1 - 1 / 10
        assert pass_at_k(5, 2, 3) == 0.9

    def test_no_success_is_zero_and_too_few_attempts_are_unknown(self) -> None:
        assert pass_at_k(5, 0, 3) == 0.0
        assert pass_at_k(2, 1, 3) is None
        assert pass_at_k(0, 0, 1) is None
        assert (pass_at_k(1, 0, 1), pass_at_k(1, 1, 1)) == (0.0, 1.0)

    @pytest.mark.parametrize(("attempts", "resolved", "k"), [(2, 3, 1), (2, -1, 1), (2, 1, 0)])
    def test_impossible_counts_are_refused(self, attempts: int, resolved: int, k: int) -> None:
        for estimate in (pass_at_k, pass_hat_k):
            with pytest.raises(ValueError, match=r"attempts resolved|expected 1 or more attempts"):
                estimate(attempts, resolved, k)

    @pytest.mark.parametrize(
        ("attempts", "resolved", "k"),
        [(100_000, 1, 1), (100_000, 3, 50_000), (20_000, 9_000, 2), (1_000_000, 1, 7)],
    )
    def test_many_attempts_lose_no_digit(self, attempts: int, resolved: int, k: int) -> None:
        none = Fraction(1)
        for i in range(min(k, resolved)):
            none *= Fraction(attempts - max(k, resolved) - i, attempts - i)
        assert pass_at_k(attempts, resolved, k) == float(1 - none)

    @given(st.integers(1, 8), st.data())
    def test_it_is_the_share_of_subsets_with_a_success(self, attempts: int, data: st.DataObject) -> None:
        resolved = data.draw(st.integers(0, attempts))
        k = data.draw(st.integers(1, attempts))
        subsets = list(combinations([1] * resolved + [0] * (attempts - resolved), k))

        assert pass_at_k(attempts, resolved, k) == sum(map(any, subsets)) / len(subsets)
        assert pass_hat_k(attempts, resolved, k) == sum(map(all, subsets)) / len(subsets)

    @given(st.integers(1, 40), st.data())
    def test_more_tries_never_hurt_and_asking_for_all_never_helps(
        self, attempts: int, data: st.DataObject
    ) -> None:
        resolved = data.draw(st.integers(0, attempts))
        any_of = [pass_at_k(attempts, resolved, k) or 0.0 for k in range(1, attempts + 1)]
        all_of = [pass_hat_k(attempts, resolved, k) or 0.0 for k in range(1, attempts + 1)]

        assert any_of == sorted(any_of)
        assert all_of == sorted(all_of, reverse=True)
        assert any_of[0] == all_of[0] == resolved / attempts


def test_pass_hat_k_by_hand() -> None:
    # C(3, 2) / C(5, 2) = 3 / 10
    assert pass_hat_k(5, 3, 2) == 0.3
    assert pass_hat_k(5, 1, 2) == 0.0
    assert pass_hat_k(5, 5, 5) == 1.0
    assert pass_hat_k(1, 1, 2) is None


@given(st.integers(1, 12), st.data())
def test_unbiased_over_all_outcomes(attempts: int, data: st.DataObject) -> None:
    """The mean of the estimate over Binomial(n, 1/3) is 1 − (2/3)ᵏ, and (1/3)ᵏ for all of k."""
    k = data.draw(st.integers(1, attempts))
    weights = [comb(attempts, c) * (1 / 3) ** c * (2 / 3) ** (attempts - c) for c in range(attempts + 1)]
    any_of = sum(w * (pass_at_k(attempts, c, k) or 0.0) for c, w in enumerate(weights))
    all_of = sum(w * (pass_hat_k(attempts, c, k) or 0.0) for c, w in enumerate(weights))

    assert any_of == pytest.approx(1 - (2 / 3) ** k)
    assert all_of == pytest.approx((1 / 3) ** k)


class TestRates:
    def test_every_task_weighs_the_same_whatever_its_attempts(self) -> None:
        # (1/1 + 1/4) / 2, not 2 of 5
        rate = pass_rate([TaskScore(1, 1), TaskScore(4, 1)])

        assert rate == Estimate(0.625, 2, interval=clustered([1.0, 0.25], [1, 4]))
        assert pass_rate([TaskScore(1, 1), TaskScore(1, 0)]).interval == wilson(0.5, 2)

    def test_attempts_are_as_many_tries_as_they_hold_sets_of_k(self) -> None:
        scores = [TaskScore(4, 1), TaskScore(2, 2), TaskScore(4, 0)]

        # 1 - C(3, 2) / C(4, 2) = 0.5, 1 and 0
        assert pass_rate(scores, 2).interval == clustered([0.5, 1.0, 0.0], [2, 1, 2])

    def test_tasks_that_are_all_alike_leave_what_sets_of_k_leave(self) -> None:
        # 2 of 4 attempts: pass@2 = 1 - C(2, 2) / C(4, 2) = 5/6 at both tasks, so d = 0 and δ = 0.8 / (4 / 2) = 0.4;
        # K = 2, δ' = (4 × 0.4 + 1) / 5 = 0.52: Wilson's over 2 / 0.52 tasks
        figure = pass_rate([TaskScore(4, 2)] * 2, 2)
        assert figure.interval is not None
        assert figure.interval.half_width == pytest.approx(wilson_half_width(5 / 6, 2 / 0.52))

    def test_any_and_all_of_two(self) -> None:
        scores = [TaskScore(4, 1), TaskScore(2, 2)]
        # (1 - C(3, 2) / C(4, 2) + 1) / 2 = (0.5 + 1) / 2; (0 + 1) / 2
        assert pass_rate(scores, 2).value == 0.75
        assert all_pass_rate(scores, 2).value == 0.5

    def test_a_task_short_of_attempts_makes_it_unknown(self) -> None:
        scores = [TaskScore(5, 1), TaskScore(4, 4), TaskScore(0, 0)]

        assert pass_rate(scores, 5) == Estimate.unknown("2 of 3 tasks have fewer than 5 attempts", 1)
        assert all_pass_rate(scores, 4) == Estimate.unknown("1 of 3 tasks has fewer than 4 attempts", 2)
        assert pass_rate(scores).reason == "1 of 3 tasks has no attempt"

    def test_no_task_and_one_task(self) -> None:
        assert pass_rate([]) == Estimate.unknown("no task was tried")
        assert all_pass_rate([], 2) == Estimate.unknown("no task was tried")
        assert pass_rate([TaskScore(1, 0)]) == Estimate(0.0, 1, interval=wilson(0.0, 1))
        assert mean([]) is None

    @settings(max_examples=50)
    @given(st.lists(SCORES, min_size=1, max_size=20))
    def test_bounds_and_no_order(self, scores: list[TaskScore]) -> None:
        k = min(score.attempts for score in scores)
        turned = scores[::-1]
        one, any_of, all_of = pass_rate(scores), pass_rate(scores, k), all_pass_rate(scores, k)
        assert one.value is not None
        assert any_of.value is not None
        assert all_of.value is not None

        assert 0 <= all_of.value <= one.value + 1e-12 <= any_of.value + 2e-12 <= 1 + 2e-12
        assert (pass_rate(turned), pass_rate(turned, k), all_pass_rate(turned, k)) == (one, any_of, all_of)


class TestRetryBenefit:
    def test_by_hand(self) -> None:
        # benefits 1 - 1/2 = 0.5, 1 - 1 = 0, and 1 - C(3, 2) / C(4, 2) - 1/4 = 0.25; of two attempts they are at most
        # 0.5, of four 1 - C(2, 2) / C(4, 2) - 2/4 = 1/3: so they are 1, 0 and 0.5 of the most
        scores = [TaskScore(2, 1), TaskScore(2, 2), TaskScore(4, 1)]
        benefit = retry_benefit(scores, 2)

        assert benefit.value == 0.25
        assert benefit.n == 3
        shares = clustered([1.0, 0.0, 0.5], [2, 2, 4])
        assert shares is not None
        assert benefit.interval == Interval(shares.low / 2, shares.high / 2)

    def test_more_attempts_than_k_can_show_less(self) -> None:
        # 3 of 10: 1 − C(7, 5) ÷ C(10, 5) − 0.3 = 1 − 21/252 − 0.3 = 0.616667, more than any other number of 10
        # (4 of 10: 1 − 6/252 − 0.4 = 0.576190): half of eight tasks have all of it, half have nothing
        found = retry_benefit([TaskScore(10, 3)] * 4 + [TaskScore(10, 0)] * 4, 5)
        half = wilson(0.5, 8)
        assert half is not None
        assert found.value == pytest.approx(0.616667 / 2, abs=1e-6)
        assert found.interval is not None
        expected = 0.616667 * half.low, 0.616667 * half.high
        assert (found.interval.low, found.interval.high) == pytest.approx(expected, abs=1e-6)

    def test_no_benefit_is_no_certainty(self) -> None:
        found = retry_benefit([TaskScore(5, 5)] * 80, 5)
        # at most 1 - 1/5 = 0.8; Wilson of 0 over 80: 3.8416 / 83.8416 = 0.045820
        assert found.value == 0
        assert found.interval is not None
        assert (found.interval.low, found.interval.high) == pytest.approx((0.0, 0.8 * 0.0458197), abs=1e-6)

    def test_too_little_to_say(self) -> None:
        assert retry_benefit([], 5) == Estimate.unknown("no task was tried")
        assert retry_benefit([TaskScore(2, 1)], 3) == Estimate.unknown(
            "1 of 1 tasks has fewer than 3 attempts"
        )
        # the most that two attempts can bring: Wilson of 1 over 1 begins at 1 / 4.8416
        one = retry_benefit([TaskScore(2, 1)], 2)
        assert one.value == 0.5
        assert one.interval is not None
        assert (one.interval.low, one.interval.high) == pytest.approx((0.5 / 4.8416, 0.5))
        assert retry_benefit([TaskScore(2, 1)], 1) == Estimate.unknown("with k = 1 there is no retry", 1)

    @settings(max_examples=40)
    @given(st.lists(SCORES, min_size=1, max_size=20))
    def test_never_a_loss(self, scores: list[TaskScore]) -> None:
        k = min(score.attempts for score in scores)
        found = retry_benefit(scores, k)
        if found.value is None:
            assert k == 1
            return
        assert -1e-12 <= found.value <= 1
        if found.interval:
            assert 0 <= found.interval.low <= found.value + 1e-12
            assert found.value - 1e-12 <= found.interval.high <= 1 - 1 / k + 1e-12


class TestRateOfTests:
    def test_runs_then_tasks(self) -> None:
        # ((1 + 0.5) / 2 + 0.25) / 2 = (0.75 + 0.25) / 2
        assert rate_of_tests([[1.0, 0.5], [0.25]]) == Estimate(0.5, 2, interval=of_shares([0.75, 0.25]))

    def test_a_task_without_rates_does_not_count(self) -> None:
        assert rate_of_tests([[], [0.2]]) == Estimate(0.2, 1, interval=of_shares([0.2]))
        assert rate_of_tests([[]]) == Estimate.unknown("no attempt has a test pass rate")

    def test_more_than_all_is_refused(self) -> None:
        with pytest.raises(ValueError, match="shares from 0 to 1"):
            rate_of_tests([[1.2]])


class TestBetweenFloorAndCeiling:
    def test_the_place_is_a_share_of_the_distance(self) -> None:
        # (0.7 - 0.2) / (0.95 - 0.2) = 0.5 / 0.75
        place = place_between(Estimate(0.7, 80), Estimate(0.2, 80), Estimate(0.95, 80))
        assert place.value == pytest.approx(2 / 3)
        assert place.n == 80

    def test_worse_than_nothing_is_below_zero(self) -> None:
        assert place_between(Estimate(0.0, 4), Estimate(0.5, 4), Estimate(1.0, 4)).value == -1.0

    @pytest.mark.parametrize("ceiling", [0.5, 0.4])
    def test_no_distance_no_place(self, ceiling: float) -> None:
        place = place_between(Estimate(0.5, 4), Estimate(0.5, 4), Estimate(ceiling, 4))
        assert place == Estimate.unknown("the ceiling is not above the floor", 4)

    def test_what_is_missing_is_said(self) -> None:
        gone = Estimate.unknown("no task was tried")
        assert place_between(Estimate(0.5, 4), gone, Estimate(1.0, 4)).reason == "no floor: no task was tried"
        assert place_between(Estimate(0.5, 4), Estimate(0.0, 4), gone) == Estimate.unknown(
            "no ceiling: no task was tried", 4
        )


class TestScenarios:
    ALIKE = tuple(TaskScore(2, won, name) for name, won in (("a", 2), ("b", 0), ("c", 1)) for _ in range(2))

    def test_the_value_is_over_tasks_and_the_interval_over_scenarios(self) -> None:
        found = pass_rate(self.ALIKE)
        assert (found.value, found.n) == (0.5, 6)
        assert found.interval == pass_rate([TaskScore(4, won) for won in (4, 0, 2)]).interval

    def test_test_pass_rates_have_the_same_groups(self) -> None:
        found = rate_of_tests([[1.0], [1.0], [0.2], [0.2]], ["a", "a", "b", "b"])
        assert found.n == 4
        assert found.interval == rate_of_tests([[1.0], [0.2]]).interval
