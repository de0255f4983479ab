"""The interval of a difference between two agents over the same tasks."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from runs.analysis.estimate import Interval
from runs.analysis.method import Section, method
from runs.analysis.statistics.intervals import effective_tasks, summed_by_group

TAIL = 0.025
_PRIOR = 0.5  # Jeffreys'
_NODES = 64
_EXACT_ENOUGH = 1e-9


@dataclass(frozen=True, slots=True)
class _Shares:
    """The parameters of the Dirichlet distribution of the shares of tasks gained, lost and neither."""

    gained: float
    lost: float
    neither: float

    def mirrored(self) -> _Shares:
        return _Shares(self.lost, self.gained, self.neither)


@method(
    "difference-interval",
    "Intervals of differences",
    Section.INTERVALS,
    3,
    short=(
        "95 % interval of a difference, paired by task: without 0 in it, one of the two agents is "
        "probably better."
    ),
    example="+6 points with an interval from −1 to +13 may be chance.",
)
def difference(
    ours: Sequence[float],
    theirs: Sequence[float],
    attempts: Sequence[float],
    groups: Sequence[Hashable] = (),
) -> Interval | None:
    """The 95 % interval of the mean difference between two agents' rates on the same tasks, − 1 to 1.

    The gains of one agent over the other, its losses, and the rest are three shares of the tasks that sum to 1. The
    interval is the posterior interval of gains − losses with Jeffreys' prior. Coverage with twenty tasks and one
    attempt is 93 to 97 % for 96 % of all shares of gains and losses (in whole percents). If 25 to 80 % of tasks differ,
    it is 92.9 to 97.5 %; if nearly all do, at least 82 % (for an agent that gains 99 % of them); if fewer do, 92.8 to
    100 %: if less than one task in seven differs and neither agent is better, no interval can cover less without
    failing elsewhere (`benchmarks.attainable`). Tango's score interval covers up to 99.4 % if agents seldom differ,
    Bonett and Price's up to 99.9, the t interval down to 64. Over the grid of `benchmarks.calibration`, with five
    attempts at twenty tasks, the interval used here covers 93.8 to 96.7 %, the bootstrap 82 to 95 %.

    `attempts` are those of the agent with fewer, `groups` as in `clustered`. ValueError for sequences of different
    length, rates outside 0 to 1, and less than one attempt.

    Formula: gains `max(0, aᵢ − bᵢ)` and losses `max(0, bᵢ − aᵢ)` have the means G and L. From 2.5 to 97.5 % of
    `x − y`, where x, y and 1 − x − y are Dirichlet distributed with `mG + ½`, `mL + ½` and `m(1 − G − L) + ½`; m is the
    effective number of tasks, n for single attempts: as in `clustered`, with `d = Σ(aᵢ − bᵢ − G + L)² ÷
    (n · (G + L − (G − L)²))` and `q = min(G + L, 1 − G − L)`. If no rates differ, from `− 1 + 0.025^(1/n)` to
    `1 − 0.025^(1/n)`: with a larger true difference, the rates at some task would differ in at least 97.5 % of
    evaluations. The interval always contains the observed difference.

    Source: Jeffreys' interval of one proportion, with the same treatment of zero counts, is Brown, Cai and DasGupta
    2001, Interval Estimation for a Binomial Proportion. Its use for paired differences and m are ours, chosen by
    coverage among the intervals named above, other priors (¼ to 1), and estimated and mid p-values.

    Units: rates are shares from 0 to 1, the ends of the interval are differences of shares.

    Small n: unknown without a task; one task gives −0.59 to 1 if only the first agent resolved it, ± 0.975 if both have
    the same result.
    """
    if not len(ours) == len(theirs) == len(attempts):
        raise ValueError(
            f"paired by task: {len(ours)}, {len(theirs)} and {len(attempts)} values are not of one length"
        )
    for rate, other, tries in zip(ours, theirs, attempts, strict=True):
        if not (0 <= rate <= 1 and 0 <= other <= 1 and tries >= 1):
            raise ValueError(f"rates of {rate} and {other} from {tries} attempts")
    if not ours:
        return None
    n = len(ours)
    each = [a - b for a, b in zip(ours, theirs, strict=True)]
    gain = math.fsum(max(0.0, lead) for lead in each) / n
    loss = math.fsum(max(0.0, -lead) for lead in each) / n
    if gain == loss == 0:
        reach = float(1 - TAIL ** (1 / (len(set(groups)) or n)))
        return Interval(-reach, reach)
    known = _known(each, gain, loss, attempts, groups)
    return Interval(min(-_upper(known.mirrored()), gain - loss), max(_upper(known), gain - loss))


def _known(
    each: Sequence[float],
    gain: float,
    loss: float,
    attempts: Sequence[float],
    groups: Sequence[Hashable],
) -> _Shares:
    differ, centre = min(1.0, gain + loss), gain - loss
    deviations: Sequence[float] = [lead - centre for lead in each]
    if groups:
        deviations, attempts = summed_by_group(deviations, attempts, groups)
    most = len(deviations) * (differ - centre * centre)
    scatter = math.fsum(deviation**2 for deviation in deviations)
    tasks = effective_tasks(attempts, scatter / most if most > 0 else 1.0, min(differ, 1 - differ))
    return _Shares(tasks * gain + _PRIOR, tasks * loss + _PRIOR, tasks * (1 - differ) + _PRIOR)


@lru_cache(maxsize=4096)
def _upper(known: _Shares) -> float:
    """The difference that is exceeded with a chance of 2.5 %.

    Remembered: a site computes few different ones again and again, each in about 2 ms.
    """
    from scipy.optimize import brentq  # noqa: PLC0415 - takes a second to import

    return float(brentq(lambda at: _exceeded(known, at) - TAIL, -1.0, 1.0, xtol=_EXACT_ENOUGH))


def _exceeded(known: _Shares, difference: float) -> float:
    """The chance that gains minus losses are more than this.

    Gains and losses together are beta distributed, and so is, independently, the part of them that are gains. The
    first is integrated over its quantiles: the nodes are densest at both ends, where the integrand has roots. Its error
    is below 10⁻⁶.
    """
    from scipy.special import betainc, betaincinv  # noqa: PLC0415

    if difference < 0:
        return 1 - _exceeded(known.mirrored(), -difference)
    differ = known.gained + known.lost
    below = float(betainc(differ, known.neither, difference))
    places, weights = _rule()
    shares = betaincinv(differ, known.neither, below + (1 - below) * places)
    part = np.maximum((1 - difference / shares) / 2, 0)
    return (1 - below) * float(weights @ betainc(known.lost, known.gained, part))


@lru_cache(maxsize=1)
def _rule() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gauss–Legendre nodes from 0 to 1, transformed to be denser at both ends, and their weights."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    middle = (nodes + 1) / 2
    return middle**2 * (3 - 2 * middle), weights / 2 * 6 * middle * (1 - middle)
