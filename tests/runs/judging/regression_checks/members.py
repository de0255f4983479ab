"""Runs and sets of runs for tests of the comparison, without a database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from harness.limits import Ending
from harness.records import Identity, Outcome, RunSummary
from runs.analysis.regression.paper_flags import ToolSuccess
from runs.analysis.regression.run_sets import ScenarioRun
from runs.judging.regression_checks.set_members import MemberSet, SetMember

WHO = Identity(
    *("night/alice/1", "night", "ports", "1.0", "harbour", "tide.toxic", "d" * 64, "alice", "Alice", "ide"), 1
)


def run_summary(**changes: Any) -> RunSummary:
    """A resolved run."""
    values: dict[str, Any] = {
        "identity": WHO,
        "outcome": Outcome.RESOLVED,
        "ending": Ending.COMPLETED,
        "detail": "",
        "started_at": "2026-03-01T10:00:00Z",
        "finished_at": "2026-03-01T10:01:00Z",
        "act_seconds": 2.0,
        "prompt_tokens": 1000,
        "completion_tokens": 100,
        "cost_usd": 0.25,
    }
    counts = {
        field.name: 0
        for field in fields(RunSummary)
        if field.default is MISSING and field.default_factory is MISSING
    }
    return RunSummary(**{**counts, **values, **changes})


def member(
    scenario: int,
    values: Mapping[str, float | None],
    *,
    persona: str = "default",
    tools: Mapping[str, ToolSuccess] | None = None,
    **more: Any,
) -> SetMember:
    """One run of a scenario."""
    fields = {
        "key": f"night/alice/harbour/s{scenario}.{persona}/1",
        "pk": scenario,
        "task": f"harbour/s{scenario}.{persona}",
        "digest": "d",
        "dataset": "ports 1.0",
        "limits": "iterations 100",
        "user": "scripted user",
        "ending": "completed",
        "completion_tokens": 100,
        "run": ScenarioRun(f"harbour/s{scenario}", persona, values, tools or {}),
    }
    return SetMember(**{**fields, **more})


def member_set(*members: SetMember, **more: Any) -> MemberSet:
    """A set with these runs."""
    return MemberSet(**{"name": "Night", "members": members, "agents": frozenset({"alice"}), **more})


def passing(count: int, resolved: float = 1.0, **more: Any) -> MemberSet:
    """So many scenarios, all with this outcome; `more` is of each run."""
    return member_set(*(member(number, {"formal": resolved}, **more) for number in range(count)))
