"""Choosing an agent within limits: the best one, and all that are not significantly worse."""

from __future__ import annotations

from dataclasses import replace

import pytest

from runs.analysis.estimate import Estimate
from runs.analysis.outcomes.standings import Standings, standings
from runs.data.queries.competitors import Competitor, ModelName
from runs.rankings.leaderboard.choosing import AgentChoice, Limits, choose, monthly_cost
from runs.rankings.leaderboard.column import BoardRow
from tests.runs.rankings.leaderboard.made_standings import cell, rows_of

MODEL = ModelName("M", "The Lab", None)
# Of 12 tasks: Ada resolves 12, Ben 11, Cleo none. Ada and Ben cannot be told apart; both are better than Cleo.
RESOLVED = {1: 12, 2: 11, 3: 0}
NAMES = {1: "Ada", 2: "Ben", 3: "Cleo"}


def made(**costs: float | None) -> tuple[list[BoardRow], Standings]:
    """The rows, with dollars of an attempt by name."""
    found = standings(
        cell(agent, task, resolved=int(task < count))
        for agent, count in RESOLVED.items()
        for task in range(12)
    )
    agents = {pk: Competitor(name.lower(), name, "ide", MODEL) for pk, name in NAMES.items()}
    rows = [
        replace(row, standing=replace(row.standing, cost_per_attempt=_estimate(costs[row.agent.slug])))
        for row in rows_of(found, agents)
    ]
    return rows, found


def _estimate(cost: float | None) -> Estimate:
    return Estimate.unknown("not stated") if cost is None else Estimate(cost, 12)


def names(rows: tuple[BoardRow, ...]) -> list[str]:
    return [row.agent.name for row in rows]


def chosen(limits: Limits, **costs: float | None) -> AgentChoice:
    rows, found = made(**costs)
    assert choose(rows[::-1], found, limits) == choose(rows, found, limits)
    return choose(rows, found, limits)


def test_without_limits_the_best_comes_with_those_that_it_is_not_significantly_better_than() -> None:
    choice = chosen(Limits(), ada=2.0, ben=1.0, cleo=0.1)

    assert (names(choice.top), choice.within, choice.others) == (["Ada", "Ben"], 3, 1)
    assert choice.cheapest is not None
    assert choice.cheapest.agent.name == "Ben"


def test_no_two_agents_that_cannot_be_told_apart_differ_significantly() -> None:
    rows, found = made(ada=2.0, ben=1.0, cleo=0.1)
    ada, ben, cleo = (row.standing.agent for row in rows)
    # Ada is not significantly better than anybody, and Ben is better than Cleo.
    choice = choose(rows, replace(found, better=frozenset({(ben, cleo)})), Limits())
    assert (names(choice.top), choice.beats_all, choice.others) == (["Ada", "Ben"], False, 1)

    # They share few tasks: Cleo is better than Ada, and Ben better than Cleo.
    choice = choose(rows, replace(found, better=frozenset({(cleo, ada), (ben, cleo)})), Limits())
    assert (names(choice.top), choice.beats_all) == (["Ben"], False)


def test_an_agent_over_the_budget_is_out_and_one_at_it_is_in() -> None:
    choice = chosen(Limits(budget=1.0), ada=1.01, ben=1.0, cleo=0.1)

    assert (names(choice.top), choice.within, choice.over) == (["Ben"], 2, 1)
    assert choice.cheapest is None  # of one agent, nothing is the cheapest


def test_an_unknown_cost_is_not_cheap() -> None:
    choice = chosen(Limits(budget=1.0), ada=None, ben=2.0, cleo=None)

    assert (choice.best, choice.over, names(choice.cost_unknown)) == (None, 1, ["Ada", "Cleo"])
    assert chosen(Limits(), ada=None, ben=2.0, cleo=1.0).cheapest is None


def test_a_free_attempt_is_within_every_budget() -> None:
    assert names(chosen(Limits(budget=0.0), ada=1.0, ben=0.0, cleo=None).top) == ["Ben"]


def test_time_is_in_minutes_and_left_out_where_it_is_unknown() -> None:
    rows, found = made(ada=1.0, ben=1.0, cleo=1.0)
    slow = replace(rows[0], standing=replace(rows[0].standing, seconds_per_attempt=Estimate(61.0, 12)))
    lost = replace(rows[1], standing=replace(rows[1].standing, seconds_per_attempt=_estimate(None)))

    choice = choose([slow, lost, rows[2]], found, Limits(minutes=1.0))

    assert (names(choice.top), choice.over, names(choice.time_unknown)) == (["Cleo"], 1, ["Ben"])


def test_the_cheapest_is_named_where_not_all_at_the_top_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runs.rankings.leaderboard.choosing.MAX_NAMED", 1)
    choice = chosen(Limits(), ada=2.0, ben=1.0, cleo=0.1)
    assert (names(choice.named), choice.more) == (["Ben"], 1)


def test_a_month_costs_an_attempt_for_each_issue() -> None:
    rows, _ = made(ada=0.25, ben=None, cleo=0.0)
    assert [monthly_cost(row, 100) for row in rows] == [25.0, None, 0.0]
