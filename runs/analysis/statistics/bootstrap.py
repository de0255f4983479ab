"""Intervals by drawing anew: tasks with all that belongs to them, or attempts within tasks that stay.

Tasks are what a benchmark samples, so a statement about other tasks of the same kind draws tasks, each with all of
its attempts. To draw attempts within them as well would count the attempts' own scatter twice: it is in the tasks'
rates already. Attempts alone are drawn for statements about these very tasks: what would these runs give, made again?
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.method import Method

Floats = NDArray[np.float64]
Statistic = Callable[[Floats], Any]
Kind = Literal["bca", "percentile"]

DRAWS = 2000
_TAILS = (0.025, 0.975)
_AT_ONCE = 2_000_000  # numbers: 16 MB
_FLAT = 1e-12


def over_tasks(
    table: Sequence[Any] | Floats,
    statistic: Statistic,
    *,
    kind: Kind = "bca",
    draws: int = DRAWS,
    seed: int = 0,
) -> Estimate:
    """Any statistic of a table whose rows are tasks, with the interval over other tasks of the same kind.

    A row is all that belongs to a task: one rate, one of each agent, every attempt of every agent. `statistic` takes an
    array of tables (… × tasks × the shape of a row) and gives one number for each (…); it may give NaN where it is
    undefined. Where the statistic is a function of means over tasks, `over_task_means` is much faster.
    The order of tasks changes nothing. ValueError for fewer than one draw.

    Formula: rows are drawn with replacement, as many as there are. Percentile: the 2.5 and 97.5 % quantiles of the
    statistic over all draws. BCa: quantiles moved by the bias `z₀`, the normal quantile of the share of draws below the
    observed value, those that equal it counted half, and by the skewness `a` of the jackknife: at
    `Φ(z₀ + (z₀ + z) ÷ (1 − a(z₀ + z)))` for z = ±1.96. What differs by rounding alone is equal. The percentiles
    themselves where all draws lie to one side of the value, and where leaving a task out changes nothing or leaves the
    statistic undefined. Draws that leave it undefined are left out.

    Source: Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapters 13 and 14; ties as
    `scipy.stats.bootstrap` has them.

    Units: those of the statistic; n counts tasks.

    Small n: no task gives no value. One task, and draws of which nearly all agree, so that both ends would be one, give
    the value without an interval: nothing was seen to vary, which is no proof that nothing does. Where more than half
    of the draws leave it undefined there is no interval. Below some 80 tasks, and for rare outcomes, it is too narrow;
    for a mean of rates see `intervals.clustered`.
    """
    rows = _sorted(table)
    _check(draws)
    if len(rows) == 0:
        return Estimate.unknown("there is no task")
    value = float(statistic(rows))
    if not np.isfinite(value):
        return Estimate.unknown("it is undefined for these tasks", len(rows))
    if len(rows) == 1:
        return Estimate(value, 1)
    left_out = _jackknifed(rows, statistic) if kind == "bca" else None
    return Estimate(
        value, len(rows), interval=_interval(value, _drawn(rows, statistic, draws, seed), left_out)
    )


def over_task_means(
    columns: Sequence[Sequence[float]] | Floats,
    statistic: Statistic,
    *,
    kind: Kind = "bca",
    draws: int = DRAWS,
    seed: int = 0,
) -> Estimate:
    """A statistic that is a function of means over tasks, with the interval over other tasks of the same kind.

    `columns` has a row for each task; `statistic` takes arrays of column means (… × columns) and gives one number for
    each; it may give NaN where it is undefined, and such draws are left out. All statistics of one table see the same
    draws. The order of tasks changes nothing. ValueError for fewer than one draw.

    Formula: as `over_tasks`, but each draw is a row of multinomial weights, so all draws are one product of matrices.

    Source: Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapters 13, 14 and 20 (resampling vectors).

    Units: those of the statistic; n counts tasks.

    Small n: as `over_tasks`.
    """
    rows = _sorted(columns)
    _check(draws)
    n = len(rows)
    if n == 0:
        return Estimate.unknown("there is no task")
    value = float(statistic(rows.mean(axis=0)))
    if not np.isfinite(value):
        return Estimate.unknown("it is undefined for these tasks", n)
    if n == 1:
        return Estimate(value, 1)
    drawn = np.asarray(statistic(_weights(n, draws, seed) @ rows))
    left_out = np.asarray(statistic((rows.sum(axis=0) - rows) / (n - 1))) if kind == "bca" else None
    return Estimate(value, n, interval=_interval(value, drawn, left_out))


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


def over_attempts(
    attempts: Sequence[Sequence[float]], statistic: Statistic, *, draws: int = DRAWS, seed: int = 0
) -> Estimate:
    """A statistic of the tasks' mean rates, with the interval over other runs at these very tasks.

    `attempts` has what each attempt at each task gave; their numbers may differ. `statistic` takes arrays of mean rates
    (… × tasks, in the order given) and gives one number for each. ValueError for a task without an attempt and for
    fewer than one draw.

    Formula: each task's k attempts are drawn with replacement; deviations from the task's mean are stretched by
    `√(k ÷ (k − 1))`, without which k draws scatter too little. The 2.5 and 97.5 % quantiles over all draws.

    Source: Davison and Hinkley 1997, Bootstrap Methods and their Application, section 3.8; the stretching is Rao and
    Wu's (1988), Resampling Inference with Complex Survey Data.

    Units: those of the statistic; n counts tasks.

    Small n: no task gives no value. Where a task has one attempt only, nothing is known of how its attempts vary: value
    without an interval. The same holds where all draws agree.
    """
    _check(draws)
    if not attempts:
        return Estimate.unknown("there is no task")
    if not all(len(one) for one in attempts):
        raise ValueError("a task without an attempt has no mean rate")
    centres = np.array([np.mean(one) for one in attempts])
    value = float(statistic(centres))
    if not np.isfinite(value):
        return Estimate.unknown("it is undefined for these tasks", len(attempts))
    if min(map(len, attempts)) == 1:
        return Estimate(value, len(attempts))
    drawn = np.asarray(statistic(_redrawn(attempts, centres, draws, seed)))
    return Estimate(value, len(attempts), interval=_interval(value, drawn, None))


def _sorted(rows: Sequence[Any] | Floats) -> Floats:
    """Rows in the order of their values, so that the draws do not hang on how tasks were ordered."""
    table = np.asarray(rows, dtype=float)
    return table[np.lexsort(table.reshape(len(table), -1).T[::-1])] if len(table) else table


def _check(draws: int) -> None:
    if draws < 1:
        raise ValueError(f"{draws} draws: at least one is needed")


def _drawn(rows: Floats, statistic: Statistic, draws: int, seed: int) -> Floats:
    """The statistic of each draw."""
    generator = np.random.default_rng(seed)
    n = len(rows)
    at_once = max(1, _AT_ONCE // rows.size)
    found = [
        np.asarray(statistic(rows[generator.integers(0, n, (min(at_once, draws - start), n))]))
        for start in range(0, draws, at_once)
    ]
    return np.concatenate(found)


def _jackknifed(rows: Floats, statistic: Statistic) -> Floats:
    """The statistic without each row in turn."""
    n = len(rows)
    others = np.arange(n - 1)
    at_once = max(1, _AT_ONCE // rows.size)
    found = []
    for start in range(0, n, at_once):
        without = np.arange(start, min(n, start + at_once))[:, None]
        found.append(np.asarray(statistic(rows[others + (others >= without)])))
    return np.concatenate(found)


def _interval(value: float, drawn: Floats, left_out: Floats | None) -> Interval | None:
    """Quantiles of the draws, moved as BCa wants it when the jackknife's values are given."""
    drawn = drawn[np.isfinite(drawn)] if np.isfinite(drawn).mean() > 1 / 2 else drawn[:0]
    if flat(drawn):
        return None
    places = _TAILS if left_out is None else corrected_tails(value, drawn, left_out)
    low, high = np.quantile(drawn, places)
    return Interval(float(low), float(high)) if low < high else None


