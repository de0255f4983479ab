"""Means over groups of observations, such as the tasks of a repository, for statements about other groups."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method
from runs.analysis.statistics.intervals import score
from runs.analysis.statistics.means import student_t

MIN_GROUPS = 6  # below, even unanimous groups give p = 2 ÷ 2⁵ = 0.0625
_QUANTILE = 0.44
_MAX_WEIGHT = 3  # of a group, in multiples of 1 ÷ s²
_MAX_STEPS = 100
_CLOSE = 1e-10
Floats = NDArray[np.float64]


@method(
    "other-repositories",
    "pass@1 on other repositories",
    Section.INTERVALS,
    11,
    short=(
        "pass@1 on other repositories: what to expect where the code is new, with each repository as "
        "one observation."
    ),
    example=(
        "60 % on the tasks of a board may come with 45 to 71 % elsewhere, because its repositories differ."
    ),
)
def mean_of_groups(shares: Sequence[float], groups: Sequence[Hashable]) -> Estimate:
    """The mean share over groups like these, with its 95 % interval: what to expect on other repositories.

    The mean over tasks of these repositories, with `clustered`, is another number with another claim: it weights
    repositories by their tasks, and nearly half of SWE-bench Verified is one project; and its interval does not allow
    for other repositories being easier or harder. Both stand beside each other, each with its claim. `shares` are the
    rates of tasks, `groups` the repository of each. ValueError for shares outside 0 to 1, and for sequences of
    different length.

    Formula: a random-effects model. The mean y of a group of n tasks has the variance `τ² + s² ÷ n`, s² the pooled
    variance within groups (at least `1 ÷ (N + 1)` over N tasks), τ² that between them. Only the K groups with at least
    half of the harmonic mean of all n tell τ²: of a rare outcome, one success in a group of one task would be most of
    the sum. τ² is the value for which their `Σ w(y − m)²` with `w = 1 ÷ (τ² + s² ÷ n)` and their weighted mean m is the
    quantile 0.44 of χ² with K − 1 degrees, or 0 if the sum is smaller without it. The value is `Σvy` over all groups,
    with weights v that add up to 1, in proportion to `1 ÷ (max(τ², s² ÷ 3) + s² ÷ n)`: also if groups seem alike, none
    weighs four times as much as one of a single task. Its variance is the sum of `B = τ² · Σv²` and `W = s² · Σv² ÷ n`.
    The interval is Wilson's formula with the value and `max(m(1 − m), s²) ÷ (B + W)` instead of n, m the value, and
    with t instead of 1.96, of `(B + W) ÷ (B ÷ (K − 1) + W ÷ max(K − 1, N − G))` degrees, G the number of all groups.

    Source: the estimate of τ² is that of Paule and Mandel 1982, Consensus Values and Weighting Factors, who solve for
    the mean of χ²; t as in Hartung and Knapp 2001. The quantile, the degrees, the groups that tell τ² and the limit of
    weights are ours. Chosen by coverage, with the 12 sizes of SWE-bench Verified, or 100 repositories, and rates of 0.1
    to 0.9: this interval covers the mean over other repositories in 93 to 97 % of repetitions in every case, with
    effects of repositories and of agents in them and without (`benchmarks.calibration`). Twelve repositories do not
    tell slight differences from none. Without the limit, the weights of the largest depend on that, and each interval
    that we tried which covers at most 97 % of repetitions without differences covers less than 93 % with slight ones.
    The limit costs a fifth of width if there are none. If repositories differ widely, the interval covers 92.6 % at a
    rate of 0.05 with 12; if none differ, 97.5 % with 12 of 20 tasks each, and 98.8 % at 0.1 if half of 20 have a single
    task. `clustered` covers that mean in 26 to 72 % with 12 repositories and in 56 to 89 % with 100. The cluster-robust
    interval of the mean over tasks with t covers 75 to 87 % with 12; corrected for unequal sizes (CR2, with 1.5
    degrees) up to 100 %, at three times the width.

    Units: shares from 0 to 1; n counts groups.

    Small n: undefined with fewer than six groups: they say too little about others.
    """
    if len(shares) != len(groups):
        raise ValueError(f"{len(shares)} shares of {len(groups)} groups: expected one of each for a task")
    if not all(0 <= share <= 1 for share in shares):
        raise ValueError("shares are from 0 to 1")
    by_group: dict[Hashable, list[float]] = {}
    for share, group in zip(shares, groups, strict=True):
        by_group.setdefault(group, []).append(share)
    if len(by_group) < MIN_GROUPS:
        return Estimate.unknown(too_few(len(by_group)), len(by_group))
    # So that the order does not affect rounding.
    parts = sorted(sorted(part) for part in by_group.values())
    means = np.array([math.fsum(part) / len(part) for part in parts])
    sizes = np.array([len(part) for part in parts], dtype=float)
    tasks, k = len(shares), len(parts)
    scatter = math.fsum(
        (share - mean) ** 2 for part, mean in zip(parts, means.tolist(), strict=True) for share in part
    )
    within = max(scatter / max(1, tasks - k), 1 / (tasks + 1))
    value, of_groups, of_tasks, degrees = _combined(means, sizes, within)
    variance = of_groups + of_tasks
    freedom = variance / (of_groups / degrees + of_tasks / max(degrees, tasks - k))
    interval = score(value, max(value * (1 - value), within) / variance, student_t(freedom))
    return Estimate(value, k, interval=interval)


def too_few(repositories: int) -> str:
    """Why so few repositories give no estimate for others."""
    are = "1 repository is" if repositories == 1 else f"{repositories} repositories are"
    return f"{are} too few to say anything about others: {MIN_GROUPS} are needed"


def _combined(means: Floats, sizes: Floats, within: float) -> tuple[float, float, float, int]:
    """The weighted mean, the parts of its variance between groups and within, and the degrees of freedom of τ²."""
    variances = within / sizes
    telling = 2 * sizes * float((1 / sizes).sum()) >= len(sizes)
    freedom = int(telling.sum()) - 1
    between = _between(means[telling], variances[telling], _target(freedom))
    weights = 1 / (max(between, within / _MAX_WEIGHT) + variances)
    total = float(weights.sum())
    squares = (weights / total) ** 2
    value = min(1.0, float(weights @ means) / total)
    return value, between * float(squares.sum()), float(squares @ variances), freedom


def _between(means: Floats, variances: Floats, target: float) -> float:
    """τ² by Newton's method, which rises to it: the sum of squares is convex in τ² and falls."""
    between = 0.0
    for _ in range(_MAX_STEPS):
        weights = 1 / (between + variances)
        deviations = (means - weights @ means / weights.sum()) ** 2
        excess = float(weights @ deviations) - target
        if excess <= _CLOSE * target:
            break
        between += excess / float(weights**2 @ deviations)
    return between


@lru_cache(maxsize=256)
def _target(freedom: int) -> float:
    from scipy.special import chdtri  # noqa: PLC0415 - takes a second to import

    return float(chdtri(freedom, 1 - _QUANTILE))
