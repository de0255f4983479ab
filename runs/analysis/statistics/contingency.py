"""Shares, and 2 × 2 tables: the association of a failure mode with failing, and of two modes with each other."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.method import Section, method
from runs.analysis.statistics.correlations import MIN_COUNT, interval_of_correlation
from runs.analysis.statistics.intervals import Z_95, clustered, wilson

# By whether some task has failed runs with the mode and resolved runs without it, and whether one has the opposite.
_NO_RATIO = {
    (False, False): "no task has resolved and failed runs that differ in the mode",
    (True, False): "where runs of a task differ, only failed ones show the mode: the ratio is infinite",
    (False, True): "where runs of a task differ, only resolved ones show the mode: the ratio is 0",
}


class ContingencyTable(NamedTuple):
    """Runs by two properties: `both`, the first only, the second only, `neither`."""

    both: int
    first: int
    second: int
    neither: int

    @property
    def n(self) -> int:
        """The number of runs."""
        return sum(self)


def share(part: int, whole: int, reason: str) -> Estimate:
    """`part ÷ whole` with its Wilson interval; undefined with `reason` if the whole is 0."""
    if not whole:
        return Estimate.unknown(reason)
    return Estimate(part / whole, whole, interval=wilson(part / whole, whole))


def share_of(holds: Sequence[bool], reason: str, groups: Sequence[Hashable] = ()) -> Estimate:
    """The share of tasks for which something holds, with its Wilson interval; with groups that of `clustered`.

    Undefined with `reason` without a task.
    """
    if not groups or not holds:
        return share(sum(holds), len(holds), reason)
    rates = [float(held) for held in holds]
    value = sum(rates) / len(rates)
    return Estimate(value, len(rates), interval=clustered(rates, [1] * len(rates), groups=groups))


@method("odds-ratio", "Odds ratio of a mode and failing", Section.FAILURE_MODES, 4)
def odds_ratio(table: ContingencyTable) -> Estimate:
    """The odds ratio of two properties: 1 means that they are unrelated.

    Here the first is a failure mode and the second a failed run: with a value near 1, or an interval that contains 1,
    resolved runs show the mode as often, so the mode does not explain failures. ValueError for a negative count.

    Formula: `(both × neither) ÷ (first alone × second alone)`; 0.5 is added to all four if one of them is 0.
    Interval: `exp(ln OR ± 1.96 √(1 ÷ both + 1 ÷ first alone + 1 ÷ second alone + 1 ÷ neither))`.

    Source: Woolf 1955, On Estimating the Relation Between Blood Group and Disease; the correction is Haldane's and
    Anscombe's. The papers count modes in failed runs only. Attempts at one task are not independent, so the
    interval is too narrow; `odds_ratio_within` stratifies by task.

    Units: runs; the result is a plain ratio above 0.

    Small n: None with a reason if all runs, or none, have one of the properties, so always for n = 0 and n = 1.
    """
    _check(table)
    margins = {
        "there is no run": table.n,
        "no run shows the mode": table.both + table.first,
        "every run shows the mode": table.second + table.neither,
        "no run failed": table.both + table.second,
        "no run resolved its task": table.first + table.neither,
    }
    for reason, count in margins.items():
        if count == 0:
            return Estimate.unknown(reason, table.n)
    a, b, c, d = (count + 0.5 if 0 in table else float(count) for count in table)
    return _on_log_scale(math.log(a * d / (b * c)), math.sqrt(1 / a + 1 / b + 1 / c + 1 / d), table.n)


@method("odds-ratio-p", "Significance of an odds ratio", Section.FAILURE_MODES, 4)
def p_of_odds_ratio(ratio: Estimate) -> Estimate:
    """How often unrelated properties have an odds ratio at least as far from 1, in either direction.

    Formula: two-sided normal test of ln OR ÷ error, with the error that the 95 % interval has on the log scale. For
    several modes p is corrected with Holm's method.

    Source: Wald's test of Woolf's error, as for `odds_ratio`.

    Units: a probability from 0 to 1.

    Small n: undefined where the odds ratio is.
    """
    if ratio.value is None or ratio.interval is None:
        return ratio
    error = math.log(ratio.interval.high / ratio.interval.low) / (2 * Z_95)
    return Estimate(math.erfc(abs(math.log(ratio.value)) / error / math.sqrt(2)), ratio.n)


@method("odds-ratio-within-tasks", "Odds ratio within tasks", Section.FAILURE_MODES, 5)
def odds_ratio_within(tables: Sequence[ContingencyTable]) -> Estimate:
    """The odds ratio stratified by task, one table for each: runs of hard tasks are longer and show more modes.

    A mode whose ratio falls to 1 here is related to hard tasks, not to failing at them. ValueError for a negative
    count.

    Formula: `Σ R ÷ Σ S` over tasks, with `R = both × neither ÷ n` and `S = first alone × second alone ÷ n`. Interval:
    `exp(ln OR ± 1.96 √V)`, `V = Σ PR ÷ 2(ΣR)² + Σ (PS + QR) ÷ 2 ΣR ΣS + Σ QS ÷ 2(ΣS)²`, with
    `P = (both + neither) ÷ n` and `Q = 1 − P`.

    Source: Mantel and Haenszel 1959, Statistical Aspects of the Analysis of Data From Retrospective Studies; variance
    of Robins, Breslow and Greenland 1986. The papers have none.

    Units: runs; the result is a plain ratio above 0.

    Small n: None with a reason unless runs of one task differ in one direction, and of the same or another task in the
    other, so always for n = 0 to 3.
    """
    pr = ps_qr = qs = r = s = 0.0
    n = 0
    for table in tables:
        _check(table)
        size = table.n
        if size == 0:
            continue
        n += size
        agree, differ = (table.both + table.neither) / size, (table.first + table.second) / size
        concordant, discordant = table.both * table.neither / size, table.first * table.second / size
        r, s = r + concordant, s + discordant
        pr += agree * concordant
        ps_qr += agree * discordant + differ * concordant
        qs += differ * discordant
    if n == 0:
        return Estimate.unknown("there is no run")
    if r == 0 or s == 0:
        return Estimate.unknown(_NO_RATIO[r > 0, s > 0], n)
    variance = pr / (2 * r * r) + ps_qr / (2 * r * s) + qs / (2 * s * s)
    return _on_log_scale(math.log(r / s), math.sqrt(variance), n)


@method("phi", "Phi coefficient of two modes", Section.FAILURE_MODES, 6)
def phi(table: ContingencyTable) -> Estimate:
    """The phi coefficient of two properties, −1 to 1: 0 means that they are unrelated.

    ValueError for a negative count.

    Formula: `(both × neither − first alone × second alone) ÷ √(with first × without first × with second × without
    second)`, which is Pearson's correlation of two properties that are 0 or 1, with its interval (`correlations`).

    Source: Yule 1912, On the Methods of Measuring Association Between Two Attributes. IDE-Bench, appendix C.2.4, gives
    only counts and shares; two frequent modes often occur together even if they are unrelated.

    Units: runs; the result has none.

    Small n: None with a reason below 5 runs, and if all runs, or none, have one of the properties. The interval is
    rough for rare properties, and treats runs as independent.
    """
    _check(table)
    a, b, c, d = table
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    if margins == 0:
        return Estimate.unknown("all runs, or none, show one of the two", table.n)
    if table.n < MIN_COUNT:
        return Estimate.unknown(f"a correlation needs {MIN_COUNT} runs", table.n)
    value = max(-1.0, min(1.0, (a * d - b * c) / math.sqrt(margins)))
    return Estimate(value, table.n, interval=interval_of_correlation(value, table.n))


@method("shared-signs", "Jaccard index of two modes", Section.FAILURE_MODES, 7)
def jaccard(table: ContingencyTable) -> Estimate:
    """The share of runs with both properties among those with at least one.

    ValueError for a negative count.

    Formula: `both ÷ (both + first alone + second alone)`.

    Source: Jaccard 1912, The Distribution of the Flora in the Alpine Zone. Its use here is ours.

    Units: runs; a share from 0 to 1. n is the number of runs that have one of them.

    Small n: n = 0 gives None; n = 1 gives 0 or 1.
    """
    _check(table)
    n = table.both + table.first + table.second
    return Estimate(table.both / n, n) if n else Estimate.unknown("no run shows either")


def _check(table: ContingencyTable) -> None:
    if min(table) < 0:
        raise ValueError(f"expected counts of 0 or more, not {tuple(table)}")


def _on_log_scale(centre: float, deviation: float, n: int) -> Estimate:
    half = Z_95 * deviation
    return Estimate(math.exp(centre), n, interval=Interval(math.exp(centre - half), math.exp(centre + half)))
