"""What many numbers of one kind come to: mean, quartiles and range."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from runs.analysis.estimate import Estimate
from runs.analysis.method import Method


@dataclass(frozen=True, slots=True)
class Quantiles:
    """One sample in six figures, all of them undefined when it is empty, in the units of its values."""

    mean: Estimate
    median: Estimate
    p25: Estimate
    p75: Estimate
    minimum: Estimate
    maximum: Estimate

    @property
    def n(self) -> int:
        """How many values there were."""
        return self.mean.n

    def times(self, factor: float) -> Self:
        """The same sample in other units: 1/60 makes minutes of seconds. ValueError unless 0 < factor < ∞."""
        if not 0 < factor < math.inf:
            raise ValueError(f"a factor of {factor}: expected a positive number")
        figures = (self.mean, self.median, self.p25, self.p75, self.minimum, self.maximum)
        return type(self)(
            *(
                figure if figure.value is None else Estimate(figure.value * factor, figure.n)
                for figure in figures
            )
        )


def quantiles(values: Sequence[float], reason: str = "there is nothing to sum up") -> Quantiles:
    """Mean, median, quartiles, smallest and largest of a sample, whatever its order.

    Formula: the quantile q of n values in order lies at place (n − 1) · q, counted from 0, on the straight line
    between its neighbours (Hyndman and Fan's type 7); the mean is the sum ÷ n.

    Source: IDE-Bench, table 11 (mean, median, P25, P75). It does not say how it interpolates; this is what NumPy
    and R do unless told otherwise. Hyndman and Fan 1996, Sample Quantiles in Statistical Packages.

    Units: those of the values.

    Small n: n = 0 leaves all undefined, with `reason`; n = 1 gives the one value six times.
    """
    if not values:
        return Quantiles(*(Estimate.unknown(reason) for _ in range(6)))
    n = len(values)
    p25, median, p75 = np.quantile(np.asarray(values, dtype=float), (0.25, 0.5, 0.75)).tolist()
    found = (math.fsum(values) / n, median, p25, p75, min(values), max(values))
    return Quantiles(*(Estimate(float(value), n) for value in found))


METHODS = (Method("quantiles", "Means, medians and quartiles", quantiles),)
