"""Our check for regressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from runs.analysis.judging.judge_drift import RejudgedRun, judge_drift
from runs.analysis.regression.paper_flags import ToolSuccess
from runs.analysis.regression.run_set_check import QuantityCheck, RunSetCheck, check_run_sets
from runs.analysis.regression.run_sets import RunSet, ScenarioRun

SCENARIOS = 16
FULL: Mapping[str, float] = {
    "formal": 1.0,
    "end_result": 1.0,
    "instruction_compliance": 1.0,
    "pitfalls": 1.0,
    "pleasantness": 1.0,
    "tool_calls": 1.0,
    "cost_usd": 1.0,
    "seconds": 60.0,
    "tokens": 5000.0,
}


def run_set(
    changed: Callable[[int], Mapping[str, float | None]] = lambda scenario: {},
    scenarios: int = SCENARIOS,
    tools: Mapping[str, ToolSuccess] | None = None,
) -> RunSet:
    """Sixteen scenarios with two personas, all perfect but for what is `changed` of a scenario."""
    return RunSet(
        "nightly",
        "workflows 1",
        "standard",
        "scripted",
        "panel 1",
        tuple(
            ScenarioRun(
                f"scenario-{scenario:02}",
                persona,
                {**FULL, **changed(scenario)},
                tools or {"read_file": ToolSuccess(9, 10), "edit_file": ToolSuccess(5, 5)},
            )
            for scenario in range(scenarios)
            for persona in ("default", "toxic")
        ),
    )


def outcomes(check: RunSetCheck) -> dict[str, str]:
    """The outcomes that are a difference or no comparison."""
    return {one.quantity.name: one.outcome for one in check.checks if one.outcome != "no difference shown"}


def of(check: RunSetCheck, name: str) -> QuantityCheck:
    """One quantity of a check."""
    return next(one for one in (*check.checks, *check.tools) if one.quantity.name == name)


def test_two_equal_sets_have_no_difference() -> None:
    check = check_run_sets(run_set(), run_set())
    assert outcomes(check) == {}
    assert (check.obstacles, check.alarms, check.unpaired) == ((), (), ())
    # 11 · 2⁻⁸ = 0.043
    assert (check.family, check.scenarios_needed) == (11, 8)
    assert of(check, "formal").p_worse.value == 1


def test_a_quantity_that_declined_alarms_with_effect_interval_and_corrected_p() -> None:
    check = check_run_sets(run_set(), run_set(lambda scenario: {"formal": float(scenario >= 10)}))
    formal = of(check, "formal")
    assert check.alarms == (formal,)
    assert (formal.anchor.value, formal.candidate.value, formal.effect.value) == (1, 6 / 16, -10 / 16)
    # Ten scenarios agree: 2⁻¹⁰, times eleven quantities.
    assert formal.p_worse.value == pytest.approx(11 / 2**10)
    assert (formal.effect.n, formal.pairs, formal.missing) == (16, 32, 0)
    # s = √(10 · 6 ÷ 16 ÷ 15) = 0.5; 2.131 · 0.5 ÷ 4
    assert formal.effect.interval is not None
    assert formal.effect.interval.high == pytest.approx(-0.3586, abs=1e-4)


def test_scenarios_count_not_runs() -> None:
    """Six scenarios with two personas are twelve runs, and six observations: 2⁻⁶ · 11 is above 0.05."""
    check = check_run_sets(run_set(), run_set(lambda scenario: {"formal": float(scenario >= 6)}))
    assert outcomes(check) == {}
    assert of(check, "formal").p_worse.value == pytest.approx(11 / 64)


def test_an_improvement_is_reported_without_an_alarm() -> None:
    poor = run_set(lambda scenario: {"formal": 0.0, "cost_usd": 2.0})
    check = check_run_sets(poor, run_set())
    assert outcomes(check) == {"formal": "better", "cost_usd": "better"}
    assert check.alarms == ()


def test_an_amount_is_compared_by_ratio_and_more_of_it_is_worse() -> None:
    check = check_run_sets(run_set(), run_set(lambda scenario: {"seconds": 90.0 if scenario % 2 else 120.0}))
    seconds = of(check, "seconds")
    assert [one.quantity.name for one in check.alarms] == ["seconds"]
    # √(1.5 · 2)
    assert seconds.effect.value == pytest.approx(3**0.5)
    assert seconds.anchor.value == pytest.approx(60)
    assert seconds.candidate.value == pytest.approx(60 * 3**0.5)


def test_pairs_without_a_value_are_left_out_and_counted() -> None:
    missing = run_set(lambda scenario: {"pitfalls": None, "cost_usd": 0.0} if scenario < 9 else {})
    check = check_run_sets(run_set(), missing)
    pitfalls = of(check, "pitfalls")
    assert (pitfalls.outcome, pitfalls.pairs, pitfalls.missing) == ("not comparable", 14, 18)
    assert pitfalls.reason == "7 scenarios have values in both sets, and 8 are needed"
    assert of(check, "cost_usd").missing == 18
    assert check.family == 9


def test_a_judge_that_moved_is_no_regression_of_the_agent() -> None:
    stricter = run_set(lambda scenario: {"pitfalls": 0.5, "end_result": 0.5})
    fixed = [RejudgedRun("panel 1", "pitfalls", str(n), f"fixed-{n}", 1.0, 0.5) for n in range(8)]
    (drift,) = judge_drift(fixed)
    check = check_run_sets(run_set(), stricter, {"pitfalls": drift})
    assert outcomes(check) == {"pitfalls": "judge moved", "end_result": "worse"}
    assert of(check, "pitfalls").reason == "its judges score fixed trajectories -0.50 from what they did"
    assert (of(check, "pitfalls").drift, of(check, "end_result").drift) == ("moved", None)
    assert check.family == 10
    steady = replace(drift, movement="steady")
    assert outcomes(check_run_sets(run_set(), stricter, {"pitfalls": steady}))["pitfalls"] == "worse"


def test_another_panel_leaves_what_needs_no_judge() -> None:
    worse = replace(run_set(lambda scenario: {"formal": 0.0, "pitfalls": 0.0}), panel="panel 2")
    check = check_run_sets(run_set(), worse)
    assert [one.quantity.name for one in check.alarms] == ["formal"]
    assert of(check, "pitfalls").reason == "the panels of judges differ: panel 1 and panel 2"
    assert check.family == 6


def test_sets_under_other_conditions_are_not_compared() -> None:
    check = check_run_sets(run_set(), replace(run_set(), dataset="workflows 2", limits="longer"))
    assert check.obstacles == (
        "the dataset versions differ: workflows 1 and workflows 2",
        "the limits differ: standard and longer",
    )
    assert (check.checks, check.tools, check.alarms) == ((), (), ())


def test_too_few_scenarios_are_not_compared() -> None:
    check = check_run_sets(run_set(scenarios=7), run_set(lambda scenario: {"formal": 0.0}, scenarios=8))
    assert set(outcomes(check).values()) == {"not comparable"}
    assert check.unpaired == (("scenario-07", "default"), ("scenario-07", "toxic"))


def test_a_tool_that_fails_is_listed_and_its_calls_alarm_together() -> None:
    broken = {"read_file": ToolSuccess(9, 10), "edit_file": ToolSuccess(0, 4), "invented": ToolSuccess(0, 1)}
    check = check_run_sets(run_set(), run_set(tools=broken))
    assert [one.quantity.name for one in check.alarms] == ["tool_success"]
    assert {one.quantity.title: one.outcome for one in check.tools} == {
        "edit_file": "worse",
        "read_file": "no difference shown",
    }
    assert of(check, "tool edit_file").effect.value == -1


def test_runs_of_one_pair_are_averaged() -> None:
    again = run_set(lambda scenario: {"formal": 0.0})
    both = replace(run_set(), runs=(*run_set().runs, *again.runs))
    assert of(check_run_sets(both, run_set()), "formal").anchor.value == 0.5
