"""One number for one run, relative to other runs: percentile, TOPSIS, Pareto rank.

The reference is a population of runs; without one, the runs themselves are. A metric that a run lacks is left out of
that run's score, or, for the Pareto rank, leaves the run without one; it never counts as 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from runs.analysis.method import Method
from runs.analysis.scores.run_metrics import RunMetrics, matrix_of
from runs.analysis.scores.scoring import Score, ratio, score_of
from runs.analysis.statistics.dominance import dominators

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Scorer = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]

_NOBODY = "there is no run to compare with"


def percentile(
    runs: Sequence[RunMetrics], reference: Sequence[RunMetrics] | None = None
) -> tuple[Score, ...]:
    """How much of the reference each run exceeds, on average over its metrics. Scores in the order of `runs`.

    Formula: the mean over the run's metrics m of `|{r ∈ R: rₘ < xₘ}| ÷ |R|`; R are the runs of the reference that
    have the metric. Equal is not exceeded, and a run that is in the reference counts in |R|.

    Source: Coding Agent Evaluation Framework, section 3.3.4, equation 9. The published code counts half of those
    that are equal, and five of the six metrics (not error-free execution).

    Units: metrics and scores from 0 to 1; the best run of n has at most 1 − 1 ÷ n within its own reference.

    Small n: undefined without a reference; one run alone exceeds nobody and has 0.
    """
    return _relative(percentile_scores, runs, reference, _NOBODY)


def topsis(runs: Sequence[RunMetrics], reference: Sequence[RunMetrics] | None = None) -> tuple[Score, ...]:
    """How near each run is to the best that the reference shows, against the worst. Scores in the order of `runs`.

    Formula: `d⁻ ÷ (d⁺ + d⁻)`: Euclidean distances to the points that have the lowest (d⁻) and the highest (d⁺) value
    of the reference in every metric, each metric divided by the root of the sum of its squares over the reference
    (by 1 where that is 0). All metrics weigh the same. Distances run over the metrics that the run has.

    Source: Coding Agent Evaluation Framework, section 3.3.4, equation 10; the paper names no normalisation, taken is
    that of Hwang and Yoon 1981, Multiple Attribute Decision Making, which its published code has too (over five of
    the six metrics).

    Units: metrics and scores from 0 to 1. A run outside its reference can lie beyond the best point.

    Small n: undefined without a reference, and where best and worst are one point (one run, all equal) and the run
    lies on it.
    """
    return _relative(topsis_scores, runs, reference, f"{_NOBODY}, or all of them are equal")


def pareto_rank(
    runs: Sequence[RunMetrics], reference: Sequence[RunMetrics] | None = None
) -> tuple[Score, ...]:
    """The share of the reference that does not dominate each run. Scores in the order of `runs`.

    A run dominates another that is nowhere better and somewhere worse. Metrics that no run of the reference has are
    left out; of the reference, only runs that have all others count, and a run that lacks one has no rank.

    Formula: `1 − |{r ∈ R: r dominates x}| ÷ |R|`.

    Source: Coding Agent Evaluation Framework, section 3.3.4, equation 11.

    Units: metrics and scores from 0 to 1.

    Small n: undefined without a reference; one run alone has 1.
    """
    return _relative(pareto_scores, runs, reference, f"{_NOBODY} in all metrics")


def percentile_scores(runs: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
    """`percentile` for each row of METRICS; NaN where it is undefined."""
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


def topsis_scores(runs: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
    """`topsis` for each row of METRICS; NaN where it is undefined."""
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


def pareto_scores(runs: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
    """`pareto_rank` for each row of METRICS; NaN where it is undefined."""
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


def _relative(
    scorer: _Scorer, runs: Sequence[RunMetrics], reference: Sequence[RunMetrics] | None, undefined: str
) -> tuple[Score, ...]:
    ours = matrix_of(runs)
    values = scorer(ours, ours if reference is None else matrix_of(reference))
    return tuple(
        score_of(value, run.missing, undefined if not run.missing else f"{undefined}, or a metric is missing")
        for value, run in zip(values, runs, strict=True)
    )


METHODS = (
    Method("score-percentile", "Percentile score", percentile),
    Method("score-topsis", "TOPSIS score", topsis),
    Method("score-pareto", "Pareto rank", pareto_rank),
)
