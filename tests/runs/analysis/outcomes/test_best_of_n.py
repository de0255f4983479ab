"""Best-of-N: exact expectations, and selectors that see no outcome."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.facts import Behaviour, RunFacts
from runs.analysis.outcomes.best_of_n import BestOfAgent, SelectorResult, agreed_rate, best_of_n, chosen_rate
from runs.analysis.outcomes.passes import TaskScore, pass_at_k, pass_rate
from runs.analysis.outcomes.run_selectors import AGREEMENT, SELECTORS, Selector
from tests.runs.analysis.random_runs import world

CHEAPEST = next(each for each in SELECTORS if each.name == "lowest_cost")


def enumerated(
    values: Sequence[float | None], resolved: Sequence[bool], n: int, *, highest: bool
) -> Fraction:
    """The mean over all sets of n runs of the share of successes among the best of the set."""
    worst = -math.inf if highest else math.inf
    found = []
    for drawn in combinations(range(len(values)), n):
        known = {run: worst if (value := values[run]) is None else value for run in drawn}
        best = (max if highest else min)(known.values())
        chosen = [run for run in drawn if known[run] == best]
        found.append(Fraction(sum(resolved[run] for run in chosen), len(chosen)))
    return sum(found, Fraction(0)) / len(found)


@settings(max_examples=150)
@given(
    st.lists(st.tuples(st.sampled_from([None, 0.0, 1.0, 2.5, 7.0]), st.booleans()), min_size=1, max_size=8),
    st.booleans(),
)
def test_the_expectation_is_that_of_all_draws(runs: list[tuple[float | None, bool]], highest: bool) -> None:
    values, resolved = [value for value, _ in runs], [won for _, won in runs]
    for n in range(1, len(runs) + 1):
        found = chosen_rate(values, resolved, n, highest=highest)
        assert found == enumerated(values, resolved, n, highest=highest)
        assert chosen_rate([None] * len(runs), resolved, n) == Fraction(sum(resolved), len(runs))
        oracle = chosen_rate([float(won) for won in resolved], resolved, n, highest=True)
        assert float(oracle) == pytest.approx(pass_at_k(len(runs), sum(resolved), n), abs=1e-12)


def test_ranks_1_to_4_have_the_weights_3_2_1_0_of_6_for_two_runs() -> None:
    weights = [chosen_rate([1, 2, 3, 4], [place == run for run in range(4)], 2) for place in range(4)]
    assert weights == [Fraction(3, 6), Fraction(2, 6), Fraction(1, 6), 0]
    # Ranks 2 and 3 are equal: each has the mean of 2/6 and 1/6.
    assert chosen_rate([1, 2, 2, 4], [False, True, False, False], 2) == Fraction(1, 4)


def test_more_runs_than_there_are_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="3 of 2 runs"):
        chosen_rate([1, 2], [True, False], 3)


def made(agent: str, task: str, *runs: tuple[float | None, bool]) -> list[RunFacts]:
    """Runs with these costs and outcomes; the repository is before the task's slash."""
    return [
        RunFacts(
            hash((agent, task, place)) % 10**9,
            agent,
            task,
            task.partition("/")[0],
            place,
            "resolved" if resolved else "unresolved",
            cost_usd=cost,
        )
        for place, (cost, resolved) in enumerate(runs, 1)
    ]


def only(found: BestOfAgent) -> SelectorResult:
    (result,) = found.selectors
    return result


def test_a_selector_is_between_pass_1_and_pass_n_of_the_same_runs() -> None:
    runs = [
        *made("alice", "pier/a", (1, True), (2, False), (3, False)),
        *made("alice", "quay/b", (1, False), (2, True), (3, True)),
    ]
    found = best_of_n(runs, 2, [CHEAPEST])
    (alice,) = found.agents
    # Of three pairs of runs at a, two contain the cheapest, which is resolved; at b only the pair without it is.
    assert only(alice).best_of.value == pytest.approx((2 / 3 + 1 / 3) / 2)
    assert alice.pass_1.value == pytest.approx(0.5)
    assert alice.pass_n.value == pytest.approx((2 / 3 + 1) / 2)
    assert only(alice).gain.value == pytest.approx(0)
    assert only(alice).captured.value == pytest.approx(0)
    assert (alice.runs, alice.pass_1.n, found.n) == (6, 2, 2)
    assert replace(alice, agent=None) == found.overall


def test_without_n_it_is_the_number_of_attempts_that_some_agent_has_everywhere() -> None:
    runs = [
        *made("alice", "pier/a", (1, True), (2, True), (3, True)),
        *made("alice", "quay/b", *[(1, True)] * 4),
        *made("bob", "pier/a", (1, True)),
    ]
    found = best_of_n(runs, selectors=[CHEAPEST])
    assert found.n == 3
    bob = found.agents[1]
    assert only(bob).best_of.reason == bob.pass_n.reason == "1 of 1 tasks has fewer than 3 attempts"
    assert bob.pass_1.value == 1
    assert found.overall.pass_1.n == 2


def test_one_attempt_each_gives_no_choice() -> None:
    found = best_of_n(made("alice", "pier/a", (1, True)), selectors=[CHEAPEST])
    assert only(found.overall).best_of.reason == "no agent has two attempts at each of its tasks"
    assert best_of_n([], selectors=[CHEAPEST]).overall.pass_1.reason == "no task was tried"


