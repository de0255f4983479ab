"""Two agents over common tasks, with the arithmetic beside the value that is expected."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.outcomes.paired import SignFlip, mcnemar, paired_bootstrap, sign_flip
from runs.analysis.outcomes.passes import TaskScore
from runs.analysis.outcomes.ties import tie_groups

VERDICTS = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=30)
RATES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=20)


def scores(*resolved: int, attempts: int = 1) -> list[TaskScore]:
    return [TaskScore(attempts, count) for count in resolved]


class TestSignFlip:
    def test_no_common_task_says_nothing_and_one_can_prove_nothing(self) -> None:
        nothing = Estimate.unknown("no task was tried by both")
        assert sign_flip([], []) == SignFlip(nothing, nothing, "exact")
        assert sign_flip(scores(1), scores(0)).p == Estimate(1.0, 1)

    def test_six_unanimous_tasks_are_just_enough(self) -> None:
        assert sign_flip(scores(*[1] * 5), scores(*[0] * 5)).p == Estimate(2 / 2**5, 5)
        assert sign_flip(scores(*[1] * 6), scores(*[0] * 6)).p == Estimate(2 / 2**6, 6)

    def test_the_difference_is_a_mean_over_tasks(self) -> None:
        found = sign_flip([TaskScore(2, 1), TaskScore(1, 1)], [TaskScore(4, 1), TaskScore(3, 0)])
        # ((1/2 - 1/4) + (1 - 0)) / 2
        assert found.difference == Estimate(0.625, 2)
        # |±1/4 ±1| reaches 5/4 in 2 of 4 patterns
        assert found.p == Estimate(0.5, 2)
        assert found.how == "exact"

    def test_equal_agents_are_never_told_apart(self) -> None:
        assert sign_flip(scores(1, 0, 1), scores(1, 0, 1)).p == Estimate(1.0, 3)

    def test_it_is_symmetric(self) -> None:
        a, b = scores(3, 1, 5, 2, attempts=5), scores(1, 1, 2, 4, attempts=5)
        there, back = sign_flip(a, b), sign_flip(b, a)

        assert there.p == back.p
        assert there.difference.value == pytest.approx(0.15)  # (2 + 0 + 3 - 2) / 5 / 4
        assert back.difference.value == pytest.approx(-0.15)

    def test_eighty_tasks_are_still_exact(self) -> None:
        assert sign_flip(scores(*[1] * 80), scores(*[0] * 80)).p == Estimate(2 / 2**80, 80)

    def test_what_is_too_much_to_count_is_drawn_with_seed_0_unless_told_otherwise(self) -> None:
        generator = np.random.default_rng(7)
        attempts = generator.integers(1, 17, (2, 1600))
        a, b = (
            [TaskScore(made, won) for made, won in zip(tries, wins, strict=True)]
            for tries, wins in zip(attempts.tolist(), generator.binomial(attempts, 0.5).tolist(), strict=True)
        )
        found = sign_flip(a, b)
        assert found.how == "drawn"
        assert found == sign_flip(a, b, seed=0)
        assert found != sign_flip(a, b, seed=1)
        ties = [
            tie_groups({"a": dict(enumerate(a)), "b": dict(enumerate(b))}, **more)
            for more in ({}, {"seed": 1})
        ]
        assert [one.pairs[0].p for one in ties] == [found.p, sign_flip(a, b, seed=1).p]

    def test_sequences_of_unequal_length_and_tasks_never_tried_are_refused(self) -> None:
        with pytest.raises(ValueError, match="paired by task: 1 and 2 scores"):
            sign_flip(scores(1), scores(1, 0))
        with pytest.raises(ValueError, match="without an attempt"):
            sign_flip(scores(1), [TaskScore(0, 0)])

    @settings(max_examples=40, deadline=None)
    @given(VERDICTS.filter(bool))
    def test_with_one_attempt_it_is_mcnemars_test(self, pairs: list[tuple[bool, bool]]) -> None:
        ours, theirs = zip(*pairs, strict=True)
        p = sign_flip(scores(*map(int, ours)), scores(*map(int, theirs))).p
        assert p.value == pytest.approx(mcnemar(ours, theirs).p.value)


class TestMcNemar:
    def test_five_against_one(self) -> None:
        # 6 tasks decide: 2 (C(6, 0) + C(6, 1)) / 2**6 = 14 / 64
        ours = [True] * 5 + [False] + [True] * 3 + [False] * 2
        theirs = [False] * 5 + [True] + [True] * 3 + [False] * 2
        found = mcnemar(ours, theirs)

        assert (found.both, found.only_first, found.only_second, found.neither) == (3, 5, 1, 2)
        assert found.p.value == pytest.approx(14 / 64)
        assert (found.n, found.p.n) == (11, 11)

    def test_nothing_decides(self) -> None:
        assert mcnemar([], []).p == Estimate.unknown("no task was tried by both")
        assert mcnemar([True], [False]).p == Estimate(1.0, 1)
        assert mcnemar([True, False], [True, False]).p == Estimate(1.0, 2)

    def test_verdicts_of_unequal_length_are_refused(self) -> None:
        with pytest.raises(ValueError, match="1 and 0 verdicts"):
            mcnemar([True], [])

    @settings(max_examples=40, deadline=None)
    @given(VERDICTS.filter(bool))
    def test_statsmodels_finds_the_same(self, pairs: list[tuple[bool, bool]]) -> None:
        from statsmodels.stats.contingency_tables import mcnemar as reference

        found = mcnemar(*zip(*pairs, strict=True))
        table = [[found.both, found.only_first], [found.only_second, found.neither]]
        if found.only_first + found.only_second:
            assert found.p.value == pytest.approx(reference(table, exact=True).pvalue)


class TestPairedBootstrap:
    def test_tasks_that_all_differ_alike_show_nothing_of_how_tasks_vary(self) -> None:
        for ours, theirs in (([1.0, 0.75, 0.5], [0.5, 0.25, 0.0]), ([0.8, 0.6, 0.7], [0.3, 0.1, 0.2])):
            found = paired_bootstrap(ours, theirs, draws=99)

            assert found.difference.value == pytest.approx(0.5)
            assert found.difference.interval is None
            assert found.p == Estimate.unknown("all tasks differ alike", 3)

    def test_no_difference_is_no_evidence(self) -> None:
        found = paired_bootstrap([0.1, 0.3], [0.1, 0.3], draws=99)

        assert found.difference == Estimate(0.0, 2)
        assert found.p == Estimate(1.0, 2)

    def test_p_is_twice_the_rarer_side(self) -> None:
        # Differences 1 and 1/2: no draw is 0 or less, so p is 2 · (1 + 0) ÷ (99 + 1).
        assert paired_bootstrap([1.0, 1.0], [0.0, 0.5], draws=99).p == Estimate(0.02, 2)
        # 1 and −1: a quarter of draws each is −1 and 1, half are 0. p is near 2 · 3/4, and so 1.
        assert paired_bootstrap([1.0, 0.0], [0.0, 1.0], draws=99).p == Estimate(1.0, 2)

    def test_zero_and_one_task(self) -> None:
        assert paired_bootstrap([], []).difference.value is None
        alone = paired_bootstrap([1.0], [0.0])

        assert alone.difference == Estimate(1.0, 1)
        assert alone.p == Estimate.unknown("one task says nothing about how tasks differ", 1)

    def test_bad_arguments_are_refused(self) -> None:
        with pytest.raises(ValueError, match="1 and 2 values"):
            paired_bootstrap([1.0], [1.0, 0.0])
        with pytest.raises(ValueError, match="0 draws"):
            paired_bootstrap([1.0], [1.0], draws=0)

    def test_a_fortieth_of_the_draws_lies_below_the_interval_and_above_it(self) -> None:
        # 11 of 22 tasks differ by 1, so 22 times the mean of a draw is binomial: P(X ≤ 5) = 0.0085, P(X ≤ 6) = 0.0262
        found = paired_bootstrap([1.0] * 11 + [0.0] * 11, [0.0] * 22, draws=100_000).difference.interval
        assert found == Interval(6 / 22, 16 / 22)

    def test_it_draws_ten_thousand_times_with_seed_0_unless_told_otherwise(self) -> None:
        ours, theirs = [0.9, 0.4, 0.7, 0.3, 0.8], [0.2, 0.3, 0.9, 0.1, 0.35]
        assert paired_bootstrap(ours, theirs) == paired_bootstrap(ours, theirs, draws=10_000, seed=0)
        # no draw of two tasks is 0 or less: 2 ÷ 10,001
        assert paired_bootstrap([1.0, 1.0], [0.0, 0.5]).p == Estimate(2 / 10_001, 2)

    def test_scipy_finds_the_same_interval(self) -> None:
        from scipy.stats import bootstrap

        generator = np.random.default_rng(5)
        ours, theirs = generator.binomial(5, [[0.6], [0.4]], (2, 80)) / 5
        interval = paired_bootstrap(ours.tolist(), theirs.tolist(), seed=1).difference.interval
        reference = bootstrap(
            (ours - theirs,), np.mean, n_resamples=10_000, method="percentile", rng=np.random.default_rng(2)
        ).confidence_interval

        assert interval is not None
        assert interval.low == pytest.approx(reference.low, abs=0.006)
        assert interval.high == pytest.approx(reference.high, abs=0.006)

    @settings(max_examples=25, deadline=None)
    @given(RATES, st.integers(0, 3))
    def test_swapping_agents_turns_the_sign_and_order_means_nothing(
        self, pairs: list[tuple[int, int]], seed: int
    ) -> None:
        ours, theirs = ([pair[i] / 5 for pair in pairs] for i in (0, 1))
        found = paired_bootstrap(ours, theirs, draws=200, seed=seed)
        back = paired_bootstrap(theirs, ours, draws=200, seed=seed)

        assert found == paired_bootstrap(ours[::-1], theirs[::-1], draws=200, seed=seed)
        assert found.difference.value == pytest.approx(-(back.difference.value or 0.0))
        if found.difference.interval is None:
            assert len({ours - theirs for ours, theirs in pairs}) == 1
            return
        assert -1 <= found.difference.interval.low <= found.difference.interval.high <= 1
        assert found.p.value is not None
        assert 0 < found.p.value <= 1
