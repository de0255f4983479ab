"""Means, ratios and box plots of plain values, with a reason if they are undefined."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.facts import RunFacts, by_agent
from runs.analysis.method import Section, method
from runs.analysis.statistics.intervals import clustered
from runs.analysis.statistics.quantiles import quantiles

WHISKER = 1.5
_NOISE = 1e-12


@dataclass(frozen=True, slots=True)
class Outlier:
    """A run beyond the whiskers, by its number."""

    run: int
    value: float


@dataclass(frozen=True, slots=True)
class BoxSummary:
    """The statistics of a box plot of `n` runs. Either all are defined or none."""

    n: int
    mean: Estimate
    low: Estimate
    q1: Estimate
    median: Estimate
    q3: Estimate
    high: Estimate
    outliers: tuple[Outlier, ...] = ()


def mean_of(values: Sequence[float], reason: str, interval: Interval | None = None) -> Estimate:
    """The arithmetic mean, independent of the order, with its `interval`; undefined with `reason` without values."""
    if not values:
        return Estimate.unknown(reason)
    return Estimate(math.fsum(values) / len(values), len(values), interval=interval)


def mean_share(groups: Collection[Sequence[bool]], reason: str) -> Estimate:
    """The mean over groups of the share of hits in each, with the interval of `clustered`; n counts groups."""
    rates = [sum(hits) / len(hits) for hits in groups]
    return mean_of(rates, reason, clustered(rates, [len(hits) for hits in groups]))


def median_of(values: Sequence[float], reason: str) -> Estimate:
    """The median; undefined with `reason` without values."""
    return Estimate(float(np.median(values)), len(values)) if values else Estimate.unknown(reason)


def ratio(part: float, whole: float, n: int, reason: str) -> Estimate:
    """`part ÷ whole` over n observations; undefined with `reason` if the whole is 0."""
    return Estimate(part / whole, n) if whole else Estimate.unknown(reason, n)


@method("box", "Quartiles, whiskers and outliers", Section.ITERATIONS, 8)
def box(values: Iterable[tuple[int, float]], reason: str) -> BoxSummary:
    """Quartiles, whiskers and outliers of one value for each run, given as (run, value).

    Formula: quartiles as in `quantiles`. With IQR = Q3 − Q1, whiskers end at the outermost values within
    `Q1 − 1.5·IQR` and `Q3 + 1.5·IQR`, or at the box if those are inside it; values beyond are outliers, except by
    rounding.

    Source: IDE-Bench, Figures 3 and 13 (whiskers to 1.5 times IQR; here as in Tukey 1977, Exploratory Data Analysis, so
    that a whisker always ends at a value).

    Units: those of the values.

    Small n: n = 0 leaves all undefined, with `reason`; with n = 1 all equal the value.
    """
    pairs = sorted(values, key=itemgetter(1, 0))
    if not pairs:
        nothing = Estimate.unknown(reason)
        return BoxSummary(0, nothing, nothing, nothing, nothing, nothing, nothing)
    ordered = [value for _, value in pairs]
    sample = quantiles(ordered)
    q1, q3 = sample.p25.value, sample.p75.value
    assert q1 is not None, "there are values"
    assert q3 is not None, "there are values"
    reach = WHISKER * (q3 - q1) + _NOISE * max(abs(ordered[0]), abs(ordered[-1]))
    inside = [value for value in ordered if q1 - reach <= value <= q3 + reach]
    return BoxSummary(
        sample.n,
        mean=sample.mean,
        low=Estimate(float(min(inside[0], q1)), sample.n),
        q1=sample.p25,
        median=sample.median,
        q3=sample.p75,
        high=Estimate(float(max(inside[-1], q3)), sample.n),
        outliers=tuple(Outlier(run, value) for run, value in pairs if not q1 - reach <= value <= q3 + reach),
    )


def all_and_by_agent(runs: Sequence[RunFacts]) -> list[tuple[str | None, Sequence[RunFacts]]]:
    """All runs under None, then those of each agent, agents in alphabetical order."""
    return [(None, runs), *by_agent(runs).items()]
