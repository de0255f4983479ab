"""Groups and ranks of agents, and the error rate for equal agents."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.estimate import Estimate
from runs.analysis.outcomes.passes import TaskScore
from runs.analysis.outcomes.ties import Place, TieGroups, holm, tie_groups


def by_task(*resolved: int, attempts: int = 1) -> dict[int, TaskScore]:
    return {task: TaskScore(attempts, count) for task, count in enumerate(resolved)}


def members(ties: TieGroups[str]) -> list[tuple[str, ...]]:
    return [group.members for group in ties.groups]


class TestHolm:
    def test_by_hand(self) -> None:
        # sorted 0.01, 0.02, 0.03, 0.5: times 4, 3, 2, 1 gives 0.04, 0.06, 0.06, 0.5
        assert holm([0.03, 0.01, 0.5, 0.02]) == pytest.approx([0.06, 0.04, 0.5, 0.06])
        # 0.03 * 2 = 0.06, then 0.04 * 1 is raised to it
        assert holm([0.03, 0.04]) == pytest.approx([0.06, 0.06])
        assert holm([0.9, 0.8]) == [1.0, 1.0]
        assert holm([]) == []

    def test_statsmodels_finds_the_same(self) -> None:
        from statsmodels.stats.multitest import multipletests

        chance = random.Random(4)
        for count in range(1, 41):
            values = [
                chance.choice((0.0, 1.0, 0.05, chance.random(), chance.random() / 100)) for _ in range(count)
            ]
            assert holm(values) == pytest.approx(multipletests(values, method="holm")[1].tolist())


class TestTieGroups:
    def test_no_agent_gives_no_group_and_one_agent_one(self) -> None:
        nothing: TieGroups[str] = tie_groups({})
        alone = tie_groups({"a": by_task(1)})

        assert (nothing.groups, nothing.pairs, nothing.too_small) == ((), (), False)
        assert members(alone) == [("a",)]
        assert alone.places == {"a": Place(1, 1)}
        assert not alone.too_small
        assert nothing.tasks_needed == alone.tasks_needed == 6

    def test_five_tasks_are_too_few_for_any_verdict(self) -> None:
        ties = tie_groups({"oracle": by_task(*[1] * 5), "null": by_task(*[0] * 5)})
        (pair,) = ties.pairs

        assert ties.too_small
        assert ties.tasks_needed == 6
        assert members(ties) == [("oracle", "null")]
        assert ties.places["null"] == Place(1, 2)
        assert pair.p == Estimate(2 / 2**5, 5)
        assert pair.corrected == Estimate.unknown("fewer than 6 common tasks", 5)

    def test_six_tasks_can_separate_two_agents(self) -> None:
        ties = tie_groups({"null": by_task(*[0] * 6), "oracle": by_task(*[1] * 6)})

        assert not ties.too_small
        assert [(g.first, g.last, g.members) for g in ties.groups] == [(1, 1, ("oracle",)), (2, 2, ("null",))]
        assert ties.places == {"oracle": Place(1, 1), "null": Place(2, 2)}

    def test_three_agents_need_seven(self) -> None:
        # three pairs: 3 * 2 / 2**6 = 0.09, but 3 * 2 / 2**7 = 0.047
        def three(n: int) -> TieGroups[str]:
            return tie_groups(
                {"a": by_task(*[2] * n, attempts=2), "b": by_task(*[1] * n), "c": by_task(*[0] * n)}
            )

        assert three(6).too_small
        assert three(6).tasks_needed == 7
        assert members(three(7)) == [("a", "b"), ("c",)]
        assert three(8).tasks_needed == 7

    def test_fifteen_agents_need_thirteen(self) -> None:
        # 105 pairs: 105 · 2 ÷ 2¹² = 0.0513, but 105 · 2 ÷ 2¹³ = 0.0256
        ties = tie_groups({agent: by_task(agent % 2) for agent in range(15)})
        assert (ties.tasks_needed, ties.too_small) == (13, True)

    def test_a_group_names_the_fewest_tasks_that_two_members_share(self) -> None:
        # a and b share 4 tasks, a and c share 2, b and c share 1
        a, b, c = by_task(*[1] * 5), by_task(*[1] * 4), {3: TaskScore(1, 1), 4: TaskScore(1, 1)}
        (group,) = tie_groups({"a": a, "b": b, "c": c}).groups
        assert (group.members, group.common_tasks) == (("a", "b", "c"), 1)

    def test_two_agents_differ_significantly_below_five_percent(self) -> None:
        # 13 tasks to 4: 2 · Σ C(17, i ≤ 4) ÷ 2¹⁷ = 6,428 ÷ 131,072 = 0.0490; 16 to 6: 220,112 ÷ 2²² = 0.0525
        for ahead, behind, p, apart in ((13, 4, 6_428 / 2**17, True), (16, 6, 220_112 / 2**22, False)):
            won, lost = [1] * ahead + [0] * behind, [0] * ahead + [1] * behind
            (pair,) = tie_groups({"a": by_task(*won), "b": by_task(*lost)}).pairs
            assert pair.corrected.value == pytest.approx(p, rel=1e-12)
            assert pair.significant is apart

    def test_each_pair_says_what_it_rests_on(self) -> None:
        a, b, c = by_task(*[1] * 8), by_task(*[0] * 8), {99: TaskScore(1, 1)}
        ties = tie_groups({"a": a, "b": b, "c": c})
        pairs = {(pair.first, pair.second): pair for pair in ties.pairs}

        assert set(pairs) == {("a", "c"), ("a", "b"), ("c", "b")}
        assert pairs["a", "b"].difference == Estimate(1.0, 8)
        # the one pair that can be tested: nothing to correct for
        assert pairs["a", "b"].corrected == pairs["a", "b"].p == Estimate(2 / 2**8, 8)
        assert pairs["a", "b"].better == "a"
        assert pairs["a", "c"].p == Estimate.unknown("no task was tried by both")
        assert pairs["a", "c"].better is None

    def test_an_agent_between_two_that_differ_ties_them_into_one_group(self) -> None:
        # three pairs; a and b differ on 4 tasks, b and c on 6, a and c on 10: 3 * 2/2**10 < 0.05 < 2 * 2/2**6
        a, b, c = by_task(*[1] * 10), by_task(*[1] * 6, *[0] * 4), by_task(*[0] * 10)
        ties = tie_groups({"a": a, "b": b, "c": c})

        assert members(ties) == [("a", "b", "c")]
        assert ties.places == {"a": Place(1, 2), "b": Place(1, 3), "c": Place(2, 3)}
        assert ties.of("b").common_tasks == 10
        with pytest.raises(KeyError):
            ties.of("stranger")

    def test_a_newcomer_costs_the_others_nothing_but_the_cut_through_it(self) -> None:
        old = {"a": by_task(*[1] * 6), "z": by_task(*[0] * 6)}
        ties = tie_groups({**old, "new": {0: TaskScore(2, 1)}})

        assert ties.places == {"a": Place(1, 2), "new": Place(1, 3), "z": Place(2, 3)}
        assert ties.pairs[1].significant

    def test_equal_rates_are_ordered_by_name_without_rounding(self) -> None:
        # 1/3 + 2/3 and 1/10 + 9/10 are both 1
        thirds = {0: TaskScore(3, 1), 1: TaskScore(3, 2)}
        tenths = {0: TaskScore(10, 1), 1: TaskScore(10, 9)}
        assert members(tie_groups({"b": tenths, "a": thirds})) == [("a", "b")]
        assert members(tie_groups({"a": tenths, "b": thirds})) == [("a", "b")]

    def test_a_better_agent_below_another_makes_no_cut(self) -> None:
        # "a" resolved 100 tasks that "b" never tried; of twenty common ones it resolved none and "b" fifteen
        common = {task: TaskScore(1, int(task < 15)) for task in range(20)}
        ties = tie_groups(
            {
                "a": {task: TaskScore(1, int(task >= 20)) for task in range(120)},
                "b": common,
            }
        )

        assert members(ties) == [("a", "b")]
        assert ties.places == {"a": Place(2, 2), "b": Place(1, 1)}

    def test_the_better_one_is_found_on_common_tasks(self) -> None:
        """Alice stands above Bob for the easy tasks that only she tried, and loses wherever they meet."""
        alice = {**by_task(*[0] * 8), **{100 + i: TaskScore(1, 1) for i in range(30)}}
        bob = by_task(*[1] * 3, *[1] * 5)
        bob.update({200 + i: TaskScore(1, 0) for i in range(30)})
        ties = tie_groups({"alice": alice, "bob": bob})

        assert ties.pairs[0].better == "bob"
        assert members(ties) == [("alice", "bob")]  # the order says one thing and the test another: no cut
        assert ties.places == {"alice": Place(2, 2), "bob": Place(1, 1)}


@settings(max_examples=25)
@given(
    st.lists(st.lists(st.integers(0, 5), min_size=12, max_size=12), min_size=2, max_size=6),
    st.permutations(range(6)),
)
def test_different_groups_are_justified_pair_by_pair_and_names_mean_nothing(
    rows: list[list[int]], names: list[int]
) -> None:
    scores = {f"agent {i}": by_task(*row, attempts=5) for i, row in enumerate(rows)}
    ties = tie_groups(scores)
    place = {name: number for number, group in enumerate(ties.groups) for name in group.members}
    for pair in ties.pairs:
        if place[pair.first] != place[pair.second]:
            assert pair.better == pair.first
        assert pair.p.value is not None
        assert pair.corrected.value is None or pair.corrected.value >= pair.p.value
    for name, found in ties.places.items():
        assert 1 <= found.first <= found.last <= len(rows), name

    renamed = tie_groups({f"agent {names[i]}": scores[f"agent {i}"] for i in reversed(range(len(rows)))})
    assert [group.first for group in renamed.groups] == [group.first for group in ties.groups]
    for i in range(len(rows)):
        assert renamed.places[f"agent {names[i]}"] == ties.places[f"agent {i}"]


def test_equal_agents_seldom_differ_significantly() -> None:
    """Eight equal agents, 40 tasks of very different difficulty, 5 attempts: at most 5 % of 200 repetitions."""
    generator = np.random.default_rng(11)
    wrong = 0
    for _ in range(200):
        chance = generator.beta(0.5, 0.5, 40)
        resolved = generator.binomial(5, chance, (8, 40))
        wrong += (
            len(tie_groups({a: by_task(*row, attempts=5) for a, row in enumerate(resolved.tolist())}).groups)
            > 1
        )
    # Binomial(200, 0.05) is above 16 in 3 % of cases.
    assert wrong <= 16


def test_agents_that_really_differ_do_so_significantly() -> None:
    generator = np.random.default_rng(12)
    resolved = generator.binomial(5, [[0.9], [0.5], [0.1]], (3, 80))
    ties = tie_groups(
        {name: by_task(*row, attempts=5) for name, row in zip("abc", resolved.tolist(), strict=True)}
    )

    assert members(ties) == [("a",), ("b",), ("c",)]


class TestScenarios:
    @staticmethod
    def scores(scenarios: int, personas: int) -> dict[str, dict[str, TaskScore]]:
        """Two agents, of which one resolves everything and the other nothing."""
        tasks = [(f"s{s}.{p}", f"s{s}") for s in range(scenarios) for p in range(personas)]
        return {
            "best": {task: TaskScore(1, 1, scenario) for task, scenario in tasks},
            "worst": {task: TaskScore(1, 0, scenario) for task, scenario in tasks},
        }

    def test_personas_of_few_scenarios_prove_no_difference(self) -> None:
        found = tie_groups(self.scores(scenarios=5, personas=2))
        assert found.too_small
        assert [pair.corrected.n for pair in found.pairs] == [5]

    def test_scenarios_count_as_tasks_do(self) -> None:
        (pair,) = tie_groups(self.scores(scenarios=6, personas=2)).pairs
        assert (pair.p.value, pair.p.n) == (2 / 2**6, 6)
        assert pair.difference.value == 1.0
        assert pair.significant

    def test_a_scenario_is_common_if_one_of_its_personas_is(self) -> None:
        scores = self.scores(scenarios=6, personas=2)
        del scores["best"]["s0.0"]
        (pair,) = tie_groups(scores).pairs
        assert pair.p.n == 6
