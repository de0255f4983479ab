"""There is one list of results, and each of them stands whatever the runs."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from benchmarks.simulation import simulate
from runs.analysis.everything import GROUPS, Options, everything
from runs.analysis.facts import INFRASTRUCTURE_FAILED, RunFacts

RUNS = simulate(4, 12, 3, steps=8)
NAN = float("nan")


def bad() -> list[RunFacts]:
    """The same with records that cannot be, one of each kind, and one that lost all but its outcome."""
    runs = list(RUNS)
    changes = [
        {"outcome": INFRASTRUCTURE_FAILED},
        {"outcome": "nobody knows"},
        {"behaviour": None},
        {"cost_usd": None},
        {"cost_usd": NAN},
        {"prompt_tokens": NAN},
        {"seconds": -5.0},
        {"seconds": NAN},
        {"tests_total": 0, "tests_passed": 0},
        {"tests_total": -1, "tests_passed": -1},
        {"iterations": -1, "tool_calls": -1, "failed_calls": -1},
        {"similarity": None, "stack": "", "languages": (), "category": "", "difficulty": ""},
    ]
    for place, change in enumerate(changes):
        runs[5 * place] = replace(runs[5 * place], **change)  # type: ignore[arg-type] # of several fields
    return runs


@pytest.mark.parametrize("name", GROUPS)
@pytest.mark.parametrize(
    "runs",
    [
        [],
        RUNS[:1],
        [replace(RUNS[0], behaviour=None)],
        [replace(run, outcome="unresolved") for run in RUNS],
        bad(),
    ],
    ids=["none", "one", "uncounted", "all failing", "bad records"],
)
def test_each_group_stands(name: str, runs: list[RunFacts]) -> None:
    assert GROUPS[name](runs)


def test_the_order_of_runs_decides_nothing() -> None:
    shuffled = list(bad())
    random.Random(3).shuffle(shuffled)
    assert everything(shuffled) == everything(bad())


def test_options_reach_every_result_that_depends_on_them() -> None:
    near = [
        replace(run, outcome="unresolved", tests_total=20, tests_passed=19)
        if run.task == RUNS[0].task
        else run
        for run in RUNS
    ]
    found = everything(near, Options(k=2, seed=7, failed_tests={near[0].run: ["test_ebb"]}))
    assert found["outcomes"]["outcomes"].k == 2  # type: ignore[attr-defined] # results are objects here
    assert found["similarity"]["similarity"].k == 2  # type: ignore[attr-defined]
    assert found["scores"]["elo"].seed == 7  # type: ignore[attr-defined]
    misses = found["tasks"]["near_misses"].misses  # type: ignore[attr-defined]
    assert [test.test for miss in misses for test in miss.between] == ["test_ebb"]
