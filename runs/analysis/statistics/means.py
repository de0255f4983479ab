"""Intervals of means over tasks of quantities that are no yes or no: shares, steps, seconds."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from runs.analysis.estimate import Interval
from runs.analysis.method import Method
from runs.analysis.statistics.intervals import Z_95, clustered

Values = Sequence[float] | NDArray[np.float64]


def of_shares(values: Sequence[float]) -> Interval | None:
    """The 95 % interval of a mean of shares, each of another task: test pass rates, similarities, deviations.

    Student's interval knows no bounds and is too narrow where few tasks carry a rare share: over twenty tasks it covers
    the mean of beta distributed shares 85 to 96 % of the time, and this one 92 to 97 %; over eighty, 92 to 96 and 94 to
    96 % (`benchmarks.calibration`). ValueError for a share outside 0 to 1.

    Formula: as `clustered` of endlessly many attempts, so that nothing but their scatter says how alike shares can be,
    with the 97.5 % quantile of Student's distribution with n − 1 degrees of freedom in place of 1.96.

    Source: as `clustered`; ours.

    Units: shares from 0 to 1.

    Small n: no share gives None; one gives Wilson's interval for n = 1, with 1.96. Never a width of zero.
    """
    n = len(values)
    return clustered(values, [math.inf] * n, student_t(n - 1) if n > 1 else Z_95)


def student(values: Values) -> Interval | None:
    """The 95 % interval of a mean of independent values. For shares, which it is too narrow for, see `of_shares`.

    Formula: `mean ± t · s ÷ √n`, t the 97.5 % quantile of Student's distribution with n − 1 degrees of freedom.

    Source: any textbook; Student 1908, The Probable Error of a Mean.

    Units: those of the values.

    Small n: None of fewer than two values, and where all are alike: they do not tell how far others may lie.
    """
    ordered = np.sort(np.asarray(values, dtype=float))  # so that no order changes a last digit
    if len(ordered) < 2 or ordered[0] == ordered[-1]:
        return None
    half = student_t(len(ordered) - 1) * float(ordered.std(ddof=1)) / math.sqrt(len(ordered))
    return Interval(float(ordered.mean()) - half, float(ordered.mean()) + half)


def welch(ours: Values, theirs: Values) -> Interval | None:
    """The 95 % interval of the difference of two means of independent values, whose scatter may differ.

    Formula: `d ± t · √(a + b)` with `a = s₁² ÷ n₁` and `b = s₂² ÷ n₂`, t the 97.5 % quantile of Student's distribution
    with `(a + b)² ÷ (a² ÷ (n₁ − 1) + b² ÷ (n₂ − 1))` degrees of freedom.

    Source: Welch 1947, The Generalization of "Student's" Problem.

    Units: those of the values.

    Small n: None where either side has fewer than two values, and where all values of each side are alike.
    """
    if len(ours) < 2 or len(theirs) < 2:
        return None
    one, other = (np.sort(np.asarray(values, dtype=float)) for values in (ours, theirs))
    a, b = float(one.var(ddof=1)) / len(one), float(other.var(ddof=1)) / len(other)
    if a + b == 0:
        return None
    middle = float(one.mean() - other.mean())
    freedom = (a + b) ** 2 / (a * a / (len(one) - 1) + b * b / (len(other) - 1))
    half = student_t(freedom) * math.sqrt(a + b)
    return Interval(middle - half, middle + half)


def student_t(freedom: float) -> float:
    """The quantile of Student's t for 95 %, both sides."""
    from scipy.special import stdtrit  # noqa: PLC0415 - takes a while to import

    return float(stdtrit(freedom, 0.975))


METHODS = (
    Method("shares-interval", "Intervals of mean shares", of_shares),
    Method("student", "Intervals of means", student),
    Method("welch", "Intervals of differences of means", welch),
)