def flat(drawn: Floats) -> bool:
    """Whether there is no draw, or all agree but for rounding."""
    return drawn.size == 0 or bool(np.ptp(drawn) <= _noise(drawn))


def _noise(drawn: Floats) -> float:
    """What rounding alone can make of equal values."""
    return _FLAT * max(1.0, float(np.abs(drawn).max()))


def _weights(n: int, draws: int, seed: int) -> Floats:
    """Shares of n tasks in each draw: draws × tasks."""
    return _kept_weights(n, draws, seed) if n * draws <= _AT_ONCE else _drawn_weights(n, draws, seed)


@lru_cache(maxsize=2)
def _kept_weights(n: int, draws: int, seed: int) -> Floats:
    return _drawn_weights(n, draws, seed)


def _drawn_weights(n: int, draws: int, seed: int) -> Floats:
    generator = np.random.default_rng(seed)
    places = generator.integers(0, n, (draws, n)) + n * np.arange(draws)[:, None]
    return np.bincount(places.ravel(), minlength=n * draws).reshape(draws, n) / n


def _redrawn(attempts: Sequence[Sequence[float]], centres: Floats, draws: int, seed: int) -> Floats:
    """Mean rates of each task in each draw: draws × tasks. Tasks of as many attempts are drawn together."""
    generator = np.random.default_rng(seed)
    sizes = np.array([len(one) for one in attempts])
    found = np.empty((draws, len(attempts)))
    for size in sorted(set(sizes.tolist())):
        chosen = np.flatnonzero(sizes == size)
        values: Floats = np.array([attempts[task] for task in chosen.tolist()], dtype=np.float64)
        places = generator.integers(0, size, (draws, len(chosen), size))
        means = np.take_along_axis(values[None], places, axis=2).mean(axis=2)
        stretch = (size / (size - 1)) ** 0.5
        found[:, chosen] = centres[chosen] + stretch * (means - centres[chosen])
    return found


METHODS = (
    Method("bootstrap-over-tasks", "The bootstrap over tasks", over_tasks),
    Method("bootstrap-over-task-means", "The bootstrap of functions of means", over_task_means),
    Method("bootstrap-over-attempts", "The bootstrap over attempts", over_attempts),
    Method("bootstrap-expanded", "Expanded percentiles", expanded_tails),
)
