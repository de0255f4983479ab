"""What of a run's record enters the check, and what makes two sets incomparable."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from harness.records import Outcome, UserEnding, UserSummary
from runs.analysis.facts import ToolTotals, ToolUse
from runs.analysis.regression.run_sets import obstacles
from runs.judging.regression_checks.set_members import as_run_sets, by_cell, mean_scores, member_of
from tests.runs.judging.regression_checks.members import WHO, member, member_set, passing, run_summary


def test_a_workflow_task_is_a_scenario_with_a_persona() -> None:
    user = UserSummary("", "toxic", 3, UserEnding.USER_FINISHED)
    use = ToolUse(totals={"read_file": ToolTotals(5, 1, 2.0, unanswered=1)})
    found = member_of(
        run_summary(user=user, environment={"limits": {"iterations": 9, "tokens": None}}),
        use,
        {"pitfalls": 0.5},
        pk=7,
    )
    assert (found.run.scenario, found.run.persona, found.pk) == ("harbour/tide", "toxic", 7)
    assert (found.dataset, found.limits, found.user) == ("ports 1.0", "iterations 9", "scripted user")
    assert found.run.values == {
        "formal": 1.0,
        "cost_usd": 0.25,
        "seconds": 2.0,
        "tokens": 1100.0,
        "pitfalls": 0.5,
    }
    assert found.run.tools == {"read_file": (3, 4)}


def test_another_task_is_a_scenario_of_its_own() -> None:
    found = member_of(run_summary(identity=replace(WHO, task="tide")), None, {})
    assert (found.run.scenario, found.run.persona, found.user, found.run.tools) == (
        "harbour/tide",
        "",
        "",
        {},
    )


def test_invalid_values_of_a_record_are_unknown() -> None:
    found = member_of(
        run_summary(outcome=Outcome.UNRESOLVED, cost_usd=None, act_seconds=math.nan, prompt_tokens=-9999),
        None,
        {},
    )
    assert found.run.values == {"formal": 0.0}


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"digest": "other"}, "dataset versions differ"),
        ({"dataset": "ports 1.1"}, "dataset versions differ"),
        ({"limits": "iterations 5"}, "limits differ"),
        ({"user": "openai/gpt"}, "simulated users differ"),
    ],
)
def test_sets_with_other_conditions_are_not_comparable(changed: dict[str, Any], sentence: str) -> None:
    other = member_set(*(replace(one, **changed) for one in passing(3).members))
    found = list(obstacles(*as_run_sets(passing(3), other)))
    assert len(found) == 1
    assert sentence in found[0]


def test_other_tasks_alone_are_no_obstacle() -> None:
    assert list(obstacles(*as_run_sets(passing(3), passing(4)))) == []


def test_scores_are_averaged_over_judges_and_samples() -> None:
    assert mean_scores([("pitfalls", 1.0), ("pitfalls", 0.0), ("tool_calls", 0.5)]) == {
        "pitfalls": 0.5,
        "tool_calls": 0.5,
    }


def test_members_are_grouped_by_scenario_and_persona() -> None:
    members = member_set(member(1, {}), member(1, {}), member(1, {}, persona="toxic"))
    assert {key: len(found) for key, found in by_cell(members.members).items()} == {
        ("harbour/s1", "default"): 2,
        ("harbour/s1", "toxic"): 1,
    }
