"""Logistic regression with a penalty, compared with scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler

from runs.analysis.statistics.ridge_logistic import fit, roc_auc


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_probabilities_and_auc_are_those_of_another_program(seed: int) -> None:
    dice = np.random.default_rng(seed)
    x = np.column_stack([dice.normal(size=200), dice.integers(0, 3, 200), np.full(200, 7.0)])
    y = dice.random(200) < 1 / (1 + np.exp(-2 * x[:, 0]))

    ours = fit(x, y).probabilities(x)

    scaled = StandardScaler().fit_transform(x)
    theirs = LogisticRegression(C=1.0, tol=1e-10, max_iter=1000).fit(scaled, y).predict_proba(scaled)[:, 1]
    assert ours == pytest.approx(theirs, abs=1e-5)
    assert roc_auc(y, ours) == pytest.approx(roc_auc_score(y, ours))


def test_separated_outcomes_have_finite_coefficients() -> None:
    x = np.array([[0.0], [1.0], [2.0], [3.0]])
    y = np.array([False, False, True, True])

    model = fit(x, y)

    assert np.isfinite(model.coefficients).all()
    assert roc_auc(y, model.probabilities(x)) == 1


def test_the_auc_of_ties_is_a_half_and_one_outcome_has_none() -> None:
    assert roc_auc(np.array([True, False]), np.array([0.5, 0.5])) == 0.5
    assert roc_auc(np.array([True, True]), np.array([0.5, 0.6])) is None