def test_a_run_without_a_value_is_chosen_only_if_all_that_were_drawn_lack_one() -> None:
    runs = made("alice", "pier/a", (None, True), (5, False), (math.nan, True))
    found = only(best_of_n(runs, 2, [CHEAPEST]).overall)
    # Of three pairs, only the one without the run of $5 chooses one of the others.
    assert found.best_of.value == pytest.approx(1 / 3)
    assert found.missing == 2
    unknown = only(best_of_n(made("alice", "pier/a", (None, True), (None, False)), 2, [CHEAPEST]).overall)
    assert unknown.best_of.reason == "no run has a value: lowest cost"
    equal = only(best_of_n(made("alice", "pier/a", (2, True), (2, False)), 2, [CHEAPEST]).overall)
    assert equal.best_of.reason == equal.gain.reason == "the runs at each task have equal values: lowest cost"


def test_pass_at_1_has_the_interval_of_other_pages_and_runs_of_all_agents_at_a_task_are_one_group() -> None:
    runs = [
        run for task in range(12) for run in made("alice", f"r/t{task}", (1, task % 3 > 0), (2, task % 2 > 0))
    ]
    (alice,) = best_of_n(runs, 2, [CHEAPEST]).agents
    scores = [TaskScore(2, (task % 3 > 0) + (task % 2 > 0)) for task in range(12)]
    assert (alice.pass_1, alice.pass_n) == (pass_rate(scores), pass_rate(scores, 2))

    twins = [*runs, *(replace(run, agent="bob", run=run.run + 1000) for run in runs)]
    both = best_of_n(twins, 2, [CHEAPEST]).overall
    assert (both.pass_1.value, both.pass_1.n) == (alice.pass_1.value, 24)
    assert both.pass_1.interval == alice.pass_1.interval


def test_no_selector_sees_what_grading_found() -> None:
    seen: list[RunFacts] = []

    def look(run: RunFacts) -> float:
        seen.append(run)
        return 1.0

    spy = Selector("spy", "spy", look)
    runs = [
        replace(run, similarity=0.7, tests_total=4, tests_passed=4)
        for run in made("a", "p/t", (1, True), (2, True))
    ]
    best_of_n(runs, 2, [spy])
    assert seen
    assert {(run.outcome, run.tests_total, run.tests_passed, run.similarity) for run in seen} == {
        ("", 0, 0, None)
    }


def test_every_selector_gives_rates_between_its_bounds() -> None:
    found = best_of_n(replace(run, failed_calls=run.run % 2) for run in world(random.Random(4), 2, 6, 3))
    assert found.n == 3
    for agent in (found.overall, *found.agents):
        for each in agent.selectors:
            assert each.best_of.value is not None, each
            assert 0 <= each.best_of.value <= (agent.pass_n.value or 0) + 1e-12
            assert each.gain.value == pytest.approx(each.best_of.value - (agent.pass_1.value or 0))


def test_of_three_runs_the_two_that_agree_are_chosen() -> None:
    same, other = f"{1:08x}{2:08x}", f"{7:08x}"
    assert agreed_rate([same, same, other], [True, False, True], 3) == Fraction(1, 2)
    # Of three pairs each run is chosen with the chance ½, so the rate is that of a random choice.
    assert agreed_rate([same, same, other], [True, False, True], 2) == Fraction(2, 3)
    # An empty patch is chosen only if all are empty.
    assert agreed_rate(["", "", other], [True, True, False], 3) == 0
    assert agreed_rate(["", "", ""], [True, True, False], 3) == Fraction(2, 3)
    with pytest.raises(ValueError, match="4 of 3 runs"):
        agreed_rate(["", "", ""], [True, True, False], 4)


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.sampled_from([(), (1,), (1, 2), (2, 3), (9,)]), st.booleans()), min_size=3, max_size=6
    )
)
def test_agreement_is_the_mean_over_all_sets(runs: list[tuple[tuple[int, ...], bool]]) -> None:
    lines, resolved = [set(numbers) for numbers, _ in runs], [won for _, won in runs]
    sketches = ["".join(f"{number:08x}" for number in numbers) for numbers, _ in runs]
    found = []
    for drawn in combinations(range(len(runs)), 3):
        known = [run for run in drawn if lines[run]] or list(drawn)
        sums = {
            run: sum(
                Fraction(len(lines[run] & lines[other]), len(lines[run] | lines[other]) or 1)
                for other in known
                if other != run
            )
            for run in known
        }
        best = [run for run in known if sums[run] == max(sums.values())]
        found.append(Fraction(sum(resolved[run] for run in best), len(best)))
    assert agreed_rate(sketches, resolved, 3) == sum(found, Fraction(0)) / len(found)


def test_agreement_of_runs_without_a_patch_or_in_pairs_has_a_reason() -> None:
    runs = made("alice", "pier/a", (1, True), (2, False), (3, True))
    assert (
        only(best_of_n(runs, 3, [AGREEMENT]).overall).best_of.reason
        == "no run has a value: most like the others"
    )
    patched = [
        replace(run, behaviour=Behaviour(patch_sketch=f"{place // 2:08x}"))
        for place, run in enumerate(runs, 1)
    ]
    assert only(best_of_n(patched, 2, [AGREEMENT]).overall).best_of.reason == (
        "two runs are equally similar to each other"
    )
    assert only(best_of_n(patched, 3, [AGREEMENT]).overall).best_of.value == 0.5
    many = made("alice", "pier/a", *[(1.0, True)] * 15)
    many = [replace(run, behaviour=patched[0].behaviour) for run in many]
    assert (
        only(best_of_n(many, 5, [AGREEMENT]).overall).best_of.reason
        == "more than 1000 sets of 5 runs at a task"
    )


def test_runs_that_saw_results_of_the_hidden_tests_are_excluded() -> None:
    runs = [replace(run, submissions=1) for run in made("alice", "pier/a", (1, True), (2, False))]
    found = best_of_n(runs, 2, [CHEAPEST])
    assert found.agents == ()
    assert found.excluded[0].reason == "the agent saw results of the hidden tests"
