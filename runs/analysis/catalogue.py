"""The numbers of the site by group, as the methods page and docs/methods.md list them."""

from __future__ import annotations

from dataclasses import dataclass

from runs.analysis import features
from runs.analysis.cost import amounts, durations, effort, forecast, pareto, run_figures
from runs.analysis.difficulty import (
    budget_scaling,
    corrupted_functions,
    diagnosis,
    hard_set,
    reading_share,
    recalled_success,
    renamed_twins,
    solved_difficulty,
    submission_curve,
    task_shares,
)
from runs.analysis.difficulty import curves as difficulty_curves
from runs.analysis.difficulty import measures as difficulty_measures
from runs.analysis.difficulty import regressions as difficulty_models
from runs.analysis.exploits import flagged_share, run_exploits
from runs.analysis.failures import groups as failure_groups
from runs.analysis.failures import report as failure_report
from runs.analysis.failures import signs as failure_signs
from runs.analysis.features import patch_sketch
from runs.analysis.iterations import budgets, lengths, strategies, syntax_totals, unusual
from runs.analysis.iterations import shares as iteration_shares
from runs.analysis.judging import (
    common_aspects,
    decoys,
    detection,
    dimension_means,
    judge_agreement,
    judge_drift,
    judge_variance,
    people_agreement,
    position_bias,
    review_quality,
    self_preference,
)
from runs.analysis.method import Method
from runs.analysis.metrics import contrasts, first_correct_edit
from runs.analysis.metrics import core as core_metrics
from runs.analysis.outcomes import (
    best_of_n,
    cell_counts,
    consistency,
    head_to_head,
    interim,
    paired,
    passes,
    printed_claims,
    side_by_side,
    sigma,
    solved,
    standings,
    strengths,
    ties,
)
from runs.analysis.outcomes import table as outcome_table
from runs.analysis.portfolios import advice, cascades, common_tasks, coverage, routing, similarity
from runs.analysis.prediction import early, predicted_selector
from runs.analysis.prediction import outcome_prediction as predicted_outcomes
from runs.analysis.regression import pair_scores, paired_use, paper_flags, run_set_check
from runs.analysis.scores import (
    bradley_terry,
    metric_correlations,
    population_scores,
    quality_index,
    rankings,
    ratings,
    run_metrics,
    scoreboard,
    scoring,
)
from runs.analysis.statistics import (
    bootstrap,
    contingency,
    correlations,
    differences,
    intervals,
    jackknife,
    means,
    quantiles,
    shifts,
    sign_flips,
    summaries,
)
from runs.analysis.tasks import grid, likeness, near_misses, rank_gaps, repositories, stacks, tiers
from runs.analysis.tasks import spreads as task_spreads
from runs.analysis.tools import (
    habits,
    intent_totals,
    preparation,
    profiles,
    telemetry,
    transitions,
    workflow,
)
from runs.analysis.tools import use as tool_use


@dataclass(frozen=True, slots=True)
class MethodGroup:
    """Numbers that belong together."""

    title: str
    methods: tuple[Method, ...]


