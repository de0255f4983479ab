"""Alpha and kappa of many resampled tables at once; `judge_agreement` has the libraries' values for the observed one.

The libraries take 0.2 and 1 ms a table, so that an interval would take a second.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def alphas(weights: Floats, units: Floats) -> Floats:
    """Krippendorff's ordinal alpha of each row of weights: how often each kind of unit occurs.

    `units` has a row for each kind: how many judges gave each score of the scale. NaN where all scores are equal.
    """
    judges = units.sum(axis=1)
    paired = judges > 1
    spare = np.where(paired, judges - 1, 1)[:, None, None]
    both = (units[:, :, None] * units[:, None, :] - units[:, :, None] * np.eye(units.shape[1])) / spare
    observed = np.einsum("du,uij->dij", weights[:, paired], both[paired])
    totals = observed.sum(axis=2)
    n = totals.sum(axis=1)[:, None, None]
    by_chance = totals[:, :, None] * totals[:, None, :] - totals[:, :, None] * np.eye(units.shape[1])
    distances = _ordinal(totals)
    differing, expected = (observed * distances).sum(axis=(1, 2)), (by_chance * distances).sum(axis=(1, 2))
    possible = expected > 0
    ratio = np.full(len(weights), np.nan)
    np.divide(differing * np.maximum(n[:, 0, 0] - 1, 0), expected, where=possible, out=ratio)
    return 1 - ratio


def _ordinal(totals: Floats) -> Floats:
    """The squared ordinal distance of any two scores, for each row of totals by score."""
    below = totals.cumsum(axis=1)
    middle = below - totals / 2
    distances: Floats = (middle[:, :, None] - middle[:, None, :]) ** 2
    return distances


def kappas(tables: Floats) -> Floats:
    """Cohen's kappa with quadratic weights of each table: scores of one judge × scores of the other.

    NaN where the judges give the same single score.
    """
    size = tables.shape[1]
    penalty = (np.arange(size)[:, None] - np.arange(size)[None, :]) ** 2
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    n = rows.sum(axis=1)
    differing = (tables * penalty).sum(axis=(1, 2)) * n
    expected = (rows[:, :, None] * columns[:, None, :] * penalty).sum(axis=(1, 2))
    ratio = np.full(len(tables), np.nan)
    np.divide(differing, expected, where=expected > 0, out=ratio)
    return 1 - ratio
