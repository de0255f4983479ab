"""Runs with the metrics that a test names."""

from __future__ import annotations

from typing import Any

from runs.analysis.facts import Behaviour, RunFacts


def run(number: int, task: str = "tide", resolved: bool = True, **more: Any) -> RunFacts:
    names = [
        name
        for name in more
        if name not in {"agent", "iterations", "seconds", "similarity", "attempt", "faults"}
    ]
    features = {"optimal_length": 3.0} | {name: more.pop(name) for name in names}
    labels = "e" * more.get("iterations", 0)
    behaviour = Behaviour(labels, features=features, faults=more.pop("faults", ()))
    values = {"agent": "alice", "repository": "harbour", "attempt": 1, "behaviour": behaviour, **more}
    return RunFacts(run=number, task=task, outcome="resolved" if resolved else "unresolved", **values)
