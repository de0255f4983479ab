"""Jackknife intervals of positive quantities, leaving out each task in turn."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runs.analysis.estimate import Interval
from runs.analysis.method import Section, method
from runs.analysis.statistics.means import student_t

Floats = NDArray[np.float64]
# The exponent c of the degrees of freedom, for ratios and differences of variances; 1 for variances.
OF_RATIOS = 1.3
OF_DIFFERENCES = 1.2


@dataclass(frozen=True, slots=True)
class Jackknife:
    """A positive quantity over tasks, and the influence of each task on its logarithm."""

    value: float
    moves: Floats

    @classmethod
    def of(cls, value: float, left_out: Floats) -> Jackknife | None:
        """None if the value, or one of those without a task, is not positive, so that a logarithm is undefined."""
        known = np.isfinite(left_out) & (left_out > 0)
        if not (0 < value < math.inf and known.all() and left_out.size > 1):
            return None
        logs = np.log(left_out)
        return cls(value, (left_out.size - 1) * (logs.mean() - logs))

    @method("jackknife", "Intervals of variances and their ratios", Section.INTERVALS, 7)
    def interval(self, exponent: float = 1.0) -> Interval | None:
        """The 95 % interval of a variance over tasks; with the exponent `OF_RATIOS` that of a ratio of two.

        The jackknife on the logarithm, because variances are skewed and never negative, with fewer degrees of freedom
        if few tasks dominate. Coverage for test pass rates over twenty tasks is 93 to 98 % for variances and 94 to 98 %
        for their ratios, but 82 to 89 % if rare tasks carry nearly all variance (the BCa bootstrap: down to 75 %); from
        eighty tasks 93 to 97 % for all of them (`benchmarks.calibration`).

        Formula: with v the observed value, v₍ᵢ₎ that without task i and `dᵢ = (n − 1)(mean of ln v₍ⱼ₎ − ln v₍ᵢ₎)`:
        `v · e^(± t · s)`, `s = √(Σdᵢ² ÷ (n(n − 1)))`, t the 97.5 % quantile of Student's distribution with
        `n · (3(Σdᵢ²)² ÷ (n · Σdᵢ⁴))^c − 1` degrees of freedom, at least 1 and at most n − 1; the exponent c is 1 for a
        variance and 1.3 for a ratio.

        Source: Miller 1968, Jackknifing Variances; Arvesen and Schmitz 1970, Robust Procedures for Variance Component
        Problems Using the Jackknife. With c = 1 the degrees of freedom are Satterthwaite's for s²: `3(Σdᵢ²)² ÷ Σdᵢ⁴`
        is about n for a normal sample, and smaller for a heavy-tailed one. This use is ours, and c was chosen between 1
        and 2 by coverage.

        Units: those of the value.

        Small n: None with one or two tasks, if the value without some task is 0 or undefined (for example, if only one
        task varies), and if no task changes the value.
        """
        n, squares = self.moves.size, float((self.moves**2).sum())
        if math.sqrt(squares) <= 1e-12:
            return None
        heavy = 3 * squares**2 / float((self.moves**4).sum())
        degrees = min(n - 1, max(1.0, n * (heavy / n) ** exponent - 1))
        reach = student_t(degrees) * math.sqrt(squares / (n * (n - 1)))
        return Interval(self.value * math.exp(-reach), self.value * math.exp(min(reach, 700.0)))

    def correlation(self, other: Jackknife) -> float:
        """The correlation of the influences of tasks on both, − 1 to 1."""
        scatter = math.sqrt(float((self.moves**2).sum() * (other.moves**2).sum()))
        return float(self.moves @ other.moves) / scatter if scatter > 0 else 0.0


@method("jackknife-difference", "Intervals of differences of variances", Section.INTERVALS, 8)
def of_difference(more: Jackknife, less: Jackknife) -> Interval | None:
    """The 95 % interval of the difference of two quantities over the same tasks, from their intervals. May be negative.

    Formula: from `a − b − √(x² + y² − 2rxy)` with x = a − a₁, y = b₂ − b, to `a − b + √(x² + y² − 2rxy)` with
    x = a₂ − a, y = b − b₁, where a₁ to a₂ and b₁ to b₂ are their intervals with c = 1.2, and r the correlation of the
    dᵢ of both.

    Source: Zou and Donner 2008, Construction of confidence limits about effect measures.

    Units: those of the quantities.

    Small n: None if one of them has no interval.
    """
    ours, theirs = more.interval(OF_DIFFERENCES), less.interval(OF_DIFFERENCES)
    if ours is None or theirs is None:
        return None
    r, centre = more.correlation(less), more.value - less.value
    below = _together(more.value - ours.low, theirs.high - less.value, r)
    above = _together(ours.high - more.value, less.value - theirs.low, r)
    return Interval(centre - below, centre + above)


def _together(x: float, y: float, r: float) -> float:
    return math.sqrt(max(0.0, x * x + y * y - 2 * r * x * y))
