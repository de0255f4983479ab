"""Every outcome figure of every agent, with the arithmetic beside the value that is expected."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.estimate import Estimate
from runs.analysis.facts import RunFacts
from runs.analysis.outcomes.table import AgentOutcome, Outcomes, Short, outcomes
from runs.analysis.statistics.means import of_shares
from runs.data.published.tables import IDE_BENCH, table

NUMBERS = count(1)


def attempts(agent: str, task: str, marks: str, **more: Any) -> list[RunFacts]:
    """One run for each mark: + resolved, - not, ! failed by the infrastructure."""
    words = {"+": "resolved", "-": "unresolved", "!": "infrastructure_failed"}
    values = {"tests_total": 4, "repository": "harbour", **more}
    return [
        RunFacts(
            run=next(NUMBERS),
            agent=agent,
            task=task,
            attempt=number,
            outcome=words[mark],
            tests_passed=4 if mark == "+" else 1,
            **values,
        )
        for number, mark in enumerate(marks, 1)
    ]


def of(found: Outcomes, agent: str) -> AgentOutcome:
    """The outcome of one agent."""
    return next(each for each in found.agents if each.agent == agent)


def test_one_agent_by_hand() -> None:
    runs = (
        attempts("alice", "h/a", "+----")
        + attempts("alice", "h/b", "+++++")
        + attempts("alice", "h/c", "-----!")
    )
    found = outcomes(runs)
    alice = of(found, "alice")

    assert found.k == 5
    assert alice.pass_1.value == pytest.approx(0.4)  # (1/5 + 1 + 0) / 3
    assert alice.pass_k.value == pytest.approx(2 / 3)
    assert alice.all_k.value == pytest.approx(1 / 3)
    assert alice.retry_benefit.value == pytest.approx(4 / 15)  # (1 - 1/5 + 0 + 0) / 3
    assert alice.pass_1_strict.value == pytest.approx(0.4)  # (1/5 + 1 + 0/6) / 3
    assert alice.tests.value == pytest.approx((1.6 / 4 + 1.0 + 0.25) / 3)  # h/a: (1 + 4/4) / 5 = 0.4
    assert (alice.tasks, alice.attempts, alice.resolved, alice.infrastructure_failed) == (3, 15, 6, 1)
    assert (alice.fewest_attempts, alice.most_attempts, alice.short) == (5, 5, ())
    assert alice.between_rates.reason == "no null agent to compare with"
    assert found.excluded[0].reason == "the infrastructure failed"


def test_failures_of_the_infrastructure_enter_the_strict_rate_alone() -> None:
    (found,) = outcomes(attempts("alice", "h/a", "+!!!") + attempts("alice", "h/b", "!")).agents

    assert found.pass_1.value == 1.0
    assert found.pass_1_strict.value == 0.125  # (1/4 + 0/1) / 2
    assert (found.pass_1.n, found.pass_1_strict.n) == (1, 2)
    assert found.infrastructure_failed == 4


def test_what_pass_at_k_lacks_is_named() -> None:
    runs = attempts("alice", "h/a", "+-") + attempts("alice", "h/b", "-") + attempts("bob", "h/c", "++")
    found = outcomes(runs, 2)

    assert outcomes(runs).k == 1  # bob tried one of three tasks: too few to have a say
    assert found.k == 2
    assert of(found, "alice").pass_k == Estimate.unknown("1 of 2 tasks has fewer than 2 attempts", 1)
    assert of(found, "alice").all_k.value is None
    assert of(found, "alice").retry_benefit.value is None
    assert of(found, "alice").short == (Short("h/b", 1), Short("h/c", 0))
    assert of(found, "bob").pass_k.value == 1.0
    assert of(found, "bob").short == (Short("h/a", 0), Short("h/b", 0))


def test_floor_and_ceiling_are_of_the_same_tasks() -> None:
    runs = [
        *attempts("null", "h/a", "-"),
        *attempts("null", "h/b", "+"),
        *attempts("oracle", "h/a", "+"),
        *attempts("oracle", "h/b", "+"),
        *attempts("alice", "h/a", "+-"),
        *attempts("alice", "h/b", "++"),
        *attempts("alice", "h/only-alice", "--"),
        *attempts("bob", "h/only-bob", "+"),
    ]
    found = outcomes(runs, floor="null", ceiling="oracle")

    # over h/a and h/b: (0.75 - 0.5) / (1 - 0.5); tests (13/16 - 10/16) / (1 - 10/16)
    assert of(found, "alice").between_rates == Estimate(0.5, 2)
    assert of(found, "alice").between_tests.value == pytest.approx(0.5)
    assert of(found, "null").between_rates.value == 0.0
    assert of(found, "oracle").between_rates.value == 1.0
    assert of(found, "bob").between_rates.reason == "no rate: no task was tried"
    with pytest.raises(ValueError, match="stranger is the floor or the ceiling, but made no run"):
        outcomes(runs, floor="stranger")


def test_no_agent_and_nothing_graded() -> None:
    assert outcomes([]).agents == ()
    assert outcomes([]).k == 1
    (alice,) = outcomes(attempts("alice", "h/a", "!")).agents

    assert alice.pass_1 == Estimate.unknown("no task was tried")
    assert alice.pass_1_strict.value == 0.0
    assert alice.tests.value is None
    assert (alice.attempts, alice.infrastructure_failed) == (0, 1)


def test_one_attempt_and_all_failing() -> None:
    (alice,) = outcomes(attempts("alice", "h/a", "-")).agents
    assert (alice.pass_1.value, alice.pass_k.value, alice.all_k.value) == (0.0, 0.0, 0.0)
    assert alice.pass_1.interval is not None
    assert alice.pass_1.interval.high > 0.7


def test_runs_without_tests_count_in_rates_and_are_named() -> None:
    runs = attempts("alice", "h/a", "+", tests_total=0) + attempts("alice", "h/b", "-")
    found = outcomes(runs)

    assert of(found, "alice").pass_1.n == 2
    # A resolved run passes all tests, whether a result says so or not.
    assert of(found, "alice").tests == Estimate(0.625, 2, interval=of_shares([1.0, 0.25]))
    assert of(found, "alice").tests_known == Estimate(0.25, 1, interval=of_shares([0.25]))
    assert of(found, "alice").untested == 1
    assert [each.runs for each in found.untested] == [(runs[0].run,)]


def test_impossible_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="k of 0"):
        outcomes(attempts("alice", "h/a", "+"), k=0)
    with pytest.raises(ValueError, match="k of 0"):
        outcomes([], k=0)


@pytest.mark.parametrize("row", table(IDE_BENCH, 1).rows, ids=lambda row: row[0])
def test_table_1_comes_out_of_its_counts(row: tuple[str, ...]) -> None:
    """Of 80 tasks so many are solved by five attempts; each of these by one attempt, or by all."""
    printed = table(IDE_BENCH, 1)
    at_5 = round(float(row[printed.columns.index("pass_at_5_pct")]) / 100 * 80)
    marks = ["+----" if task < at_5 else "-----" for task in range(80)]
    (agent,) = outcomes(
        [run for task, made in enumerate(marks) for run in attempts(row[0], f"h/{task}", made)]
    ).agents

    assert f"{100 * (agent.pass_k.value or 0):.2f}" == row[printed.columns.index("pass_at_5_pct")]
    assert agent.pass_k.interval is not None
    assert (
        f"{100 * agent.pass_k.interval.half_width:.2f}" == row[printed.columns.index("pass_at_5_halfwidth")]
    )


MARKS = st.text("+-!", min_size=1, max_size=4)


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), MARKS), min_size=1, max_size=8),
    st.data(),
)
def test_order_and_names_mean_nothing(cells: list[tuple[str, str, str]], data: st.DataObject) -> None:
    runs = [run for agent, task, marks in cells for run in attempts(agent, task, marks)]
    found = outcomes(runs)
    shuffled = outcomes(data.draw(st.permutations(runs)))
    renamed = outcomes([replace(run, agent=f"agent {run.agent}") for run in runs])

    assert shuffled == found
    assert [replace(each, agent=f"agent {each.agent}") for each in found.agents] == list(renamed.agents)
    for each in found.agents:
        for figure in (each.pass_1, each.pass_k, each.all_k, each.tests, each.pass_1_strict):
            assert figure.value is None or 0 <= figure.value <= 1
        if each.all_k.value is not None and each.pass_1.value is not None and each.pass_k.value is not None:
            assert each.all_k.value <= each.pass_1.value + 1e-12
            assert each.pass_1.value <= each.pass_k.value + 1e-12
