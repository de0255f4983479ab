"""Reported results from a few words."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from runs.analysis.facts import RESOLVED, UNRESOLVED
from runs.intake.reported.reported_result import (
    PrintedNumber,
    ReportedAgent,
    ReportedResult,
    ReportedSet,
    ResultSource,
)

SOURCE = ResultSource(
    slug="lab-bench",
    title="Lab bench",
    reported_by="The Lab",
    version="a1",
    description="Tasks of the lab.",
    reported_on=date(2026, 1, 31),
    url="https://lab.example/board",
    unknown=("Nobody knows the limits.",),
)


def result(agent: str, task: str, attempt: int = 1, *, won: bool = True, **more: Any) -> ReportedResult:
    """One attempt."""
    values = {"outcome": RESOLVED if won else UNRESOLVED, **more}
    return ReportedResult(agent=agent, task=task, attempt=attempt, **values)


def two_agents(tasks: int = 8) -> list[ReportedResult]:
    """Ada resolves every task, Ben none."""
    return [
        result(agent, f"task-{number}", won=agent == "Ada", repository="lab/one", cost_usd=0.5, iterations=4)
        for agent in ("Ada", "Ben")
        for number in range(tasks)
    ]


def reported(
    results: list[ReportedResult],
    agents: tuple[ReportedAgent, ...] = (),
    printed: tuple[PrintedNumber, ...] = (),
    **source: Any,
) -> ReportedSet:
    """A set of results by the lab."""
    return ReportedSet(replace(SOURCE, **source), results, agents, printed)
