"""Every result that a report tells, by name and with its type: the one place that knows where each of them lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runs.analysis.cost.durations import Durations
from runs.analysis.cost.effort import EffortReport as Spending
from runs.analysis.cost.pareto import Front, Fronts
from runs.analysis.difficulty.curves import SUCCESS, SuccessCurve
from runs.analysis.difficulty.regressions import SuccessModels
from runs.analysis.estimate import Estimate, Exclusion, Interval
from runs.analysis.everything import Options, everything
from runs.analysis.facts import RunFacts, Shortage
from runs.analysis.failures.report import FailureReport
from runs.analysis.iterations.lengths import Curves, Distribution, LengthOutcomes
from runs.analysis.iterations.shares import IterationMixes as Shares
from runs.analysis.iterations.strategies import Strategies
from runs.analysis.metrics.contrasts import Contrasts
from runs.analysis.metrics.core import CoreMetrics
from runs.analysis.metrics.first_correct_edit import EditBins
from runs.analysis.outcomes.consistency import ConsistencyTable
from runs.analysis.outcomes.head_to_head import HeadsToHeads, HeadToHead
from runs.analysis.outcomes.table import Outcomes
from runs.analysis.portfolios.cascades import Cascades, Plan
from runs.analysis.portfolios.coverage import Portfolios
from runs.analysis.portfolios.routing import Routing
from runs.analysis.portfolios.similarity import Similarity
from runs.analysis.prediction.classifiers import MODELS, TITLES
from runs.analysis.prediction.outcome_prediction import Prediction, predict_outcome
from runs.analysis.scores.bradley_terry import BradleyTerry
from runs.analysis.scores.ratings import Elo
from runs.analysis.scores.scoreboard import Scoreboard
from runs.analysis.statistics.correlations import CorrelationMatrix
from runs.analysis.tasks.near_misses import NearMisses, near_misses
from runs.analysis.tasks.spreads import TaskSpreads
from runs.analysis.tasks.stacks import BucketRate, StackTable
from runs.analysis.tasks.tiers import Tiers
from runs.analysis.tools.habits import AllHabits
from runs.analysis.tools.preparation import Preparation
from runs.analysis.tools.telemetry import Telemetry
from runs.analysis.tools.transitions import Sequences
from runs.analysis.tools.workflow import Workflow

__all__ = [
    "SUCCESS",
    "BucketRate",
    "ByGroup",
    "Estimate",
    "Exclusion",
    "Found",
    "Front",
    "HeadToHead",
    "Interval",
    "Options",
    "Plan",
    "Prediction",
    "Routing",
    "RunFacts",
    "StackTable",
    "SuccessCurve",
    "SuccessModels",
    "classifier_title",
    "found_in",
    "near_pairs",
    "predicted",
    "results_of",
]

ByGroup = Mapping[str, Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Found:
    """What `everything` makes of the runs, one field for each result that a section tells or a plot draws."""

    outcomes: Outcomes[str, str]
    head_to_head: HeadsToHeads
    effort: Spending
    durations: Durations
    cascades: Cascades
    fronts: Fronts
    fronts_with_pairs: Fronts
    consistency: ConsistencyTable
    similarity: Similarity
    portfolios: Portfolios
    routing: Routing
    routing_by_language: Routing
    shares: Shares
    distribution: Distribution
    success_by_length: LengthOutcomes
    cumulative_success: Curves
    strategies: Strategies
    telemetry: Telemetry
    habits: AllHabits
    preparation: Preparation
    bigrams: Sequences
    workflow: Workflow
    failures: FailureReport
    spreads: TaskSpreads
    tiers: Tiers
    near_misses: NearMisses
    stacks: StackTable
    languages: StackTable
    shortages: tuple[Shortage, ...]
    core_metrics: CoreMetrics
    resolved_against_failed: Contrasts
    first_correct_edit: EditBins
    scores: Scoreboard
    elo: Elo
    bradley_terry: BradleyTerry
    # Only where the tasks' reference patches could be read.
    success_curves: tuple[SuccessCurve, ...] | None
    success_models: tuple[SuccessModels, ...] | None
    difficulty_correlations: CorrelationMatrix | None


_OPTIONAL = ("success_curves", "success_models", "difficulty_correlations")


def results_of(runs: Sequence[RunFacts], options: Options) -> ByGroup:
    """All results, by group and name."""
    return everything(runs, options)


def found_in(results: ByGroup) -> Found:
    """The same, typed. KeyError where a result has another name here than there."""
    by_name: dict[str, Any] = {name: result for group in results.values() for name, result in group.items()}
    missing: dict[str, Any] = dict.fromkeys(_OPTIONAL)
    return Found(**{name: (missing | by_name)[name] for name in Found.__dataclass_fields__})


def near_pairs(runs: Sequence[RunFacts]) -> frozenset[tuple[str, str]]:
    """The pairs of agent and task that are near misses."""
    return frozenset((miss.agent, miss.task) for miss in near_misses(runs, {}).misses)


def predicted(runs: Sequence[RunFacts], seed: int) -> dict[str, Prediction]:
    """What each classifier makes of the runs, by its name."""
    return {model: predict_outcome(runs, model=model, seed=seed) for model in MODELS}


def classifier_title(name: str) -> str:
    """What a classifier is called."""
    return TITLES[name]
