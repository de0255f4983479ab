"""The rank test of two independent groups of values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def mann_whitney(ours: NDArray[np.float64], theirs: NDArray[np.float64]) -> tuple[float, float]:
    """Cliff's delta and the two-sided p of the Mann–Whitney test, for groups of at least one value each.

    If all values are equal, the delta is 0 and p is 1. See `contrasts.resolved_against_failed` for the formula.
    """
    from scipy.stats import mannwhitneyu  # noqa: PLC0415 - takes a second to import

    if np.ptp(np.concatenate([ours, theirs])) == 0:
        return 0.0, 1.0
    result = mannwhitneyu(ours, theirs, alternative="two-sided")
    effect = 2 * float(result.statistic) / (len(ours) * len(theirs)) - 1
    return effect, min(1.0, float(result.pvalue))
