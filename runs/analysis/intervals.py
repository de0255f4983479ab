"""Intervals of a proportion: what a rate over n tasks leaves open."""

from __future__ import annotations

import math

from runs.analysis.figure import Interval
from runs.analysis.method import Method

Z_95 = 1.96


def wilson(rate: float, n: int, z: float = Z_95) -> Interval | None:
    """The score interval of a proportion observed over n tasks; asymmetric, never outside 0 to 1.

    The tasks are the sample, not the attempts: attempts on one task are not independent of each other.
    ValueError for a rate outside 0 to 1 and for a negative n.

    Formula: centre `(p + z² ÷ 2n) ÷ (1 + z² ÷ n)`, half width `z ÷ (1 + z² ÷ n) · √(p(1 − p) ÷ n + z² ÷ 4n²)`, cut at 0
    and 1.

    Source: Wilson 1927, Probable Inference, the Law of Succession, and Statistical Inference. IDE-Bench prints these
    half widths in its Table 1, with z = 1.96 and n = 80.

    Units: `rate` and both ends are shares from 0 to 1; `z` is the normal quantile (1.96 for 95 %).

    Small n: n = 0 gives None; n = 1 gives a very wide interval (0 to 0.79, or 0.21 to 1), never a width of zero.
    """
    if n == 0:
        return None
    if n < 0 or not 0 <= rate <= 1:
        raise ValueError(f"a rate of {rate} over {n} tasks")
    shrink = 1 + z * z / n
    centre = (rate + z * z / (2 * n)) / shrink
    half = wilson_half_width(rate, n, z)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


def wilson_half_width(rate: float, n: int, z: float = Z_95) -> float:
    """Half the width of the Wilson interval: what a table prints after ±. n counts from 1."""
    return z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))


METHODS = (Method("interval", "Intervals", wilson),)
