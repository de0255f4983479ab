"""Logistic regression with a ridge penalty for a few features.

scikit-learn has it, but takes seconds to import, and 150 MB in each web process.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runs.analysis.statistics.correlations import mean_ranks

PENALTY = 1.0
MAX_STEPS = 50
ENOUGH = 1e-8
_MAX_LOGIT = 30.0  # a logit: the probabilities of larger ones differ from 0 and 1 by less than 1e-13

Matrix = NDArray[np.float64]
Outcomes = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class RidgeLogistic:
    """A fitted model: means and scales of the features, and coefficients with the constant first."""

    means: Matrix
    scales: Matrix
    coefficients: Matrix

    def probabilities(self, x: Matrix) -> Matrix:
        """The probability of each row."""
        return _sigmoid(_design((x - self.means) / self.scales) @ self.coefficients)


def fit(x: Matrix, y: Outcomes, penalty: float = PENALTY) -> RidgeLogistic:
    """Minimises `−log likelihood + penalty ÷ 2 · Σ w²` over standardised features by Newton's method.

    The constant has no penalty. Both outcomes must occur. A constant feature has the scale 1.
    """
    means, deviations = x.mean(axis=0), x.std(axis=0)
    scales = np.where(deviations > ENOUGH, deviations, 1.0)
    design = _design((x - means) / scales)
    ridge = np.full(design.shape[1], penalty)
    ridge[0] = 0.0
    weights = np.zeros(design.shape[1])
    weights[0] = np.log(y.mean() / (1 - y.mean()))
    for _ in range(MAX_STEPS):
        p = _sigmoid(design @ weights)
        gradient = design.T @ (p - y) + ridge * weights
        curvature = (
            (design * (p * (1 - p))[:, None]).T @ design + np.diag(ridge) + ENOUGH * np.eye(len(ridge))
        )
        step = np.linalg.solve(curvature, gradient)
        # A long step may overshoot where probabilities are near 0 or 1.
        weights = weights - step * min(1.0, 5.0 / max(1e-12, float(np.abs(step).max())))
        if float(np.abs(step).max()) < ENOUGH:
            break
    return RidgeLogistic(means, scales, weights)


def roc_auc(y: Outcomes, scores: Matrix) -> float | None:
    """The probability that a score of a true one is above that of a false one; None unless there are both."""
    positive = int(y.sum())
    negative = len(y) - positive
    if not positive or not negative:
        return None
    ranks = mean_ranks(scores)
    return float((ranks[y].sum() - positive * (positive + 1) / 2) / (positive * negative))


def _design(x: Matrix) -> Matrix:
    return np.column_stack([np.ones(len(x)), x])


def _sigmoid(logits: Matrix) -> Matrix:
    chances: Matrix = 1 / (1 + np.exp(-np.clip(logits, -_MAX_LOGIT, _MAX_LOGIT)))
    return chances
