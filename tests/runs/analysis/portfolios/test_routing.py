"""Who is best at each stack, and what it gains to know it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import LeaveOneOut

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts, Shortage
from runs.analysis.portfolios.routing import language_of, routing
from runs.analysis.statistics.intervals import clustered, wilson_half_width
from tests.runs.analysis.personas import with_twins


def runs_of(rates: dict[str, str], stacks: str, attempts: int = 1) -> list[RunFacts]:
    """Agent → successes at each task, a digit each; the stack of each task is a letter."""
    return [
        RunFacts(
            run=1000 * place + 10 * number + attempt,
            agent=agent,
            task=f"q/{number}",
            repository="q",
            attempt=attempt + 1,
            outcome="resolved" if attempt < int(successes) else "unresolved",
            stack=stacks[number],
        )
        for place, (agent, theirs) in enumerate(rates.items())
        for number, successes in enumerate(theirs)
        for attempt in range(attempts)
    ]


def value(figure: Estimate) -> float:
    assert figure.value is not None
    return figure.value


def test_specialists_are_found_and_gain_what_they_gain_on_other_tasks_too() -> None:
    # a solves all of J and nothing of T, b the other way round. Either alone: 1/2.
    found = routing(runs_of({"a": "111000", "b": "000111"}, "JJJTTT"))
    assert [(route.label, route.agent, value(route.rate), route.tasks) for route in found.routes] == [
        ("J", "a", 1.0, 3),
        ("T", "b", 1.0, 3),
    ]
    assert found.routes[0].rate == Estimate(1.0, 3, interval=clustered([1.0] * 3, [1] * 3))
    # By the other tasks of its stack each task goes to its specialist: 1. By all five others a J task finds a with 2
    # of 5 and b with 3 of 5, so b is chosen and fails: 0 (the same for T).
    assert (found.routed.value, found.single.value, found.gain) == (1.0, 0.0, Estimate(1.0, 6))
    # On the tasks that choose: 1 − 1/2
    assert found.naive_gain == Estimate(0.5, 6)


def test_labels_weigh_as_many_tasks_as_they_have() -> None:
    # J: a solves both tasks always. T: b solves its one task half the time. Naive: 2/3 · 1 + 1/3 · 1/2 − 2/3 = 1/6.
    found = routing(runs_of({"a": "220", "b": "001"}, "JJT", attempts=2))
    assert value(found.naive_gain) == pytest.approx(1 / 6)


def test_a_route_rests_on_attempts() -> None:
    # 2 of 4 at both tasks: d = 0, δ = 0.8/4, K = 2, δ' = (4 × 0.2 + 1) / 5 = 0.36: Wilson's over 2 / 0.36 tasks
    (route,) = routing(runs_of({"a": "22", "b": "00"}, "JJ", attempts=4)).routes
    assert route.rate.interval is not None
    assert route.rate.interval.half_width == pytest.approx(wilson_half_width(0.5, 2 / 0.36))


def test_chance_looks_like_a_gain_only_where_it_was_chosen_by() -> None:
    # a: 1 0 | 1 1, b: 0 1 | 1 0 over stacks J J | T T
    found = routing(runs_of({"a": "1011", "b": "0110"}, "JJTT"))
    # Naive: J both 1/2, T a with 1: (1/2 + 1) ÷ 2 = 3/4; the single best a has 3/4: 0.
    assert found.naive_gain == Estimate(0.0, 4)
    assert found.best == "a"
    # Others of the stack: task 0 is chosen by task 1, where b is better, and scores 0; task 1 by task 0: a, 0; task 2
    # by task 3: a, 1; task 3 by task 2, where both are equal: (1 + 0) ÷ 2. Together 1.5 ÷ 4.
    assert found.routed == Estimate(0.375, 4)
    # All others: for task 0 a has 2, b 2 of 3: (1 + 0) ÷ 2; task 1: a 3, b 1: 0; task 2: a 2, b 1: 1; task 3: a 2, b 2:
    # (1 + 0) ÷ 2. Together 2 ÷ 4.
    assert found.single == Estimate(0.5, 4)
    assert found.gain == Estimate(-0.125, 4)


def test_a_stack_of_one_task_goes_to_the_single_best() -> None:
    found = routing(runs_of({"a": "110", "b": "001"}, "JJT"))
    # Task 2 alone has stack T: its agent is chosen by tasks 0 and 1, a, and scores 0, routed or not.
    # Task 0: both ways a by task 1 (routed 1); of tasks 1 and 2 a and b have one each: (1 + 0) ÷ 2. Task 1 likewise.
    assert found.routed.value == pytest.approx(2 / 3)
    assert found.single.value == pytest.approx(1 / 3)


def test_agents_without_a_significant_difference_are_named_beside_the_best() -> None:
    found = routing(runs_of({"a": "11111111", "b": "11111110", "c": "00000000"}, "JJJJJJJJ"))
    assert found.routes[0].tied == ("a", "b")


def test_too_little_to_choose_by() -> None:
    assert routing([]).gain == Estimate.unknown("fewer than two agents to choose from")
    assert routing([]).best is None
    assert routing(runs_of({"a": "11"}, "JT")).gain == Estimate.unknown(
        "fewer than two agents to choose from", 2
    )
    assert routing(runs_of({"a": "1", "b": "0"}, "J")).gain == Estimate.unknown(
        "fewer than two common tasks", 1
    )


def test_tasks_without_a_label_are_named_and_languages_may_be_the_label() -> None:
    run = RunFacts(1, "a", "q/0", "q", 1, "resolved", languages=("C++", "Python"))
    assert routing([run]).excluded == (Exclusion("no stack or language is given", (1,)),)
    assert routing([run], language_of).routes[0].label == "C++"
    assert language_of(RunFacts(1, "a", "q/0", "q", 1, "resolved")) == ""


def test_missing_attempts_are_named() -> None:
    run = RunFacts(1, "a", "q/0", "q", 1, "resolved", stack="J", planned=5)
    assert routing([run]).shortages == (Shortage("a", "q/0", 1, 5),)


def test_where_runs_disagree_about_a_task_the_latest_is_right() -> None:
    runs = runs_of({"a": "1"}, "J") + runs_of({"z": "1", "b": "1"}, "T")
    assert [route.label for route in routing(runs).routes] == ["T"]


def test_chance_gains_nothing_on_average_where_the_naive_gain_is_never_zero() -> None:
    # Three equal agents, twenty tasks in four stacks, 60 draws: a true gain of 0.
    random = np.random.default_rng(7)
    found = [
        routing(
            runs_of(
                {agent: "".join(map(str, random.binomial(1, 0.5, 20))) for agent in "abc"},
                "JJJJJTTTTTPPPPPCCCCC",
            )
        )
        for _ in range(60)
    ]
    gains = [value(result.gain) for result in found]
    assert abs(np.mean(gains)) < 3 * np.std(gains) / len(gains) ** 0.5
    assert np.mean([value(result.naive_gain) for result in found]) > 0.08


tables = st.integers(2, 6).flatmap(
    lambda tasks: st.tuples(
        st.lists(st.text("0123", min_size=tasks, max_size=tasks), min_size=2, max_size=4),
        st.text("JT", min_size=tasks, max_size=tasks),
    )
)


@settings(max_examples=50)
@given(tables, st.randoms(use_true_random=False))
def test_names_and_order_change_nothing_and_scikit_learn_parts_the_same(
    drawn: tuple[list[str], str], random: Any
) -> None:
    rates, stacks = drawn
    runs = runs_of({f"a{i}": theirs for i, theirs in enumerate(rates)}, stacks, 3)
    found = routing(runs)
    renamed = routing(runs_of({f"z{9 - i}": theirs for i, theirs in enumerate(rates)}, stacks, 3))
    assert [value(renamed.gain), value(renamed.naive_gain)] == pytest.approx(
        [value(found.gain), value(found.naive_gain)]
    )
    shuffled = list(runs)
    random.shuffle(shuffled)
    assert routing(shuffled) == found
    assert value(found.naive_gain) >= 0

    table = np.array([[int(digit) for digit in theirs] for theirs in rates])
    scores = []
    for others, (task,) in LeaveOneOut().split(table.T):
        totals = table[:, others].sum(axis=1)
        scores.append(table[totals == totals.max(), task].mean() / 3)
    assert value(found.single) == pytest.approx(np.mean(scores))


def test_no_agent_is_chosen_by_another_persona_of_the_scenario_that_it_is_scored_at() -> None:
    # Chance alone: with the twin of each task among the others, the choice would know the outcome.
    runs = runs_of({"a": "1001011", "b": "0110110"}, "JJJTTTT")
    alone, twice = routing(runs), routing(with_twins(runs))
    assert (twice.gain.value, twice.routed.value, twice.single.value) == pytest.approx(
        (alone.gain.value, alone.routed.value, alone.single.value)
    )
    assert value(routing(with_twins(runs, scenarios=False)).routed) > value(alone.routed)
    only = routing(with_twins(runs_of({"a": "1", "b": "0"}, "J")))
    assert only.gain.reason == "all common tasks are of one scenario"
