"""Results outside of `everything` under the same properties, and monotonic results."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.difficulty.curves import difficulty_correlations, success_curve
from runs.analysis.difficulty.regressions import success_models
from runs.analysis.estimate import Estimate
from runs.analysis.facts import RESOLVED, UNRESOLVED, RunFacts
from runs.analysis.outcomes.solved import solved_within
from runs.analysis.outcomes.standings import CellFacts, standings
from runs.analysis.outcomes.table import outcomes
from runs.analysis.portfolios.coverage import portfolios
from runs.analysis.portfolios.similarity import similarity
from runs.analysis.prediction.outcome_prediction import predict_outcome
from tests.runs.analysis.random_runs import made, worlds
from tests.runs.analysis.result_walk import impossible, named

# Easy to hard by number, one unknown, one invalid, and a measure that all tasks share.
MEASURES: Mapping[str, Mapping[str, float | None]] = {
    "repository-0/task-0": {"lines": 3.0, "files": 1.0, "alike": 2.0},
    "repository-0/task-1": {"lines": 30.0, "files": 1.0, "alike": 2.0},
    "repository-1/task-2": {"lines": 7.0, "files": None, "alike": 2.0},
    "repository-1/task-3": {"lines": math.nan, "files": 4.0, "alike": 2.0},
}
OTHERS: Mapping[str, Callable[[Sequence[RunFacts]], object]] = {
    "prediction": lambda runs: predict_outcome(runs, model="logistic", folds=2, repeats=1),
    "success curve": lambda runs: success_curve(runs, MEASURES, "lines", bins=3),
    "difficulty correlations": lambda runs: difficulty_correlations(runs, MEASURES),
    "success models": lambda runs: success_models(runs, MEASURES, ["lines", "alike"]),
    "standings": lambda runs: standings(cells(runs)),
}


def cells(runs: Sequence[RunFacts]) -> list[CellFacts]:
    """As the database sums them up."""
    numbers = {
        name: number
        for number, name in enumerate(sorted({run.agent for run in runs} | {run.task for run in runs}))
    }
    found = []
    for agent, task in sorted({(run.agent, run.task) for run in runs}):
        theirs = [run for run in runs if (run.agent, run.task) == (agent, task)]
        count = Counter(run.outcome for run in theirs)
        graded = count[RESOLVED] + count[UNRESOLVED]
        rates = [run.test_rate for run in theirs if 0 < run.tests_total >= run.tests_passed >= 0]
        found.append(
            CellFacts(
                numbers[agent],
                numbers[task],
                task.partition("/")[0],
                graded,
                count[RESOLVED],
                count["infrastructure_failed"],
                test_rate_sum=math.fsum(rates) if graded else 0.0,
                tokens=graded,
                cost_usd=None if any(run.cost_usd is None for run in theirs) else 1.0,
                seconds=1.0,
                tested=min(len(rates), graded),
                timed=graded,
                test_rate_squares=math.fsum(rate * rate for rate in rates) if graded else 0.0,
            )
        )
    return found


@pytest.mark.parametrize("name", OTHERS)
@settings(max_examples=6)
@given(worlds(bad=True), st.randoms(use_true_random=False))
def test_bad_records_and_their_order_spoil_nothing(
    name: str, runs: list[RunFacts], dice: random.Random
) -> None:
    found = OTHERS[name](runs)

    assert impossible(found) == []
    assert named(found) <= {run.run for run in runs}
    shuffled = list(runs)
    dice.shuffle(shuffled)
    assert OTHERS[name](shuffled) == found


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize(
    "runs",
    [
        [],
        made(1, (1, 1, 1)),
        made(1, (2, 4, 2), RESOLVED),
        made(1, (2, 4, 2), UNRESOLVED),
        made(2, (4, 4, 3)),
    ],
    ids=["none", "one", "all resolved", "none resolved", "as usual"],
)
def test_each_stands_in_small_worlds(name: str, runs: list[RunFacts]) -> None:
    assert impossible(OTHERS[name](runs)) == []


def at_least(after: Estimate, before: Estimate) -> bool:
    return (after.value is None) == (before.value is None) and (after.value or 0) >= (before.value or 0)


@settings(max_examples=40)
@given(worlds(bad=True), st.data())
def test_one_more_success_lowers_no_rate_and_no_coverage(runs: list[RunFacts], data: st.DataObject) -> None:
    failed = [run for run in runs if run.outcome == UNRESOLVED]
    if not failed:
        return
    lucky = failed[data.draw(st.integers(0, len(failed) - 1))]
    better = [replace(run, outcome=RESOLVED) if run is lucky else run for run in runs]
    before, after = ({each.agent: each for each in outcomes(these, 2).agents} for these in (runs, better))

    for agent in before.values():
        now = after[agent.agent]
        rates = (
            (now.pass_1, agent.pass_1),
            (now.pass_k, agent.pass_k),
            (now.all_k, agent.all_k),
            (now.pass_1_strict, agent.pass_1_strict),
        )
        assert all(at_least(*pair) for pair in rates)
        assert agent.agent == lucky.agent or [pair[0] for pair in rates] == [pair[1] for pair in rates]
    assert after[lucky.agent].pass_1 != before[lucky.agent].pass_1
    for k in (1, 2):
        for now_best, best in zip(
            *(portfolios(solved_within(these, k)).portfolios for these in (better, runs)), strict=True
        ):
            assert now_best.covered >= best.covered


@settings(max_examples=40)
@given(worlds(bad=True), st.integers(1, 3))
def test_one_more_agent_lowers_no_portfolio_and_no_pair_of_others(runs: list[RunFacts], k: int) -> None:
    """Coverage is a share of the tasks that anybody attempted, so the one more attempts nothing new."""
    few = [run for run in runs if run.agent != "agent-0"]
    tasks = {run.task for run in few}
    one_more = [run for run in runs if run.agent != "agent-0" or run.task in tasks]
    before, after = (solved_within(these, k) for these in (few, one_more))
    if before.tasks != after.tasks:
        return

    smaller, larger = portfolios(before).portfolios, portfolios(after).portfolios
    assert all(now.covered >= best.covered for now, best in zip(larger, smaller, strict=False))
    assert all(
        (now.coverage.value or 0) >= (best.coverage.value or 0)
        for now, best in zip(larger, smaller, strict=False)
    )
    assert all(one.covered <= two.covered for one, two in pairwise(larger))
    assert set(similarity(before).pairs) <= set(similarity(after).pairs)
