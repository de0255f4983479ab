"""Every number of the site, by group: what the methods page and docs/methods.md list."""

from __future__ import annotations

from dataclasses import dataclass

from runs.analysis import (
    cost,
    durations,
    intervals,
    iterations,
    lengths,
    outcomes,
    pareto,
    population_scores,
    progress,
    quantiles,
    run_metrics,
    scoreboard,
    scoring,
    standings,
    summaries,
    tools,
    transitions,
    workflow,
)
from runs.analysis.method import Method


@dataclass(frozen=True, slots=True)
class Group:
    """Numbers that belong together."""

    title: str
    methods: tuple[Method, ...]


CATALOGUE = (
    Group("Outcomes", outcomes.METHODS),
    Group("Intervals", intervals.METHODS),
    Group("The leaderboard", standings.METHODS),
    Group("Progress", progress.METHODS),
    Group("Iterations", (*iterations.METHODS, *lengths.METHODS, *summaries.METHODS)),
    Group("Tools", (*tools.METHODS, *transitions.METHODS, *workflow.METHODS)),
    Group("Cost and effort", (*cost.METHODS, *quantiles.METHODS, *durations.METHODS, *pareto.METHODS)),
    Group(
        "Scores", (*run_metrics.METHODS, *scoring.METHODS, *population_scores.METHODS, *scoreboard.METHODS)
    ),
)
