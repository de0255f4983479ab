"""Runs at generated tasks, for tests of their difficulty."""

from __future__ import annotations

from typing import Any

from runs.analysis.facts import RunFacts


def generated(
    agent: str, task: str, marks: str, origin: str = "removed", start: int = 1, **more: Any
) -> list[RunFacts]:
    """Runs of one agent at `repository/task`, one for each mark: `+` resolved, `-` not. `more` are fields of each."""
    return [
        RunFacts(
            number,
            agent,
            task,
            task.partition("/")[0],
            number - start + 1,
            "resolved" if mark == "+" else "unresolved",
            origin=origin,
            **more,
        )
        for number, mark in enumerate(marks, start)
    ]
