"""Resampled tables have the alpha and kappa of the libraries."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from runs.analysis.judging.score_tables import alphas, kappas

SCALE = (0.0, 0.5, 1.0)


@pytest.mark.parametrize("seed", range(20))
def test_the_libraries_say_the_same(seed: int) -> None:
    generator = np.random.default_rng(seed)
    scores = generator.choice([*SCALE, np.nan], (generator.integers(2, 5), 25), p=[0.2, 0.3, 0.4, 0.1])
    counts = np.stack([(scores == score).sum(axis=0) for score in SCALE], axis=1).astype(float)
    expected = krippendorff.alpha(scores, level_of_measurement="ordinal", value_domain=list(SCALE))
    assert alphas(np.ones((1, 25)), counts)[0] == pytest.approx(expected)
    # A unit that occurs twice is as good as two units.
    kinds, often = np.unique(counts, axis=0, return_counts=True)
    assert alphas(often[None].astype(float), kinds)[0] == pytest.approx(expected)

    ours, theirs = generator.integers(0, 3, (2, 25))
    table = np.bincount(3 * ours + theirs, minlength=9).reshape(1, 3, 3).astype(float)
    assert kappas(table)[0] == pytest.approx(cohen_kappa_score(ours, theirs, weights="quadratic"))


def test_equal_scores_have_no_value() -> None:
    assert np.isnan(alphas(np.ones((1, 4)), np.array([[0, 0, 2.0]] * 4))).all()
    assert np.isnan(kappas(np.diag([0.0, 0, 5])[None])).all()
