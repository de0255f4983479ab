"""One number for each run relative to a reference population of runs: percentile, TOPSIS, Pareto rank.

Matrices have a row for each run and a column for each of METRICS, NaN where a metric is missing. A missing metric is
left out of the run's score, or leaves the run without a Pareto rank; it never counts as 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from runs.analysis.method import Section, method
from runs.analysis.scores.scoring import ratio
from runs.analysis.statistics.dominance import dominators

if TYPE_CHECKING:
    from numpy.typing import NDArray


@method("score-percentile", "Percentile score", Section.SCORES, 6)
def percentile_scores(runs: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of the reference that each run exceeds, on average over its metrics.

    Formula: the mean over the run's metrics m of `|{r ∈ R: rₘ < xₘ}| ÷ |R|`; R are the runs of the reference that
    have the metric. An equal value is not exceeded, and a run that is in the reference counts in |R|.

    Source: Coding Agent Evaluation Framework, section 3.3.4, equation 9. The published code counts half of the equal
    values, and five of the six metrics (not error-free execution).

    Units: metrics and scores from 0 to 1; the best of n runs has at most 1 − 1 ÷ n if the reference contains it.

    Small n: undefined (NaN) without a reference; a single run exceeds none and has 0.
    """
    shares = np.full(runs.shape, np.nan)
    for metric, column in enumerate(reference.T):
        known = np.sort(column[~np.isnan(column)])
        if len(known):
            below = np.searchsorted(known, runs[:, metric], side="left") / len(known)
            shares[:, metric] = np.where(np.isnan(runs[:, metric]), np.nan, below)
    present = ~np.isnan(shares)
    counts: NDArray[np.float64] = present.sum(axis=1).astype(np.float64)
    sums: NDArray[np.float64] = np.where(present, shares, 0).sum(axis=1)
    return ratio(sums, counts)


@method("score-topsis", "TOPSIS score", Section.SCORES, 7)
def topsis_scores(runs: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
    """How near each run is to the best point of the reference, compared with the worst.

    Formula: `d⁻ ÷ (d⁺ + d⁻)`: Euclidean distances to the points that have the lowest (d⁻) and the highest (d⁺) value
    of the reference in every metric, each metric divided by the root of the sum of its squares over the reference
    (by 1 where that is 0). All metrics have the same weight. Distances use the metrics that the run has.

    Source: Coding Agent Evaluation Framework, section 3.3.4, equation 10. The paper names no normalisation; this is
    that of Hwang and Yoon 1981, Multiple Attribute Decision Making, which its published code uses too (over five of
    the six metrics).

    Units: metrics and scores from 0 to 1. A run outside its reference can lie beyond the best point.

    Small n: undefined (NaN) without a reference, and where best and worst are one point (one run, or all equal) and
    the run lies on it.
    """
    if not len(reference):
        return np.full(len(runs), np.nan)
    known = ~np.isnan(reference)
    # Sorted, so that the sum does not depend on the order of runs.
    squares = np.sort(np.where(known, reference**2, 0), axis=0).sum(axis=0)
    scale = np.sqrt(np.where(squares > 0, squares, 1))
    best = np.where(known, reference, -np.inf).max(axis=0)
    worst = np.where(known, reference, np.inf).min(axis=0)
    usable = ~np.isnan(runs) & known.any(axis=0)
    to_best = _distance(runs, best, scale, usable)
    to_worst = _distance(runs, worst, scale, usable)
    return ratio(to_worst, to_best + to_worst)


@method("score-pareto", "Pareto rank", Section.SCORES, 8)
def pareto_scores(runs: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of the reference that does not dominate each run.

    One run dominates another if it is worse in no metric and better in at least one. Metrics that no run of the
    reference has are left out; only complete runs of the reference count, and a run that lacks a metric has no rank.

    Formula: `1 − |{r ∈ R: r dominates x}| ÷ |R|`.

    Source: Coding Agent Evaluation Framework, section 3.3.4, equation 11.

    Units: metrics and scores from 0 to 1.

    Small n: undefined (NaN) without a reference; a single run has 1.
    """
    metrics = ~np.isnan(reference).all(axis=0)
    complete = reference[~np.isnan(reference[:, metrics]).any(axis=1)][:, metrics]
    scores = np.full(len(runs), np.nan)
    able = ~np.isnan(runs[:, metrics]).any(axis=1)
    if len(complete) and able.any():
        scores[able] = 1 - dominators(runs[able][:, metrics], complete) / len(complete)
    return scores


def _distance(
    runs: NDArray[np.float64],
    point: NDArray[np.float64],
    scale: NDArray[np.float64],
    usable: NDArray[np.bool_],
) -> NDArray[np.float64]:
    squares = (np.where(usable, runs - np.where(np.isfinite(point), point, 0), 0) / scale) ** 2
    distances: NDArray[np.float64] = np.sqrt(squares.sum(axis=1))
    return distances
