"""Mean, quartiles and range of a sample."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method


@dataclass(frozen=True, slots=True)
class Quantiles:
    """Six statistics of a sample, all undefined if it is empty, in the units of its values."""

    mean: Estimate
    median: Estimate
    p25: Estimate
    p75: Estimate
    minimum: Estimate
    maximum: Estimate

    @property
    def n(self) -> int:
        """The sample size."""
        return self.mean.n


@method(
    "quantiles",
    "Means, medians and quartiles",
    Section.COST_AND_EFFORT,
    5,
    short=(
        "Median and quartiles: half of the values lie below the median, a quarter below the first quartile."
    ),
    example="Of 1, 2, 3, 4 and 100 the median is 3 and the mean 22.",
)
def quantiles(values: Sequence[float], reason: str = "there are no values") -> Quantiles:
    """Mean, median, quartiles, minimum and maximum of a sample, independent of its order.

    Formula: the quantile q of n sorted values is at position (n − 1) · q, counted from 0, with linear interpolation
    (Hyndman and Fan's type 7); the mean is the sum ÷ n.

    Source: IDE-Bench, table 11 (mean, median, P25, P75). It does not name the interpolation; this is the default
    of NumPy and R. Hyndman and Fan 1996, Sample Quantiles in Statistical Packages.

    Units: those of the values.

    Small n: n = 0 leaves all undefined, with `reason`; with n = 1 all six equal the value.
    """
    if not values:
        return Quantiles(*(Estimate.unknown(reason) for _ in range(6)))
    n = len(values)
    p25, median, p75 = np.quantile(np.asarray(values, dtype=float), (0.25, 0.5, 0.75)).tolist()
    six = (math.fsum(values) / n, median, p25, p75, min(values), max(values))
    return Quantiles(*(Estimate(float(value), n) for value in six))
