"""Intervals by drawing anew: tasks with all that belongs to them, or attempts within tasks that stay.

Tasks are what a benchmark samples, so a statement about other tasks of the same kind draws tasks, each with all of
its attempts. To draw attempts within them as well would count the attempts' own scatter twice: it is in the tasks'
rates already. Attempts alone are drawn for statements about these very tasks: what would these runs give, made again?
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from runs.analysis.method import Method

Floats = NDArray[np.float64]
_TAILS = (0.025, 0.975)
_FLAT = 1e-12


def expanded_tails(tasks: int, level: float) -> tuple[float, float]:
    """The shares of draws that lie below the ends of a percentile interval over so many tasks, two or more.

    Formula: `Φ(∓√(n ÷ (n − 1)) t)`, t the quantile of Student's distribution with n − 1 degrees that leaves `level` in
    the middle: a mean then has the interval that its t test gives. Of many tasks it is (1 − level) ÷ 2.

    Source: Hesterberg 2015, What Teachers Should Know about the Bootstrap, section 4.3 ("expanded percentile").

    Units: shares.

    Small n: with two tasks nearly 0 and 1, the whole range of draws.
    """
    from scipy.special import ndtr, stdtrit  # noqa: PLC0415 - takes a second to import

    low = float(ndtr(math.sqrt(tasks / (tasks - 1)) * stdtrit(tasks - 1, (1 - level) / 2)))
    return low, 1 - low


def corrected_tails(
    value: float, drawn: Floats, left_out: Floats, tails: tuple[float, float] = _TAILS
) -> tuple[float, float]:
    """The shares of draws that lie below the ends of a BCa interval, in place of `tails`, which a percentile one has.

    `value` is the observed one, `left_out` those without each task in turn. Where bias or skewness cannot be told,
    `tails` themselves. Formula and source: see bootstrap intervals.
    """
    from scipy.special import ndtr, ndtri  # noqa: PLC0415 - takes a second to import

    noise = _noise(drawn)
    below = ((drawn < value - noise).mean() + (drawn <= value + noise).mean()) / 2
    deviations = left_out.mean() - left_out
    deviations[np.abs(deviations) <= noise] = 0.0
    spread = float((deviations**2).sum())
    known = 0 < below < 1 and spread > 0 and tails[0] > 0 and tails[1] < 1
    if not known:  # also where the jackknife is undefined
        return tails
    bias = ndtri(below)
    skewness = (deviations**3).sum() / (6 * spread**1.5)
    shifted = bias + ndtri(np.array(tails))
    low, high = ndtr(bias + shifted / (1 - skewness * shifted))
    return float(low), float(high)


def flat(drawn: Floats) -> bool:
    """Whether there is no draw, or all agree but for rounding."""
    return drawn.size == 0 or bool(np.ptp(drawn) <= _noise(drawn))


def _noise(drawn: Floats) -> float:
    """What rounding alone can make of equal values."""
    return _FLAT * max(1.0, float(np.abs(drawn).max()))


METHODS = (Method("bootstrap-expanded", "Expanded percentiles", expanded_tails),)
