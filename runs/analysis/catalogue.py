"""Every number of the site, by group: what the methods page and docs/methods.md list."""

from __future__ import annotations

from dataclasses import dataclass

from runs.analysis import (
    amounts,
    bootstrap,
    bradley_terry,
    cascades,
    comparison,
    consistency,
    contingency,
    contrasts,
    core_metrics,
    correlations,
    cost,
    difficulty,
    difficulty_models,
    difficulty_shift,
    durations,
    failure_report,
    failures,
    features,
    first_correct_edit,
    ground,
    habits,
    intervals,
    iterations,
    lengths,
    near_misses,
    outcomes,
    paired,
    pareto,
    passes,
    population_scores,
    portfolios,
    prediction,
    preparation,
    progress,
    quality_index,
    quantiles,
    rankings,
    ratings,
    routing,
    run_metrics,
    scoreboard,
    scoring,
    similarity,
    solved,
    stacks,
    standings,
    strategies,
    summaries,
    tasks,
    telemetry,
    tiers,
    ties,
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
    Group("Pass rates", passes.METHODS),
    Group("Intervals", (*intervals.METHODS, *bootstrap.METHODS)),
    Group("Outcomes", outcomes.METHODS),
    Group("Two agents", (*paired.METHODS, *comparison.METHODS)),
    Group("Groups", ties.METHODS),
    Group("The leaderboard", standings.METHODS),
    Group("Consistency", consistency.METHODS),
    Group("Progress", progress.METHODS),
    Group("Iterations", (*iterations.METHODS, *lengths.METHODS, *summaries.METHODS, *strategies.METHODS)),
    Group("Tools", (*tools.METHODS, *telemetry.METHODS, *habits.METHODS, *preparation.METHODS)),
    Group("Rows of calls", (*transitions.METHODS, *workflow.METHODS)),
    Group("Similarity", (*solved.METHODS, *similarity.METHODS, *portfolios.METHODS)),
    Group("Tasks", (*tasks.METHODS, *tiers.METHODS, *near_misses.METHODS, *stacks.METHODS)),
    Group("Two agents, or the right one", (*ground.METHODS, *cascades.METHODS, *routing.METHODS)),
    Group(
        "Cost and effort",
        (*cost.METHODS, *amounts.METHODS, *quantiles.METHODS, *durations.METHODS, *pareto.METHODS),
    ),
    Group(
        "Scores", (*run_metrics.METHODS, *scoring.METHODS, *population_scores.METHODS, *scoreboard.METHODS)
    ),
    Group("Quality and correlations", (*quality_index.METHODS, *correlations.METHODS)),
    Group("Failure modes", (*failures.METHODS, *failure_report.METHODS, *contingency.METHODS)),
    Group("Ratings", (*ratings.METHODS, *bradley_terry.METHODS)),
    Group("Other leaderboards", rankings.METHODS),
    Group(
        "Behaviour",
        (*features.METHODS, *core_metrics.METHODS, *contrasts.METHODS, *first_correct_edit.METHODS),
    ),
    Group("Difficulty", (*difficulty.METHODS, *difficulty_models.METHODS, *difficulty_shift.METHODS)),
    Group("Prediction", prediction.METHODS),
)
