"""One number for each run from its own metrics: weighted sums, products, and groups of metrics.

Matrices have a row for each run and a column for each of METRICS, NaN where a metric is missing. A run without a metric
is scored by the others, with their weights scaled to sum to 1. A missing metric never counts as 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from runs.analysis.method import Section, method
from runs.analysis.scores.run_metrics import METRICS

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


@method("score-weighted", "Weighted score", Section.SCORES, 2)
def weighted_scores(matrix: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weighted mean of the metrics of each run.

    Formula: `Σ wᵢ mᵢ ÷ Σ wᵢ` over the metrics present. The default weights sum to 1: resolved 0.30, trajectory
    efficiency 0.20, exploration efficiency 0.15, reasoning 0.15, similarity 0.10, error-free execution 0.10.

    Source: Coding Agent Evaluation Framework, section 3.3.1, equation 6.

    Units: metrics and score from 0 to 1.

    Small n: with the outcome alone the value is 1 or 0; undefined where all metrics present have weight 0.
    """
    weighing = ~np.isnan(matrix) * weights
    parts = np.multiply(matrix, weighing, where=weighing > 0, out=np.zeros_like(matrix))
    return ratio(parts.sum(axis=1), weighing.sum(axis=1))


@method("score-geometric", "Geometric score", Section.SCORES, 3)
def geometric_scores(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The geometric mean of the metrics of each run. It is 0 if one metric is 0, so for every unresolved run.

    Formula: `(∏ mᵢ)^(1 ÷ n)` over the n metrics present.

    Source: Coding Agent Evaluation Framework, section 3.3.2, equation 7. The published code replaces values below 0.01
    by 0.01 and leaves error-free execution out. Section 4.3.1 defines the product with weights: see the weighted
    product.

    Units: metrics and score from 0 to 1.

    Small n: with the outcome alone the value is 1 or 0.
    """
    return weighted_product_scores(matrix, np.ones(len(METRICS)))


@method("score-weighted-product", "Weighted product", Section.SCORES, 4)
def weighted_product_scores(matrix: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weighted geometric mean of the metrics of each run.

    Formula: `∏ mᵢ^(wᵢ ÷ Σ wᵢ)` over the metrics present; a metric of weight 0 has no effect, even if it is 0.

    Source: Coding Agent Evaluation Framework, section 4.3.1, where it is called the geometric mean; section 3.3.2
    defines that name without weights.

    Units: metrics and score from 0 to 1.

    Small n: with the outcome alone the value is 1 or 0; undefined where all metrics present have weight 0.
    """
    counting = np.where(weights > 0, matrix, np.nan)
    with np.errstate(divide="ignore"):
        return np.exp(weighted_scores(np.log(counting), weights))


@method("score-hierarchical", "Hierarchical score", Section.SCORES, 5)
def hierarchical_scores(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Four groups of metrics for each run: means within groups, then a weighted mean. At most 1, as each metric is.

    Formula: `0.4 · outcome + 0.25 · efficiency + 0.2 · quality + 0.15 · robustness`: outcome is resolved (1 or 0),
    efficiency the mean of trajectory and exploration efficiency, quality the mean of reasoning and similarity,
    robustness error-free execution. A group is the mean of the metrics present; a group without any is left out and
    the other weights are scaled to sum to 1.

    Source: Coding Agent Evaluation Framework, section 3.3.3, equation 8. The paper reports scores up to 1.055
    (Tables 12 and 14), which equation 8 gives only for a trajectory efficiency above 1; here that is capped at 1.
    Section 4.3.1 describes submission as a separate level; equation 8 has none.

    Units: metrics and score from 0 to 1.

    Small n: with the outcome alone the value is 1 or 0.
    """
    groups = [
        weighted_scores(matrix[:, [METRICS.index(name) for name in names]], np.ones(len(names)))
        for _, names in GROUPS
    ]
    return weighted_scores(np.column_stack(groups), np.array([weight for weight, _ in GROUPS]))


def vector_of(weights: Mapping[str, float]) -> NDArray[np.float64]:
    """Weights in the order of METRICS, 0 for those not named. ValueError: an unknown name, a negative weight, or none
    above 0.
    """
    if unknown := sorted(weights.keys() - set(METRICS)):
        raise ValueError(f"no such metric: {', '.join(unknown)}; expected {', '.join(METRICS)}")
    vector = np.array([weights.get(name, 0.0) for name in METRICS], dtype=np.float64)
    if not (np.isfinite(vector).all() and (vector >= 0).all() and vector.sum() > 0):
        raise ValueError(f"weights of {vector.tolist()}, expected none below 0 and one above")
    return vector


def ratio(numerators: NDArray[np.float64], denominators: NDArray[np.float64]) -> NDArray[np.float64]:
    """The quotients, element by element; NaN where the denominator is not above 0."""
    result = np.full(len(numerators), np.nan)
    np.divide(numerators, denominators, where=denominators > 0, out=result)
    return result
