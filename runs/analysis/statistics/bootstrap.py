"""Quantiles for bootstrap intervals over tasks: expanded percentiles and BCa.

Tasks are resampled, each with all of its attempts, for statements about other tasks of the same kind. Resampling
attempts within tasks as well would count their variation twice.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from runs.analysis.method import Section, method

Floats = NDArray[np.float64]
_LEVEL = 0.95
_TAILS = (0.025, 0.975)
_FLAT = 1e-12


@method("bootstrap-expanded", "Expanded percentiles", Section.INTERVALS, 9)
def expanded_tails(tasks: int) -> tuple[float, float]:
    """The quantile levels for the ends of a percentile interval over a number of tasks, two or more.

    Formula: `Φ(∓√(n ÷ (n − 1)) t)`, t the quantile of Student's distribution with n − 1 degrees that leaves 95 % in
    the middle: a mean then has the interval of its t test. For many tasks they approach 2.5 and 97.5 %.

    Source: Hesterberg 2015, What Teachers Should Know about the Bootstrap, section 4.3 ("expanded percentile").

    Units: shares.

    Small n: with two tasks nearly 0 and 1, the whole range of draws.
    """
    from scipy.special import ndtr, stdtrit  # noqa: PLC0415 - takes a second to import

    low = float(ndtr(math.sqrt(tasks / (tasks - 1)) * stdtrit(tasks - 1, (1 - _LEVEL) / 2)))
    return low, 1 - low


@method("bootstrap-bca", "BCa intervals", Section.INTERVALS, 10)
def corrected_tails(
    value: float, drawn: Floats, left_out: Floats, tails: tuple[float, float] = _TAILS
) -> tuple[float, float]:
    """The quantile levels for the ends of a BCa interval; `tails` are those of the percentile interval.

    `value` is the observed value, `left_out` the values without each task in turn. Returns `tails` if bias or skewness
    are undefined.

    Formula: the levels are `Φ(z₀ + (z₀ + z) ÷ (1 − a(z₀ + z)))` for z = Φ⁻¹(tails), with the bias `z₀`, the normal
    quantile of the share of draws below the observed value (equal ones count half), and the skewness `a` of the
    jackknife. Values that differ by rounding only are equal.

    Source: Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 14; ties as in `scipy.stats.bootstrap`.

    Units: shares.

    Small n: `tails` if all draws are on one side of the value, or if leaving out a task never changes it.
    """
    from scipy.special import ndtr, ndtri  # noqa: PLC0415 - takes a second to import

    noise = _noise(drawn)
    below = ((drawn < value - noise).mean() + (drawn <= value + noise).mean()) / 2
    deviations = left_out.mean() - left_out
    deviations[np.abs(deviations) <= noise] = 0.0
    spread = float((deviations**2).sum())
    known = 0 < below < 1 and spread > 0 and tails[0] > 0 and tails[1] < 1
    if not known:  # also if the jackknife is undefined
        return tails
    bias = ndtri(below)
    skewness = (deviations**3).sum() / (6 * spread**1.5)
    shifted = bias + ndtri(np.array(tails))
    low, high = ndtr(bias + shifted / (1 - skewness * shifted))
    return float(low), float(high)


def flat(drawn: Floats) -> bool:
    """Whether there is no draw, or all are equal up to rounding."""
    return drawn.size == 0 or bool(np.ptp(drawn) <= _noise(drawn))


def _noise(drawn: Floats) -> float:
    """The largest difference that rounding can cause between equal values."""
    return _FLAT * max(1.0, float(np.abs(drawn).max()))
