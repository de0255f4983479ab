"""One agent first, and a second one where it fails."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts, Shortage
from runs.analysis.portfolios.cascades import Cascade, cascades
from runs.analysis.statistics.intervals import clustered
from tests.runs.analysis.personas import ends, with_twins


def runs_of(agent: str, task: str, outcomes: str, cost: float | None, tokens: float = 100) -> list[RunFacts]:
    """One run for each letter: y resolved, n unresolved."""
    return [
        RunFacts(
            run=len(agent + task) * 100 + i,
            agent=agent,
            task=task,
            repository="q",
            attempt=i + 1,
            outcome="resolved" if letter == "y" else "unresolved",
            prompt_tokens=tokens,
            cost_usd=cost,
            seconds=tokens / 10,
        )
        for i, letter in enumerate(outcomes)
    ]


def world() -> list[RunFacts]:
    return [
        *runs_of("fast", "q/t", "yyyn", 1.0, 100),
        *runs_of("fast", "q/u", "nnnn", 1.0, 100),
        *runs_of("slow", "q/t", "yyyy", 4.0, 1000),
        *runs_of("slow", "q/u", "yn", 6.0, 2000),
    ]


def pair(first: str, second: str, runs: list[RunFacts]) -> Cascade:
    (found,) = (cascade for cascade in cascades(runs).pairs if cascade.plan.agents == (first, second))
    return found


def test_a_pair_has_as_many_tries_as_the_agent_with_fewer() -> None:
    # Both tasks at 1/2, so that only the tries bound how alike they are: one each.
    found = pair("a", "b", [run for task in ("q/t", "q/u") for run in tries(task)])
    assert found.plan.rate == Estimate(0.5, 2, interval=clustered([0.5, 0.5], [1, 1]))


def tries(task: str) -> list[RunFacts]:
    return [*runs_of("a", task, "n", 1.0), *runs_of("b", task, "yynn", 1.0)]


def test_the_second_is_paid_where_the_first_fails() -> None:
    # fast: p = 3/4 at t, 0 at u, $1 each. slow: p = 1 for $4, p = 1/2 for $6.
    found = pair("fast", "slow", world())
    # rate: t 1 − 1/4 · 0 = 1; u 1 − 1 · 1/2 = 1/2
    # four tries of the pair at t, two at u
    assert found.plan.rate == Estimate(0.75, 2, interval=clustered([1.0, 0.5], [4, 2]))
    # cost: t 1 + 1/4 · 4 = 2; u 1 + 1 · 6 = 7
    assert found.plan.cost_usd == Estimate(4.5, 2)
    # tokens: t 100 + 1/4 · 1000 = 350; u 100 + 2000 = 2100
    assert found.plan.tokens == Estimate(1225.0, 2)
    # slow alone: rate (1 + 1/2) ÷ 2, cost (4 + 6) ÷ 2, tokens 1500
    assert found.second_alone.rate.value == 0.75
    assert found.gain == Estimate(0.0, 2)
    assert found.saving_usd == Estimate(0.5, 2)
    assert found.saving_tokens == Estimate(275.0, 2)
    # a tenth of a second by token
    assert (found.plan.seconds, found.saving_seconds) == (Estimate(122.5, 2), Estimate(27.5, 2))
    assert found.plan.name == "fast, then slow"


def test_an_agent_that_never_succeeds_adds_exactly_nothing() -> None:
    # 1 − (1 − 0) · (1 − 1/5) would be 0.19999999999999996 in floats
    runs = [*runs_of("never", "q/t", "n", 1.0), *runs_of("b", "q/t", "ynnnn", 1.0)]
    found = pair("never", "b", runs)
    assert (found.plan.rate.value, found.gain) == (0.2, Estimate(0.0, 1))


def test_the_order_changes_the_price_and_not_the_rate() -> None:
    found = pair("slow", "fast", world())
    # cost: t 4 + 0; u 6 + 1/2 · 1
    assert found.plan.cost_usd == Estimate(5.25, 2)
    assert found.plan.rate.value == 0.75


def test_unknown_prices_leave_the_expense_open_where_they_are_all_there_is() -> None:
    runs = [*world(), *runs_of("local", "q/t", "n", None), *runs_of("local", "q/u", "y", None)]
    found = pair("local", "slow", runs)
    assert found.plan.cost_usd == Estimate.unknown("2 of 2 tasks: the cost is unknown or invalid", 2)
    assert found.saving_usd.value is None
    assert found.plan.tokens.value is not None
    # At u "local" never fails, so what "slow" would take there is not needed; where it is not known, that is no harm.
    runs = [*runs_of("sure", "q/t", "y", 1.0), *runs_of("local", "q/t", "y", None)]
    assert pair("sure", "local", runs).plan.cost_usd == Estimate(1.0, 1)


def test_attempts_of_unknown_price_among_known_ones_are_left_out_and_named() -> None:
    runs = [*runs_of("a", "q/t", "y", 3.0), RunFacts(7, "a", "q/t", "q", 2, "resolved", cost_usd=None)]
    found = cascades(runs)
    assert found.singles[0].cost_usd == Estimate(3.0, 1)
    assert found.shortages == ()
    assert found.excluded == (Exclusion("the cost is unknown or invalid", (7,)),)


def test_one_agent_has_a_mean_over_nine_of_ten_tasks_and_a_pair_has_none() -> None:
    runs = [run for task in range(9) for agent in "ab" for run in runs_of(agent, f"q/{task}", "n", 2.0)]
    found = cascades([*runs, *runs_of("a", "q/9", "n", None), *runs_of("b", "q/9", "n", 5.0)])

    assert [plan.cost_usd for plan in found.singles] == [Estimate(2.0, 9), Estimate(2.3, 10)]
    assert all(one.plan.cost_usd.value is None and one.saving_usd.value is None for one in found.pairs)
    few = cascades([*runs[:-2], *runs_of("a", "q/8", "n", None), *runs_of("b", "q/8", "n", 2.0)])
    assert few.singles[0].cost_usd.reason == "1 of 9 tasks: the cost is unknown or invalid"


def test_missing_attempts_and_impossible_times_are_named() -> None:
    runs = [RunFacts(7, "a", "q/t", "q", 1, "resolved", planned=5, cost_usd=1.0, seconds=-1)]
    found = cascades(runs)
    assert found.shortages == (Shortage("a", "q/t", 1, 5),)
    assert found.excluded == (Exclusion("the duration is unknown or invalid", (7,)),)
    assert found.singles[0].seconds.value is None


def test_no_agent_one_agent_and_no_common_task() -> None:
    assert cascades([]).plans == ()
    assert cascades(runs_of("a", "q/t", "y", 1.0)).pairs == ()
    assert cascades([*runs_of("a", "q/t", "y", 1.0), *runs_of("b", "q/u", "y", 1.0)]).plans == ()


letters = st.text("yn", min_size=1, max_size=4)
attempts = st.dictionaries(st.sampled_from(["a", "b", "c"]), st.tuples(letters, letters), min_size=1)


@settings(max_examples=60)
@given(attempts, st.randoms(use_true_random=False))
def test_a_second_agent_never_lowers_the_rate_and_costs_no_more_than_both(
    outcomes: dict[str, tuple[str, str]], random: Any
) -> None:
    runs = [
        run
        for place, (agent, theirs) in enumerate(sorted(outcomes.items()), start=1)
        for task, tried in zip(("q/t", "q/u"), theirs, strict=True)
        for run in runs_of(agent, task, tried, float(place))
    ]
    found = cascades(runs)
    shuffled = list(runs)
    random.shuffle(shuffled)
    assert cascades(shuffled) == found

    alone = {plan.agents[0]: plan for plan in found.singles}
    assert len(found.pairs) == len(alone) * (len(alone) - 1)
    for cascade in found.pairs:
        first, second = (alone[agent] for agent in cascade.plan.agents)
        rate, cost = number(cascade.plan.rate), number(cascade.plan.cost_usd)
        assert max(number(first.rate), number(second.rate)) <= rate <= 1
        assert (
            number(first.cost_usd) - 1e-9 <= cost <= number(first.cost_usd) + number(second.cost_usd) + 1e-9
        )


@settings(max_examples=30)
@given(letters, letters)
def test_it_is_the_mean_over_all_pairs_of_attempts(first: str, second: str) -> None:
    runs = [*runs_of("a", "q/t", first, 2.0), *runs_of("b", "q/t", second, 5.0)]
    plan = pair("a", "b", runs).plan
    played = list(product(first, second))
    assert number(plan.rate) == pytest.approx(sum("y" in both for both in played) / len(played))
    assert number(plan.cost_usd) == pytest.approx(sum(2 + 5 * (a == "n") for a, _ in played) / len(played))


@settings(max_examples=30)
@given(st.text("ynl", min_size=2, max_size=4), st.text("yn", min_size=2, max_size=4), st.booleans())
def test_two_tries_both_succeed_as_often_as_over_all_pairs_of_different_attempts(
    first: str, second: str, limit: bool
) -> None:
    # l: unresolved at the iteration limit.
    ours = [
        replace(run, ending="iteration_limit" if letter == "l" else "completed")
        for run, letter in zip(runs_of("a", "q/t", first, 2.0), first, strict=True)
    ]
    found = cascades([*ours, *runs_of("b", "q/t", second, 5.0)])
    chosen = found.at_limit if limit else found.pairs
    plans = [cascade.plan for cascade in chosen if cascade.plan.agents == ("a", "b")]
    if limit and "l" not in first:
        assert plans == []
        return
    passes_on = "l" if limit else "nl"
    played = [
        all(a == "y" or (a in passes_on and b == "y") for a, b in ((a1, b1), (a2, b2)))
        for a1, a2 in permutations(first, 2)
        for b1, b2 in permutations(second, 2)
    ]
    assert number(plans[0].both) == pytest.approx(sum(played) / len(played))


def test_at_the_limit_the_second_agent_is_paid_where_the_first_reached_it() -> None:
    # a: one of four attempts is resolved, one failed, two end at the limit, of which one resolved the task.
    endings = ["completed", "agent_error", "iteration_limit", "time_limit"]
    ours = [
        replace(run, ending=ending)
        for run, ending in zip(runs_of("a", "q/t", "ynyn", 1.0), endings, strict=True)
    ]
    (found,) = cascades([*ours, *runs_of("b", "q/t", "yn", 4.0)]).at_limit
    # 1/4 + 1/2 · 1/2, and 1 + 1/2 · 4
    assert (found.plan.rate.value, found.plan.cost_usd.value) == (0.5, 3)
    assert (found.plan.handover, found.plan.name) == ("limit", "a, at a limit b")


def test_the_icc_is_1_if_tries_agree_and_0_if_tasks_are_alike() -> None:
    agree = [*runs_of("a", "q/t", "yy", 1.0), *runs_of("a", "q/u", "nn", 1.0)]
    alike = [*runs_of("a", "q/t", "yn", 1.0), *runs_of("a", "q/u", "yn", 1.0)]
    once = runs_of("a", "q/t", "y", 1.0)
    assert [cascades(runs).singles[0].icc.value for runs in (agree, alike)] == [1, 0]
    assert [cascades(runs).singles[0].both.value for runs in (agree, alike)] == [0.5, 0]
    assert cascades(once).singles[0].both.reason == "fewer than two attempts at a task"
    assert cascades(runs_of("a", "q/t", "yy", 1.0)).singles[0].icc.reason == "all tries have the same result"


def number(figure: Estimate) -> float:
    assert figure.value is not None
    return figure.value


def test_two_equal_personas_of_each_scenario_count_as_one_task() -> None:
    runs = [run for place in "tuvw" for run in runs_of("fast", f"q/{place}", "yyn"[: 1 + (place > "u")], 1.0)]
    alone, twice = cascades(runs).singles[0].rate, cascades(with_twins(runs)).singles[0].rate
    assert (twice.value, twice.n) == pytest.approx((alone.value, 8))
    assert ends(twice) == pytest.approx(ends(alone))
