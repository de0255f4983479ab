"""Checks with findings, for tests of pages."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from runs.models import Evaluation, RegressionCheck, RegressionFinding, Run, Schedule
from tasks.models import Task
from tests.runs.judging.regression_checks.nights import FIRST


def add_regression(
    tasks: list[Task],
    candidate: Evaluation,
    runs: tuple[Run, Run],
    *,
    title: str = "Night watch",
    **more: Any,
) -> RegressionCheck:
    """A regression of formal verification. `runs`: a run of the candidate, and one of the anchor."""
    after, before = runs
    schedule = Schedule.objects.create(title=title, agent=after.agent)
    schedule.tasks.set(tasks)
    values = {
        "state": RegressionCheck.State.FINISHED,
        "verdict": RegressionCheck.Verdict.REGRESSION,
        "reason": "Became worse: Formal verification.",
        "result": {
            "obstacles": [],
            "tested": 5,
            "scenarios_needed": 7,
            "unpaired": ["harbour/tide-9 default"],
            "drift": [
                {
                    "dimension": "pitfalls",
                    "change": -0.5,
                    "same": 0.25,
                    "scenarios": 8,
                    "p": 0.01,
                    "movement": "moved",
                }
            ],
            "paper": [
                {
                    "title": "Price, US$",
                    "anchor": 1.0,
                    "candidate": 1.3,
                    "p": 0.4,
                    "warning": True,
                    "alert": False,
                }
            ],
        },
        "finished_at": timezone.now(),
        **more,
    }
    check = RegressionCheck.objects.create(
        schedule=schedule, due_at=FIRST, candidate=candidate, anchor=before.evaluation, **values
    )
    usual: dict[str, Any] = {"check_of": check, "scenarios": 8, "pairs": 16, "missing": 0}
    RegressionFinding.objects.create(
        **{**usual, "place": 1, "quantity": "formal", "title": "Formal verification", "scale": "share"},
        **{"outcome": "worse", "anchor_value": 1.0, "candidate_value": 0.75, "effect": -0.25},
        **{"low": -0.4, "high": -0.1, "p_worse": 0.004, "p_better": 1.0},
        evidence=[{"run": after.pk, "value": 0.0, "anchor_run": before.pk, "anchor_value": 1.0}],
    )
    RegressionFinding.objects.create(
        **{**usual, "place": 2, "quantity": "pitfalls", "title": "Pitfalls", "scale": "share"},
        **{"outcome": "judge moved", "drift": "moved", "reason": "its judges score fixed trajectories −0.50"},
    )
    RegressionFinding.objects.create(
        **{**usual, "place": 3, "quantity": "cost_usd", "title": "Cost", "scale": "amount"},
        **{
            "outcome": "better",
            "anchor_value": 1.5,
            "candidate_value": 1.2,
            "effect": 0.8,
            "low": 0.7,
            "high": 0.9,
        },
    )
    RegressionFinding.objects.create(
        **{**usual, "place": 4, "quantity": "tool read_file", "title": "read_file", "scale": "share"},
        **{"outcome": "no difference shown", "causes_alarm": False},
    )
    return check
