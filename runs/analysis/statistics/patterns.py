"""Counting sign patterns for the sign-flip test."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]
Floats = NDArray[np.float64]
How = Literal["exact", "rounded", "drawn"]

AFFORDABLE = 20_000_000  # additions: ten milliseconds
GRIDS = (840, 60)  # 840 is a multiple of all numbers of attempts up to 8
DRAWS = 20_000
_WHOLE_LIMIT = 2**40
_DRAWN_AT_ONCE = 2_000_000
_NARROW = 16
_COUNTED = 1000


@dataclass(frozen=True, slots=True)
class PatternShare:
    """The share of all 2ⁿ sign patterns whose |Σ ±dᵢ| is at least the observed |Σ dᵢ|, and how it was computed.

    `exact`: all patterns were counted. `rounded`: the same after rounding both rates of each task to multiples of 1/840
    (1/60 for many tasks); exchanging the agents still changes the sign, so the level of the test is exact. `drawn`:
    estimated from 20,000 patterns.
    """

    value: float
    how: How


def share_of_patterns(ours: tuple[Whole, Whole], theirs: tuple[Whole, Whole], seed: int) -> PatternShare:
    """The share for two agents over the same tasks, each as (resolved, attempts ≥ 1) by task.

    dᵢ is the difference of the two rates. Counted without rounding if that takes at most about ten milliseconds, which
    only very unequal numbers of attempts or thousands of tasks exceed; otherwise with rounding; drawn with the seed if
    that is also too slow.
    """
    common = math.lcm(*{*ours[1].tolist(), *theirs[1].tolist()})
    if common < _WHOLE_LIMIT:
        differences = ours[0] * (common // ours[1]) - theirs[0] * (common // theirs[1])
        exact = counted_share(differences)
        if exact is not None:
            return PatternShare(exact, "exact")
    rates = ours[0] / ours[1], theirs[0] / theirs[1]
    for grid in GRIDS:
        differences = np.rint(rates[0] * grid).astype(np.int64) - np.rint(rates[1] * grid).astype(np.int64)
        rounded = counted_share(differences)
        if rounded is not None:
            return PatternShare(rounded, "rounded")
    return PatternShare(drawn_share(rates[0] - rates[1], seed), "drawn")


def counted_share(differences: Whole) -> float | None:
    """The share for integer differences, or None if it is too slow.

    The distribution of the sum is a product of one factor (1 + x^|dᵢ|) ÷ 2 for each difference. Its terms are
    positive and are only added and multiplied, so small shares are as precise as large ones (about 12 digits, down
    to 10⁻³⁰⁰). If all differences are 0, every pattern is as extreme as the observed one: 1.
    """
    steps = np.abs(differences[differences != 0])
    if not steps.size:
        return 1.0
    unit = int(np.gcd.reduce(steps))
    steps //= unit
    total, observed = int(steps.sum()), abs(int(differences.sum())) // unit
    sizes, counts = _sizes(steps)
    # A convolution takes an eighth of the time per addition.
    if total * np.where(sizes <= _NARROW, sizes * counts // 8, counts).sum() > AFFORDABLE:
        return None
    # With s the sum of the positive steps, the pattern sum is 2s − total; its distribution is symmetric.
    return min(1.0, 2.0 * float(_tail(sizes, counts, (total + observed + 1) // 2).sum()))


def drawn_share(differences: Floats, seed: int) -> float:
    """The share among 20,000 drawn patterns and the observed one: never 0. The order of tasks does not matter."""
    steps = np.sort(np.abs(differences[differences != 0]))
    if not steps.size:
        return 1.0
    # Equal sums of fractions may differ by rounding.
    observed = abs(math.fsum(differences.tolist())) - 1e-12 * math.fsum(steps.tolist())
    extreme = 1 + sum(int((np.abs(sums) >= observed).sum()) for sums in drawn_sums(steps, seed))
    return extreme / (DRAWS + 1)


def drawn_sums(steps: Floats, seed: int) -> Iterator[Floats]:
    """The sums of `DRAWS` drawn sign patterns, in parts that need little memory."""
    generator = np.random.default_rng(seed)
    left = DRAWS
    while left:
        rows = min(left, max(1, _DRAWN_AT_ONCE // steps.size))
        signs = generator.integers(0, 2, (rows, steps.size)).astype(float) * 2 - 1
        yield signs @ steps
        left -= rows


def _sizes(steps: Whole) -> tuple[Whole, Whole]:
    """Each size of step and its frequency."""
    if steps.max() > _COUNTED:
        return np.unique(steps, return_counts=True)
    counts = np.bincount(steps)
    sizes = np.flatnonzero(counts)
    return sizes, counts[sizes]


def _tail(sizes: Whole, counts: Whole, least: int) -> Floats:
    """The probability of each sum of steps from `least` up, where each step counts with probability ½.

    Sums that can no longer reach `least` are dropped early, without changing the others in any bit.
    """
    sums, lowest, left = np.ones(1), 0, int((sizes * counts).sum())
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        left -= size * count
        if size <= _NARROW:  # these come first, when few sums can be dropped
            sums = np.convolve(sums, _kernel(size, count))
        else:
            dropped = max(0, least - left - lowest)
            sums = _wider(sums, size, _halves(count), dropped)
            lowest += dropped
    return sums[least - lowest :]


def _wider(sums: Floats, step: int, chances: Floats, dropped: int) -> Floats:
    """The distribution after adding a binomial number of equal steps, without its `dropped` lowest sums."""
    wider = np.zeros(sums.size + step * (chances.size - 1) - dropped)
    for count, chance in enumerate(chances.tolist()):
        start = count * step - dropped
        low, high = max(0, start), max(0, start + sums.size)
        wider[low:high] += chance * sums[low - start :]
    return wider


def _kernel(step: int, times: int) -> Floats:
    """The probability of each sum of a number of equal steps."""
    kernel = np.zeros(step * times + 1)
    kernel[::step] = _halves(times)
    return kernel


@lru_cache(maxsize=4096)
def _halves(times: int) -> Floats:
    """The binomial probabilities with probability ½."""
    return np.array([math.comb(times, heads) / 2**times for heads in range(times + 1)])
