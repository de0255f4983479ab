"""All results that pages and reports show, by group: the one list of what there is to compute from runs.

Prediction is left out: it takes seconds, and is asked for by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from runs.analysis.bradley_terry import bradley_terry
from runs.analysis.cascades import cascades
from runs.analysis.consistency import consistency
from runs.analysis.contrasts import resolved_against_failed
from runs.analysis.core_metrics import core_metrics
from runs.analysis.correlations import SPEARMAN, metric_correlations
from runs.analysis.cost import efforts as spent
from runs.analysis.durations import durations
from runs.analysis.facts import RunFacts, shortages
from runs.analysis.failure_report import failure_report
from runs.analysis.first_correct_edit import first_correct_edit_bins
from runs.analysis.habits import habits
from runs.analysis.iterations import efforts
from runs.analysis.lengths import cumulative_first_edit, cumulative_success, distribution, success_by_length
from runs.analysis.near_misses import near_misses
from runs.analysis.pareto import fronts
from runs.analysis.portfolios import portfolios
from runs.analysis.preparation import preparation
from runs.analysis.ratings import elo
from runs.analysis.routing import language_of, routing
from runs.analysis.scoreboard import scoreboard, task_scores
from runs.analysis.similarity import similarity
from runs.analysis.solved import solved_within
from runs.analysis.stacks import languages_of, stack_table
from runs.analysis.strategies import strategies
from runs.analysis.tasks import task_spreads
from runs.analysis.telemetry import telemetry
from runs.analysis.tiers import tiers, tiers_by_rate
from runs.analysis.transitions import common_sequences, transitions
from runs.analysis.workflow import workflow

Results = Mapping[str, object]


def _cost(runs: Sequence[RunFacts]) -> Results:
    plans = cascades(runs)
    return {
        "effort": spent(runs),
        "durations": durations(runs),
        "cascades": plans,
        "fronts": fronts(plans.singles),
        "fronts_with_pairs": fronts(plans.plans),
    }


def _consistency(runs: Sequence[RunFacts]) -> Results:
    return {"consistency": consistency(runs)}


def _similarity(runs: Sequence[RunFacts]) -> Results:
    solved = solved_within(runs)
    return {
        "similarity": similarity(solved),
        "portfolios": portfolios(solved),
        "routing": routing(runs),
        "routing_by_language": routing(runs, language_of),
    }


def _iterations(runs: Sequence[RunFacts]) -> Results:
    return {
        "shares": efforts(runs),
        "distribution": distribution(runs),
        "success_by_length": success_by_length(runs),
        "cumulative_success": cumulative_success(runs),
        "cumulative_first_edit": cumulative_first_edit(runs),
        "strategies": strategies(runs),
    }


def _tools(runs: Sequence[RunFacts]) -> Results:
    return {
        "telemetry": telemetry(runs),
        "habits": habits(runs),
        "preparation": preparation(runs),
        "transitions": transitions(runs),
        "transitions_by_kind": transitions(runs, by="kind"),
        "bigrams": common_sequences(runs, length=2),
        "trigrams": common_sequences(runs, length=3),
        "workflow": workflow(runs),
    }


def _failures(runs: Sequence[RunFacts]) -> Results:
    return {"failures": failure_report(runs)}


def _tasks(runs: Sequence[RunFacts]) -> Results:
    spreads = task_spreads(runs)
    return {
        "spreads": spreads,
        "tiers": tiers(solved_within(runs)),
        "tiers_by_rate": tiers_by_rate(spreads.tasks),
        "near_misses": near_misses(runs, {}),
        "stacks": stack_table(runs),
        "languages": stack_table(runs, languages_of),
        "shortages": shortages(runs),
    }


def _behaviour(runs: Sequence[RunFacts]) -> Results:
    return {
        "core_metrics": core_metrics(runs),
        "resolved_against_failed": resolved_against_failed(runs),
        "first_correct_edit": first_correct_edit_bins(runs),
    }


def _scores(runs: Sequence[RunFacts]) -> Results:
    by_task = task_scores(runs).scores
    return {
        "scores": scoreboard(runs),
        "elo": elo(by_task),
        "bradley_terry": bradley_terry(by_task),
        "correlations": metric_correlations(runs),
        "rank_correlations": metric_correlations(runs, SPEARMAN),
        "relative_correlations": metric_correlations(runs, relative=True),
    }


GROUPS: Mapping[str, Callable[[Sequence[RunFacts]], Results]] = {
    "cost": _cost,
    "consistency": _consistency,
    "similarity": _similarity,
    "iterations": _iterations,
    "tools": _tools,
    "failures": _failures,
    "tasks": _tasks,
    "behaviour": _behaviour,
    "scores": _scores,
}


def everything(runs: Sequence[RunFacts]) -> dict[str, Results]:
    """All groups, each with its results by name; nothing but the runs decides what comes out."""
    return {name: group(runs) for name, group in GROUPS.items()}
