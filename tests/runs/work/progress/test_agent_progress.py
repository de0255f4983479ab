"""The results of each agent so far, and the money."""

from __future__ import annotations

import pytest

from runs.analysis.estimate import Estimate
from runs.models import Agent, LanguageModel, Run
from runs.work.execution.budget import Account
from runs.work.progress.agent_progress import Money, agents_so_far, money_of, user_costs
from runs.work.progress.run_counts import cells
from tests.runs.cast import Cast
from tests.runs.work.progress.sums import FAILED, RESOLVED, UNRESOLVED, sums

MODEL = LanguageModel(pk=1, slug="analytical", name="Analytical")
ALICE = Agent(pk=1, slug="alice", name="Alice", kind="ide", model=MODEL)
BOB = Agent(pk=2, slug="bob", name="Bob", kind="ide", model=MODEL)
IDLER = Agent(pk=3, slug="idler", name="Idler", kind="null")
NOTHING = Account(spent=0.0, reserved=0.0, failed=0.0, doubtful=0.0, unknown=0)
EARLY = Estimate.unknown("too early to say")


def test_the_best_agent_is_first_and_those_without_a_verdict_are_last() -> None:
    rows = [
        sums(1, RESOLVED, agent=1),
        sums(3, UNRESOLVED, agent=1),
        sums(1, RESOLVED, agent=2),
        sums(1, FAILED, agent=3),
    ]
    found = agents_so_far([IDLER, ALICE, BOB], rows, cells(rows))
    assert [(one.agent.name, one.found.resolved.value) for one in found] == [
        ("Bob", 1.0),
        ("Alice", 0.25),
        ("Idler", None),
    ]
    assert (found[0].rate is None, found[2].rate, found[2].tally.failed) == (False, None, 1)


def test_agents_that_are_equally_good_are_in_the_order_of_their_names() -> None:
    rows = [sums(1, RESOLVED, agent=1), sums(1, RESOLVED, agent=2)]
    assert [one.agent.name for one in agents_so_far([BOB, ALICE], rows, cells(rows))] == ["Alice", "Bob"]


def test_the_cost_at_the_end_counts_failed_tries_and_doubtful_calls() -> None:
    rows = [
        sums(4, RESOLVED, agent=1, cost=2.0),
        sums(2, state="queued", agent=1),
        sums(9, RESOLVED, agent=3),
    ]
    account = Account(spent=2.5, reserved=0.25, failed=0.5, doubtful=0.125, unknown=0)

    money = money_of(account, 3.0, agents_so_far([ALICE, IDLER], rows, cells(rows)))

    assert money.spent == 2.5
    assert money.at_end == Estimate(2.0 + 2 * 0.5 + 0.5 + 0.125, 4)
    assert money.too_much
    assert not Money(account, None, 2.5, money.at_end).too_much
    assert not Money(account, 3.0, 2.5, EARLY).too_much
    assert not Money(account, 3.625, 2.5, money.at_end).too_much


@pytest.mark.parametrize(("spent", "unknown", "expected"), [(0.0, 0, 0.0), (0.0, 1, None), (0.5, 1, 0.5)])
def test_the_spent_dollars_are_unknown_if_nothing_of_them_is_known(
    spent: float, unknown: int, expected: float | None
) -> None:
    account = Account(spent=spent, reserved=0.0, failed=0.0, doubtful=0.0, unknown=unknown)
    assert money_of(account, None, []).spent == expected


def test_the_bar_stands_for_the_budget_or_for_more_if_more_is_used() -> None:
    account = Account(spent=2.0, reserved=1.0, failed=0.0, doubtful=1.0, unknown=0)
    assert Money(account, 8.0, 2.0, EARLY).bar == (
        ("spent", 0.0, 25.0),
        ("doubtful", 25.0, 12.5),
        ("reserved", 37.5, 12.5),
    )
    beyond = Money(account, 1.0, 2.0, EARLY)
    assert (beyond.scale, beyond.bar[-1]) == (4.0, ("reserved", 75.0, 25.0))


def test_without_money_the_bar_is_empty() -> None:
    free = Money(NOTHING, None, 0.0, EARLY)
    assert (free.bar, free.scale) == ((), 1.0)


@pytest.mark.django_db
def test_the_cost_at_the_end_includes_simulated_users() -> None:
    cast = Cast()
    (task,), oracle = cast.add_workflow("toxic"), cast.oracle()
    for attempt, cost in enumerate((0.25, 0.5, 0.75), 1):
        cast.add_run(oracle, task, attempt, user_cost_usd=cost)
    cast.add_run(oracle, task, 4, state=Run.State.QUEUED, outcome="")
    cast.add_run(oracle, cast.add_tasks(1)[0])

    users = user_costs(Run.objects.all())

    assert (users.settled, users.spent, users.remaining) == (3, 1.5, 1)
    assert money_of(NOTHING, None, [], users).at_end == Estimate(2.0, 3)
    Run.objects.filter(attempt=1).update(user_cost_usd=None)
    assert user_costs(Run.objects.all()).spent is None
