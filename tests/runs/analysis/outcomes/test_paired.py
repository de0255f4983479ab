"""Two agents over common tasks, with the arithmetic beside the value that is expected."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.estimate import Estimate
from runs.analysis.outcomes.paired import SignFlip, mcnemar, sign_flip
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

    def test_equal_agents_never_differ_significantly(self) -> None:
        assert sign_flip(scores(1, 0, 1), scores(1, 0, 1)).p == Estimate(1.0, 3)

    def test_it_is_symmetric(self) -> None:
        a, b = scores(3, 1, 5, 2, attempts=5), scores(1, 1, 2, 4, attempts=5)
        there, back = sign_flip(a, b), sign_flip(b, a)

        assert there.p == back.p
        assert there.difference.value == pytest.approx(0.15)  # (2 + 0 + 3 - 2) / 5 / 4
        assert back.difference.value == pytest.approx(-0.15)

    def test_eighty_tasks_are_still_exact(self) -> None:
        assert sign_flip(scores(*[1] * 80), scores(*[0] * 80)).p == Estimate(2 / 2**80, 80)

    def test_what_is_too_much_to_count_is_drawn_with_seed_0_by_default(self) -> None:
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

    @settings(max_examples=40)
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

    @settings(max_examples=40)
    @given(VERDICTS.filter(bool))
    def test_two_equal_personas_of_each_scenario_count_as_one_task(
        self, pairs: list[tuple[bool, bool]]
    ) -> None:
        alone = mcnemar(*zip(*pairs, strict=True))
        ours, theirs = zip(*pairs, *pairs, strict=True)
        twice = mcnemar(ours, theirs, [*range(len(pairs))] * 2)
        assert (twice.only_first, twice.n) == (2 * alone.only_first, 2 * alone.n)
        assert twice.p.value == pytest.approx(alone.p.value)

    @settings(max_examples=40)
    @given(VERDICTS.filter(bool))
    def test_statsmodels_finds_the_same(self, pairs: list[tuple[bool, bool]]) -> None:
        from statsmodels.stats.contingency_tables import mcnemar as reference

        found = mcnemar(*zip(*pairs, strict=True))
        table = [[found.both, found.only_first], [found.only_second, found.neither]]
        if found.only_first + found.only_second:
            assert found.p.value == pytest.approx(reference(table, exact=True).pvalue)
