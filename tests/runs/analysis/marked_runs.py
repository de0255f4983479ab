"""Runs written as marks: what came of each attempt at a task."""

from __future__ import annotations

from runs.analysis.facts import RunFacts

WORDS = {"+": "resolved", "-": "unresolved", "!": "infrastructure_failed"}


def runs_of(agent: str, **tasks: str) -> list[RunFacts]:
    """For each task one run for each mark: + resolved, - not, ! failed by the infrastructure.

    Alice's runs are numbered from 100, Bob's from 200 and everybody else's from 300, ten to a task.
    """
    base = {"alice": 100, "bob": 200}.get(agent, 300)
    return [
        RunFacts(base + 10 * place + number, agent, task, "harbour", number, WORDS[mark])
        for place, (task, marks) in enumerate(tasks.items())
        for number, mark in enumerate(marks)
    ]
