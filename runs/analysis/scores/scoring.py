"""One number for one run, from its own metrics alone: sums, products and groups of metrics.

A run that lacks a metric is scored by those it has, with their weights scaled up to 1; `strict` is then None. A missing
metric never counts as 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from runs.analysis.estimate import Estimate
from runs.analysis.method import Method
from runs.analysis.scores.run_metrics import METRICS, RunMetrics, matrix_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

WEIGHTS: Mapping[str, float] = {
    "resolved": 0.30,
    "trajectory_efficiency": 0.20,
    "exploration_efficiency": 0.15,
    "reasoning": 0.15,
    "similarity": 0.10,
    "error_free": 0.10,
}
# Equation 8: which metrics make a group, and what the group weighs.
GROUPS = (
    (0.40, ("resolved",)),
    (0.25, ("trajectory_efficiency", "exploration_efficiency")),
    (0.20, ("reasoning", "similarity")),
    (0.15, ("error_free",)),
)


@dataclass(frozen=True, slots=True)
class Score:
    """One run under one way of scoring, 0 to 1.

    `value` is made of the metrics that the run has (its n says how many), with their weights scaled to sum to 1.
    `strict` is undefined as soon as one is missing. `missing` names those.
    """

    value: Estimate
    strict: Estimate
    missing: tuple[str, ...]


def weighted(metrics: RunMetrics, weights: Mapping[str, float] = WEIGHTS) -> Score:
    """The weighted mean of the metrics. ValueError for unknown names, negative weights, or none above 0.

    Formula: `Σ wᵢ mᵢ ÷ Σ wᵢ` over the metrics present. The default weights sum to 1: resolved 0.30, trajectory
    efficiency 0.20, exploration efficiency 0.15, reasoning 0.15, similarity 0.10, error-free execution 0.10.

    Source: Coding Agent Evaluation Framework, section 3.3.1, equation 6.

    Units: metrics and score from 0 to 1.

    Small n: with the outcome alone the value is 1 or 0; undefined where all metrics present weigh 0.
    """
    return _single(metrics, weighted_scores(matrix_of([metrics]), vector_of(weights)))


def geometric(metrics: RunMetrics, *, floor: float = 0.0) -> Score:
    """The geometric mean of the metrics. One metric of 0 makes it 0, so it is 0 for every run that resolved nothing.

    ValueError for a floor outside 0 to 1.

    Formula: `(∏ max(mᵢ, floor))^(1 ÷ n)` over the n metrics present.

    Source: Coding Agent Evaluation Framework, section 3.3.2, equation 7, which has no floor. The published code
    lifts every metric to at least 0.01 and leaves error-free execution out; `floor=0.01` gives the first of these.
    Section 4.3.1 writes the product differently: that one is `weighted_product`.

    Units: metrics and score from 0 to 1.

    Small n: with the outcome alone the value is 1 or 0.
    """
    if not 0 <= floor <= 1:
        raise ValueError(f"a floor of {floor}, expected 0 to 1")
    matrix = np.maximum(matrix_of([metrics]), floor)
    return _single(metrics, product_scores(matrix, np.ones(len(METRICS))))


def weighted_product(metrics: RunMetrics, weights: Mapping[str, float] = WEIGHTS) -> Score:
    """The weighted geometric mean of the metrics. ValueError as for `weighted`.

    Formula: `∏ mᵢ^(wᵢ ÷ Σ wᵢ)` over the metrics present; a metric of weight 0 has no say, also when it is 0.

    Source: Coding Agent Evaluation Framework, section 4.3.1, where it is called the geometric mean; section 3.3.2
    defines that name without weights (`geometric`).

    Units: metrics and score from 0 to 1.

    Small n: with the outcome alone the value is 1 or 0; undefined where all metrics present weigh 0.
    """
    return _single(metrics, product_scores(matrix_of([metrics]), vector_of(weights)))


def hierarchical(metrics: RunMetrics) -> Score:
    """Four groups of metrics, averaged within, then weighted. At most 1, since every metric is.

    Formula: `0.4 · outcome + 0.25 · efficiency + 0.2 · quality + 0.15 · robustness`: outcome is resolved (1 or 0),
    efficiency the mean of trajectory and exploration efficiency, quality the mean of reasoning and similarity,
    robustness error-free execution. A group is the mean of the metrics it has; a group without any is left out and
    the other weights are scaled to sum to 1.

    Source: Coding Agent Evaluation Framework, section 3.3.3, equation 8. The paper reports scores up to 1.055
    (Tables 12 and 14), which equation 8 gives only for a trajectory efficiency above 1; here that is cut at 1.
    Section 4.3.1 speaks of submission as a level of its own; equation 8 has none.

    Units: metrics and score from 0 to 1.

    Small n: with the outcome alone the value is 1 or 0.
    """
    return _single(metrics, hierarchical_scores(matrix_of([metrics])))


def weighted_scores(matrix: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """`weighted` for each row of METRICS; NaN where nothing that weighs is present."""
    return _weighted_mean(matrix, weights)


def product_scores(matrix: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """`weighted_product` for each row of METRICS; NaN where nothing that weighs is present."""
    counting = np.where(weights > 0, matrix, np.nan)
    with np.errstate(divide="ignore"):
        return np.exp(_weighted_mean(np.log(counting), weights))


def hierarchical_scores(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """`hierarchical` for each row of METRICS."""
    groups = [
        _weighted_mean(matrix[:, [METRICS.index(name) for name in names]], np.ones(len(names)))
        for _, names in GROUPS
    ]
    return _weighted_mean(np.column_stack(groups), np.array([weight for weight, _ in GROUPS]))


def vector_of(weights: Mapping[str, float]) -> NDArray[np.float64]:
    """Weights in the order of METRICS; 0 for those not named. ValueError as for `weighted`."""
    if unknown := sorted(weights.keys() - set(METRICS)):
        raise ValueError(f"no such metric: {', '.join(unknown)}; expected {', '.join(METRICS)}")
    vector = np.array([weights.get(name, 0.0) for name in METRICS], dtype=np.float64)
    if not (np.isfinite(vector).all() and (vector >= 0).all() and vector.sum() > 0):
        raise ValueError(f"weights of {vector.tolist()}, expected none below 0 and one above")
    return vector


def _weighted_mean(matrix: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    weighing = ~np.isnan(matrix) * weights
    total = weighing.sum(axis=1)
    parts = np.multiply(matrix, weighing, where=weighing > 0, out=np.zeros_like(matrix))
    sums: NDArray[np.float64] = parts.sum(axis=1)
    return ratio(sums, total)


def ratio(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """Element by element; NaN where `below` is not above 0."""
    result = np.full(len(above), np.nan)
    np.divide(above, below, where=below > 0, out=result)
    return result


def score_of(value: float, missing: tuple[str, ...], undefined: str) -> Score:
    """A score from what an array holds: NaN becomes the reason `undefined`."""
    present = len(METRICS) - len(missing)
    figure = Estimate.unknown(undefined, present) if np.isnan(value) else Estimate(float(value), present)
    lacking = f"missing: {', '.join(missing)}"
    return Score(figure, Estimate.unknown(lacking, present) if missing else figure, missing)


def _single(metrics: RunMetrics, values: NDArray[np.float64]) -> Score:
    return score_of(values[0], metrics.missing, "no metric that weighs is known")


METHODS = (
    Method("score-weighted", "Weighted score", weighted),
    Method("score-geometric", "Geometric score", geometric),
    Method("score-weighted-product", "Weighted product", weighted_product),
    Method("score-hierarchical", "Hierarchical score", hierarchical),
)
