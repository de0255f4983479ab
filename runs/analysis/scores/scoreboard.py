"""Scores of many runs: by agent, by outcome, and by task for ratings."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts, scenarios_of
from runs.analysis.method import Section, method
from runs.analysis.scores.population_scores import pareto_scores, percentile_scores, topsis_scores
from runs.analysis.scores.run_metrics import METRICS, MeasuredRuns
from runs.analysis.scores.scoring import (
    WEIGHTS,
    geometric_scores,
    hierarchical_scores,
    vector_of,
    weighted_product_scores,
    weighted_scores,
)
from runs.analysis.statistics.summaries import mean_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

WAYS = ("weighted", "geometric", "weighted_product", "hierarchical", "percentile", "topsis", "pareto")
RESOLVED, ENDED, STOPPED = "resolved", "unresolved, ended by the agent", "unresolved, stopped from outside"
_NONE = "no run has this score"


@dataclass(frozen=True, slots=True)
class Spread:
    """The distribution of scores of some runs. `deviation` divides by n − 1; `resolved_mean` is over resolved runs."""

    mean: Estimate
    lowest: Estimate
    highest: Estimate
    range: Estimate
    deviation: Estimate
    resolved_mean: Estimate


@dataclass(frozen=True, slots=True)
class AgentScores:
    """One agent: its n runs, those that lack a metric, and its scores for each of WAYS."""

    agent: str
    n: int
    incomplete: int
    ways: Mapping[str, Spread]


@dataclass(frozen=True, slots=True)
class OutcomeScores:
    """Runs with the same outcome: RESOLVED, ENDED or STOPPED."""

    outcome: str
    n: int
    ways: Mapping[str, Spread]


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """The scores of all runs for each of WAYS.

    `agents` are sorted by name. `missing`: for each metric, how many runs lack it; `incomplete`: how many lack any.
    `strict`: whether incomplete runs were excluded from all scores instead of being scored by the metrics they have.
    """

    agents: tuple[AgentScores, ...]
    outcomes: tuple[OutcomeScores, ...]
    overall: Mapping[str, Spread]
    n: int
    missing: Mapping[str, int]
    incomplete: int
    strict: bool
    excluded: tuple[Exclusion, ...]


@dataclass(frozen=True, slots=True)
class TaskScores:
    """Agent → task → mean score of its attempts. `n` counts the runs used, `scenarios` has that of each task."""

    scores: Mapping[str, Mapping[str, float]]
    scenarios: Mapping[str, str]
    n: int
    excluded: tuple[Exclusion, ...]


@method("scores", "Scores by agent and outcome", Section.SCORES, 9)
def scoreboard(measured: MeasuredRuns, *, strict: bool = False) -> Scoreboard:
    """Scores every run with seven methods, summarised by agent and by outcome.

    Runs without a complete, counted trajectory are excluded and listed; runs with an invalid metric are listed, and
    scored without it. `strict` excludes runs that lack a metric; otherwise they are scored by the metrics they have,
    except for the Pareto rank.

    Formula: mean, lowest, highest, highest − lowest and standard deviation (n − 1) over runs; percentile, TOPSIS and
    Pareto rank are relative to all usable runs given here. Every attempt is one run, so tasks with more attempts
    have more weight.

    Source: Coding Agent Evaluation Framework, Tables 5, 12, 14 and 15. Its third outcome, not submitted, means here
    that the agent did not end by itself. The paper's numbers are inconsistent: the three means of Table 15, weighted by
    their counts, and the means of Table 12 give 0.409 and 0.439 for all runs, but 0.369 is printed.

    Units: scores from 0 to 1.

    Small n: without a run all are undefined; one run has no standard deviation; without a resolved run
    `resolved_mean` is undefined.
    """
    runs = measured.runs
    lacking = np.isnan(measured.matrix)
    incomplete: NDArray[np.bool_] = np.isnan(measured.matrix.sum(axis=1))
    columns = _columns(measured.matrix)
    if strict:
        columns = {way: np.where(incomplete, np.nan, values) for way, values in columns.items()}
    resolved = np.array([run.resolved for run in runs], dtype=bool)

    def spreads(rows: Sequence[int] | range) -> Mapping[str, Spread]:
        chosen = np.array(rows, dtype=np.intp)
        return MappingProxyType(
            {way: _spread(values[chosen], resolved[chosen]) for way, values in columns.items()}
        )

    agents = _rows_by(run.agent for run in runs)
    outcomes = _rows_by(_outcome(run) for run in runs)
    return Scoreboard(
        agents=tuple(
            AgentScores(agent, len(rows), int(incomplete[rows].sum()), spreads(rows))
            for agent, rows in sorted(agents.items())
        ),
        outcomes=tuple(
            OutcomeScores(outcome, len(outcomes.get(outcome, ())), spreads(outcomes.get(outcome, ())))
            for outcome in (RESOLVED, ENDED, STOPPED)
        ),
        overall=spreads(range(len(runs))),
        n=len(runs),
        missing=MappingProxyType(dict(zip(METRICS, map(int, lacking.sum(axis=0)), strict=True))),
        incomplete=int(incomplete.sum()),
        strict=strict,
        excluded=measured.excluded,
    )


@method("task-scores", "Scores by task", Section.SCORES, 10)
def task_scores(measured: MeasuredRuns, way: str = "hierarchical") -> TaskScores:
    """The score of each agent on each task: the mean over its attempts. ValueError for an unknown method.

    Formula: mean over attempts of the score, one of WAYS; runs that lack a metric are scored by those they have.

    Source: Coding Agent Evaluation Framework, appendix D.3, which has one attempt per task and the hierarchical
    score; the mean over attempts is ours. The paper's published code rates by "resolved" instead.

    Units: scores from 0 to 1.

    Small n: a task without a usable attempt is omitted; one attempt is its own mean.
    """
    if way not in WAYS:
        raise ValueError(f"no such score: {way}; expected one of {', '.join(WAYS)}")
    values = _columns(measured.matrix, (way,))[way]
    by_pair: dict[tuple[str, str], list[float]] = defaultdict(list)
    for run, value in zip(measured.runs, values.tolist(), strict=True):
        if not math.isnan(value):
            by_pair[run.agent, run.task].append(value)
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    for (agent, task), attempts in sorted(by_pair.items()):
        scores[agent][task] = math.fsum(attempts) / len(attempts)
    return TaskScores(
        MappingProxyType(dict(scores)),
        MappingProxyType(scenarios_of(measured.runs)),
        sum(map(len, by_pair.values())),
        measured.excluded,
    )


def _columns(matrix: NDArray[np.float64], ways: Sequence[str] = WAYS) -> dict[str, NDArray[np.float64]]:
    """The scores of all runs, by method, in the given order; NaN if undefined."""
    weights = vector_of(WEIGHTS)
    scorers = {
        "weighted": lambda: weighted_scores(matrix, weights),
        "geometric": lambda: geometric_scores(matrix),
        "weighted_product": lambda: weighted_product_scores(matrix, weights),
        "hierarchical": lambda: hierarchical_scores(matrix),
        "percentile": lambda: percentile_scores(matrix, matrix),
        "topsis": lambda: topsis_scores(matrix, matrix),
        "pareto": lambda: pareto_scores(matrix, matrix),
    }
    return {way: scorers[way]() for way in ways}


def _rows_by(names: Iterable[str]) -> dict[str, list[int]]:
    rows: dict[str, list[int]] = defaultdict(list)
    for row, name in enumerate(names):
        rows[name].append(row)
    return rows


def _outcome(run: RunFacts) -> str:
    if run.resolved:
        return RESOLVED
    return ENDED if run.ending == "completed" else STOPPED


def _spread(values: NDArray[np.float64], resolved: NDArray[np.bool_]) -> Spread:
    known = ~np.isnan(values)
    of_resolved = values[known & resolved].tolist()
    scores = values[known].tolist()
    n = len(scores)
    resolved_mean = mean_of(of_resolved, "no resolved run has this score")
    if not scores:
        none = Estimate.unknown(_NONE)
        return Spread(none, none, none, none, none, resolved_mean)
    mean = math.fsum(scores) / n
    low, high = min(scores), max(scores)
    deviation = (
        Estimate(math.sqrt(math.fsum(((values[known] - mean) ** 2).tolist()) / (n - 1)), n)
        if n > 1
        else Estimate.unknown("one run has no deviation", n)
    )
    return Spread(
        Estimate(mean, n),
        Estimate(low, n),
        Estimate(high, n),
        Estimate(high - low, n),
        deviation,
        resolved_mean,
    )