CATALOGUE = (
    MethodGroup("Pass rates", passes.METHODS),
    MethodGroup(
        "Intervals",
        (
            *intervals.METHODS,
            *differences.METHODS,
            *means.METHODS,
            *jackknife.METHODS,
            *bootstrap.METHODS,
        ),
    ),
    MethodGroup("Outcomes", (*outcome_table.METHODS, *cell_counts.METHODS)),
    MethodGroup(
        "Two agents",
        (
            *paired.METHODS,
            *sign_flips.METHODS,
            *shifts.METHODS,
            *head_to_head.METHODS,
            *side_by_side.METHODS,
            *printed_claims.METHODS,
            *strengths.METHODS,
        ),
    ),
    MethodGroup(
        "Judges",
        (
            *judge_agreement.METHODS,
            *people_agreement.METHODS,
            *detection.METHODS,
            *decoys.METHODS,
            *judge_variance.METHODS,
            *judge_drift.METHODS,
            *position_bias.METHODS,
            *self_preference.METHODS,
            *review_quality.METHODS,
            *dimension_means.METHODS,
            *common_aspects.METHODS,
        ),
    ),
    MethodGroup(
        "Regressions",
        (*run_set_check.METHODS, *pair_scores.METHODS, *paired_use.METHODS, *paper_flags.METHODS),
    ),
    MethodGroup("Groups", ties.METHODS),
    MethodGroup("The leaderboard", standings.METHODS),
    MethodGroup("Consistency", (*consistency.METHODS, *sigma.METHODS)),
    MethodGroup(
        "Choosing among attempts", (*best_of_n.METHODS, *patch_sketch.METHODS, *predicted_selector.METHODS)
    ),
    MethodGroup("Progress", (*forecast.METHODS, *interim.METHODS)),
    MethodGroup(
        "Iterations",
        (
            *iteration_shares.METHODS,
            *syntax_totals.METHODS,
            *lengths.METHODS,
            *summaries.METHODS,
            *strategies.METHODS,
            *unusual.METHODS,
            *budgets.METHODS,
        ),
    ),
    MethodGroup(
        "Tools",
        (
            *tool_use.METHODS,
            *telemetry.METHODS,
            *profiles.METHODS,
            *habits.METHODS,
            *preparation.METHODS,
            *intent_totals.METHODS,
        ),
    ),
    MethodGroup("Sequences of calls", (*transitions.METHODS, *workflow.METHODS)),
    MethodGroup("Similarity", (*solved.METHODS, *similarity.METHODS, *coverage.METHODS)),
    MethodGroup(
        "Tasks",
        (
            *grid.METHODS,
            *likeness.METHODS,
            *repositories.METHODS,
            *task_spreads.METHODS,
            *rank_gaps.METHODS,
            *tiers.METHODS,
            *near_misses.METHODS,
            *stacks.METHODS,
        ),
    ),
    MethodGroup(
        "Cascades and routing", (*common_tasks.METHODS, *cascades.METHODS, *advice.METHODS, *routing.METHODS)
    ),
    MethodGroup(
        "Cost and effort",
        (
            *effort.METHODS,
            *amounts.METHODS,
            *quantiles.METHODS,
            *durations.METHODS,
            *pareto.METHODS,
            *run_figures.METHODS,
        ),
    ),
    MethodGroup(
        "Scores", (*run_metrics.METHODS, *scoring.METHODS, *population_scores.METHODS, *scoreboard.METHODS)
    ),
    MethodGroup(
        "Quality and correlations",
        (*quality_index.METHODS, *correlations.METHODS, *metric_correlations.METHODS),
    ),
    MethodGroup(
        "Failure modes",
        (*failure_signs.METHODS, *failure_report.METHODS, *failure_groups.METHODS, *contingency.METHODS),
    ),
    MethodGroup("Exploits", (*run_exploits.METHODS, *flagged_share.METHODS)),
    MethodGroup("Ratings", (*ratings.METHODS, *bradley_terry.METHODS)),
    MethodGroup("Other leaderboards", rankings.METHODS),
    MethodGroup(
        "Behaviour",
        (*features.METHODS, *core_metrics.METHODS, *contrasts.METHODS, *first_correct_edit.METHODS),
    ),
    MethodGroup(
        "Difficulty",
        (
            *difficulty_measures.METHODS,
            *difficulty_curves.METHODS,
            *difficulty_models.METHODS,
        ),
    ),
    MethodGroup(
        "Generated tasks",
        (
            *task_shares.METHODS,
            *corrupted_functions.METHODS,
            *hard_set.METHODS,
            *diagnosis.METHODS,
            *submission_curve.METHODS,
            *budget_scaling.METHODS,
            *solved_difficulty.METHODS,
            *reading_share.METHODS,
            *recalled_success.METHODS,
            *renamed_twins.METHODS,
        ),
    ),
    MethodGroup("Prediction", (*predicted_outcomes.METHODS, *early.METHODS)),
)
