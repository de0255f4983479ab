"""What an agent's runs take."""

from __future__ import annotations

from dataclasses import replace

import pytest

from runs.analysis.cost.run_figures import run_figures
from runs.analysis.facts import Behaviour, RunFacts, ToolUse
from tests.runs.analysis.personas import ends, with_twins


def test_verdicts_speed_calls_and_quantiles_are_those_of_runs_with_a_verdict() -> None:
    first = RunFacts(
        *(1, "alice", "harbour/moor.default", "harbour", 1, "resolved"),
        completion_tokens=300,
        seconds=10.0,
        cost_usd=1.0,
        scenario="harbour/moor",
        tool_calls=4,
        behaviour=Behaviour(
            tools=ToolUse(parallel={1: 2, 2: 1}), responses=((4.0, 0.25), (6.0, None), (None, 0.5))
        ),
    )
    second = replace(
        first, run=2, task="harbour/moor.toxic", outcome="unresolved", seconds=20.0, cost_usd=None
    )
    lost = replace(
        first,
        run=3,
        task="harbour/ebb",
        scenario="",
        outcome="infrastructure_failed",
        ending="infrastructure_failed",
    )

    (found,) = run_figures([first, second, lost])
    assert (found.runs, found.scenarios, found.graded, found.resolved) == (3, 2, 2, (1,))
    assert (found.formal.value, found.endings) == (0.5, {"completed": 2, "infrastructure_failed": 1})
    assert (found.tokens_per_second.value, found.calls, found.calls_per_run.value) == (20.0, 8, 4.0)
    assert found.calls_per_step.value == pytest.approx(8 / 6)
    assert [found.seconds[level].value for level in (10, 50, 80, 100)] == [11.0, 15.0, 18.0, 20.0]
    assert (found.total_seconds.value, found.total_cost_usd.value, found.total_cost_usd.n) == (30.0, 1.0, 1)
    assert (found.cost_usd[50].value, found.cost_usd[50].n) == (1.0, 1)
    assert [found.response_seconds[level].value for level in (10, 50, 100)] == [4.0, 5.0, 6.0]
    assert (found.response_cost_usd[100].value, found.response_cost_usd[100].n) == (0.5, 4)


def test_two_equal_personas_of_each_scenario_count_as_one_task() -> None:
    runs = [
        RunFacts(run, "alice", f"harbour/{run}", "harbour", 1, "resolved" if run < 3 else "unresolved")
        for run in range(8)
    ]
    (alone,), (twice,) = run_figures(runs), run_figures(with_twins(runs))
    assert (twice.scenarios, twice.formal.n) == (8, 16)
    assert ends(twice.formal) == pytest.approx(ends(alone.formal))


def test_runs_without_values_have_reasons() -> None:
    (found,) = run_figures([RunFacts(1, "alice", "harbour/ebb", "harbour", 1, "infrastructure_failed")])
    assert found.formal.reason == "no run has a verdict"
    assert found.tokens_per_second.reason == "no run has generated tokens and a time"
    assert found.cost_usd[80].reason == "the cost of no run is known"
    assert found.response_seconds[80].reason == "no trajectory with a time was counted"
    assert found.response_cost_usd[80].reason == "the cost of no response is known"
