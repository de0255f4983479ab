"""There is one list of results, and each of them stands whatever the runs."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.simulation import simulate
from runs.analysis.everything import DEFAULT_OPTIONS, GROUPS, everything
from runs.analysis.facts import INFRASTRUCTURE_FAILED, RESOLVED, UNRESOLVED, RunFacts
from tests.runs.analysis.random_runs import BROKEN, FAULTS, WRONG, behaviour, world, worlds
from tests.runs.analysis.result_walk import each, impossible, named, plain

RUNS = simulate(4, 12, 3, steps=8)
SMALL = [replace(run, similarity=0.5) for run in world(random.Random(5), 3, 4, 2)]
ONE = SMALL[9]
ACTED = behaviour(random.Random(1), "eeppn")

# Made of other results, which name the runs, or of the table of who was to try what, which has a row for each gap.
DERIVED = {
    "cost.fronts": "cost.cascades",
    "cost.fronts_with_pairs": "cost.cascades",
    "tasks.tiers_by_rate": "tasks.spreads",
    "tasks.shortages": "tasks.spreads",
    "scores.elo": "scores.scores",
    "scores.bradley_terry": "scores.scores",
}
# For each thing that can be wrong, two values that are not: what differs between them depends on it.
RIGHT: Mapping[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "outcome": ({"outcome": RESOLVED}, {"outcome": UNRESOLVED}),
    "tests": ({"tests_total": 9, "tests_passed": 8}, {"tests_total": 9, "tests_passed": 1}),
    "tokens": (
        {"prompt_tokens": 500, "completion_tokens": 10, "cached_tokens": 0},
        {"prompt_tokens": 5000, "completion_tokens": 99, "cached_tokens": 0},
    ),
    "cached": ({"cached_tokens": 0}, {"cached_tokens": ONE.prompt_tokens}),
    "cost": ({"cost_usd": 1.0}, {"cost_usd": 3.0}),
    "seconds": ({"seconds": 1.0}, {"seconds": 300.0}),
    "iterations": ({"iterations": 5}, {"iterations": 7}),
    "behaviour": ({"behaviour": ONE.behaviour}, {"behaviour": ACTED}),
    "similarity": ({"similarity": 0.1}, {"similarity": 0.9}),
}


def with_one(**changes: Any) -> dict[str, object]:
    """Everything of a small world in which one run is different."""
    return each([replace(run, **changes) if run is ONE else run for run in SMALL])


def everybody(outcome: str) -> list[RunFacts]:
    return [replace(run, outcome=outcome) for run in SMALL]


@pytest.mark.parametrize("name", GROUPS)
@pytest.mark.parametrize(
    "runs",
    [
        [],
        RUNS[:1],
        RUNS[:3],
        RUNS[::3],
        [run for run in SMALL if run.agent == ONE.agent],
        [run for run in SMALL if run.task == ONE.task],
        [replace(RUNS[0], behaviour=None)],
        everybody(RESOLVED),
        everybody(UNRESOLVED),
        everybody(INFRASTRUCTURE_FAILED),
        [replace(run, agent="", task="", repository="", stack="", languages=()) for run in SMALL],
        [replace(run, attempt=1) for run in SMALL],
        [replace(run, planned=planned) for run, planned in zip(SMALL, (0, -1, 5, 1000), strict=False)],
    ],
    ids=[
        "none",
        "one",
        "one cell",
        "one attempt of three",
        "one agent",
        "one task",
        "uncounted",
        "all resolved",
        "none resolved",
        "all lost",
        "no names",
        "all the first attempt",
        "odd plans",
    ],
)
def test_each_group_stands(name: str, runs: list[RunFacts]) -> None:
    found = GROUPS[name](runs, DEFAULT_OPTIONS)

    assert found
    assert impossible(found) == []
    assert named(found) <= {run.run for run in runs}


@settings(max_examples=12)
@given(worlds(bad=True), st.randoms(use_true_random=False))
def test_whatever_is_wrong_no_result_is_impossible_and_the_order_of_runs_decides_nothing(
    runs: list[RunFacts], dice: random.Random
) -> None:
    found = everything(runs)

    assert impossible(found) == []
    assert named(found) <= {run.run for run in runs}
    shuffled = list(runs)
    dice.shuffle(shuffled)
    assert everything(shuffled) == found


@pytest.mark.parametrize("what", WRONG)
def test_a_run_that_a_result_could_not_use_is_named_in_it(what: str) -> None:
    """A result depends on a field when two good values make a difference: then it has to name a run with a bad one."""
    here, there = RIGHT[what]
    one, other = with_one(**here), with_one(**there)
    depending = {name for name in one if one[name] != other[name]}
    assert depending
    for change in WRONG[what]:
        found = with_one(**{**here, **change})
        for name in depending - MAY_GO_WITHOUT.get(what, set()) - _is_no_mistake(change):
            assert ONE.run in named(found[DERIVED.get(name, name)]), (
                f"{name} does not name a run with {change}"
            )
        assert impossible(found) == []


# They read how many iterations a run reports, not its trajectory.
REPORTED = {"iterations.distribution", "iterations.cumulative_success", "iterations.success_by_length"}
MAY_GO_WITHOUT = {"behaviour": REPORTED}
# A run without a reference patch has no similarity; a thousand iterations are many, and may be.
SCORED = {
    "scores.scores",
    "scores.elo",
    "scores.bradley_terry",
    "scores.correlations",
    "scores.rank_correlations",
    "scores.relative_correlations",
}
BY_METRIC = {"behaviour.core_metrics", "behaviour.resolved_against_failed"}


def _is_no_mistake(change: Mapping[str, Any]) -> set[str]:
    if change == {"similarity": None}:
        return SCORED | BY_METRIC
    return REPORTED if change == {"iterations": 1000} else set()


@pytest.mark.parametrize("change", BROKEN, ids=lambda change: next(iter(change)))
def test_impossible_counts_of_a_trajectory_spoil_nothing(change: dict[str, Any]) -> None:
    assert impossible(with_one(behaviour=replace(ACTED, **change), iterations=5)) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_trajectory_is_named_by_results_that_read_trajectories(fault: str) -> None:
    found = with_one(behaviour=replace(ACTED, faults=(fault,)), iterations=5)
    depending = {name for name, result in with_one(behaviour=None).items() if ONE.run in named(result)}
    # An invalid duration affects only results about durations.
    for name in {"tools.telemetry"} if fault.startswith("a call") else depending:
        assert ONE.run in named(found[name]), name


@settings(max_examples=8)
@given(worlds(bad=True), st.data())
def test_what_the_infrastructure_lost_changes_nothing_but_the_count_of_what_it_lost(
    runs: list[RunFacts], data: st.DataObject
) -> None:
    graded = [run for run in runs if run.outcome in {RESOLVED, UNRESOLVED}]
    if not graded:
        return
    lost = replace(
        graded[data.draw(st.integers(0, len(graded) - 1))], run=99_999, outcome=INFRASTRUCTURE_FAILED
    )
    before, after = each(runs), each([*runs, lost])

    assert {name for name, found in after.items() if lost.run not in named(found)} == DERIVED.keys()
    counts = {"excluded", "infrastructure_failed", "pass_1_strict", "infrastructure"}
    for name, found in before.items():
        assert plain(after[name], drop=counts) == plain(found, drop=counts), name
