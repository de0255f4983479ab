"""The hard set of generated tasks."""

from __future__ import annotations

import pytest

from runs.analysis.difficulty.hard_set import hard_set
from tests.runs.analysis.difficulty.generated_runs import generated

# Ten tasks; the 90th percentile of both measures is the value that nine of ten are at or below: 9 of 1 … 10.
MEASURES = {
    f"r{place % 3}/t{place}": {"code_lines": float(place), "harmonic": float(place)} for place in range(1, 11)
}


def test_hard_tasks_are_at_the_90th_percentile_of_both_axes() -> None:
    runs = [run for task in MEASURES for run in generated("alice", task, "-" if task in {"r0/t9"} else "+")]
    found = hard_set(runs, MEASURES)
    assert (found.thresholds, found.tasks) == ({"code_lines": 9, "harmonic": 9}, ("r0/t9", "r1/t10"))
    (alice,) = found.agents
    assert (alice.hard.value, alice.hard.n, alice.others.value, alice.others.n) == (0.5, 2, 1, 8)


def test_a_task_that_is_high_on_one_axis_is_not_hard() -> None:
    turned = {task: {**known, "harmonic": -known["harmonic"]} for task, known in MEASURES.items()}
    found = hard_set([run for task in turned for run in generated("alice", task, "+")], turned)
    assert found.tasks == ()
    assert found.agents[0].hard.reason == "no task of the hard set was tried"


def test_without_measures_there_is_none_and_origins_are_not_mixed() -> None:
    runs = generated("alice", "pier/a", "+")
    found = hard_set(runs, {})
    assert (found.thresholds, found.tasks, found.agents, found.excluded[0].n) == ({}, (), (), 1)
    with pytest.raises(ValueError, match="several origins"):
        hard_set([*runs, *generated("alice", "pier/b", "+", "corrupted")], MEASURES)
