"""The consistency of repeated attempts: how test pass rates vary between and within tasks."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from runs.analysis.estimate import Estimate, Exclusion, Interval
from runs.analysis.facts import TESTS, Need, RunFacts, Shortage, scenarios_of, shortages, sift, test_rates
from runs.analysis.method import Section, method
from runs.analysis.statistics.intervals import groups_of
from runs.analysis.statistics.jackknife import OF_RATIOS, Floats, Jackknife, of_difference
from runs.analysis.statistics.means import of_shares
from runs.analysis.statistics.summaries import mean_of

_NO_TASK = "no task was tried"
_NO_REPEAT = "no task has two attempts"
_ONE_TASK = "one task does not show how tasks differ"
_ALL_ALIKE = "no attempt differs from any other"
_NEVER_DIFFER = "attempts at a task never differ"
_TINY = 1e-12
_MAX_VARIANCE = 0.25  # of anything between 0 and 1


@dataclass(frozen=True, slots=True)
class Consistency:
    """How one agent's test pass rates vary. Rates are from 0 to 1, so their true variances are at most 0.25.

    `sigma` and `sigma_population` use the tasks with two attempts or more (their n), the others all tasks. `between`,
    `within`, `icc` and `reliability` are estimates of the variance components; those `of_means` take the formula of
    IDE-Bench literally. `unrepeated`: how many tasks have one attempt only. `untested`: attempts without a test result,
    which count by their outcome; `sigma_known` is σ without them.
    """

    agent: str
    sigma: Estimate
    sigma_population: Estimate
    between: Estimate
    within: Estimate
    icc: Estimate
    reliability: Estimate
    between_of_means: Estimate
    icc_of_means: Estimate
    reliability_of_means: Estimate
    tasks: int
    attempts: int
    unrepeated: int
    sigma_known: Estimate
    untested: int


@dataclass(frozen=True, slots=True)
class ConsistencyTable:
    """Every agent with a test result, smallest σ first (unknown ones last, then by name).

    `untested`: runs without a test result that count by their outcome.
    """

    rows: tuple[Consistency, ...]
    excluded: tuple[Exclusion, ...]
    untested: tuple[Exclusion, ...]
    shortages: tuple[Shortage, ...]


@method("consistency", "Consistency over attempts", Section.CONSISTENCY, 1)
def consistency(runs: Iterable[RunFacts]) -> ConsistencyTable:
    """The consistency of each agent over attempts at the same task, with all estimates of `consistency_of`.

    Runs of agents without any test result are listed, and so are missing attempts compared with the plan.

    Formula: as `consistency_of`, of each agent's test pass rates (passed ÷ expected tests of each attempt). An attempt
    without a test result counts as 1 if it resolved its task, else as 0; `sigma_known` leaves it out.

    Source: IDE-Bench, A.4 and Tables 5 and 6.

    Units: σ in shares of the tests, variances in their squares; ICC and R have none.

    Small n: no run gives no row.
    """
    given = tuple(runs)
    report = {run.agent for run in sift(given, TESTS).usable}
    sifted = sift(given, Need(TESTS.reason, lambda run: run.agent in report))
    scenarios = scenarios_of(sifted.usable)
    known = test_rates(sifted.usable, by_outcome=False)
    rows = [
        _with_known(_of_tasks(agent, tasks, scenarios), _of_tasks(agent, known[agent], scenarios))
        for agent, tasks in test_rates(sifted.usable, by_outcome=True).items()
    ]
    rows.sort(key=lambda row: (row.sigma.value is None, row.sigma.value or 0.0, row.agent))
    untested = sift(sifted.usable, TESTS).excluded
    return ConsistencyTable(tuple(rows), sifted.excluded, untested, shortages(given))


def _of_tasks(agent: str, tasks: Mapping[str, Sequence[float]], scenarios: Mapping[str, str]) -> Consistency:
    return consistency_of(agent, list(tasks.values()), groups_of([scenarios[task] for task in tasks]))


def _with_known(found: Consistency, known: Consistency) -> Consistency:
    return replace(found, sigma_known=known.sigma, untested=found.attempts - known.attempts)


@method("consistency-of-an-agent", "σ, components of variance, ICC and R", Section.CONSISTENCY, 2)
def consistency_of(
    agent: str, attempts: Sequence[Sequence[float]], groups: Sequence[Hashable] = ()
) -> Consistency:
    """σ, variance between and within tasks, ICC and reliability ratio of the results of attempts.

    `attempts` has a sequence for each task; their lengths may differ. ValueError for a task without an attempt. σ has
    the interval of a mean of shares, which never has width zero; the others have jackknife intervals if every task can
    be left out. `groups`: as in `clustered`; the personas of one scenario are left out together.

    Formula: σ is the mean over tasks of the sample standard deviation (÷ (k − 1)) of the task's k rates; the version
    with ÷ k is given as well. Components: with n tasks, N attempts and kᵢ of task i, `within = Σᵢ Σⱼ (xᵢⱼ − x̄ᵢ)² ÷ (N
    − n)` and `between = (Σᵢ kᵢ(x̄ᵢ − x̄)² ÷ (n − 1) − within) ÷ k₀`, `k₀ = (N − Σkᵢ² ÷ N) ÷ (n − 1)`; below zero it is
    set to 0. `ICC = between ÷ (between + within)`, `R = between ÷ within`. Of means: the sample variance of the x̄ᵢ
    takes the place of `between`. Intervals: `within`, the variance of means and `F = Σᵢ kᵢ(x̄ᵢ − x̄)² ÷ ((n − 1) ·
    within)` have those for variances and their ratios; ICC and R that of F, at `(F − 1) ÷ (F + k₀ − 1)` and `(F − 1) ÷
    k₀`, cut at 0; `between` that of a difference of variances, divided by k₀ and cut at 0; those of means follow from
    the ratio of both variances. No variance of rates is above ¼, so the intervals of variances end there, or at the
    value. If nothing above 0 remains, there is no interval: tasks are more alike than independent attempts allow. σ
    uses the tasks with two attempts or more. With g groups, variances of means and between tasks are divided by
    `n(g − 1) ÷ g` instead of n − 1: if the tasks of each group are equal, that is the variance of one task of each.

    Source: IDE-Bench, A.4 and Tables 5 and 6. The paper defines ICC and R, but the components only in words.
    Taken literally, the variance between tasks is that of their means; but that contains `within ÷ k`, so with five
    attempts its ICC is 1/6 if all tasks are alike, where it should be 0. The tables do not show which of the two was
    used, nor the divisor of σ: Table 9 says "sample", Table 5 says nothing. The components here are those of the
    one-way analysis of variance with random effects: Searle, Casella and McCulloch 1992, Variance Components, section
    3.6. The paper's names for levels of variance are not used: it gives no thresholds for them.

    Units: σ in shares of the tests, variances in their squares; ICC (0 to 1) and R (0 or more) have none.

    Small n: no task gives no value. One task has σ and `within` only. Without a task with two attempts only the
    variance of means is known. Without any variance ICC and R are undefined; without variance within tasks ICC is 1 and
    R undefined. σ from few attempts is biased downwards: for normal rates and five attempts by 6 %, for rare failures
    by more; `within` is not.
    """
    if not all(map(len, attempts)):
        raise ValueError("a task has no attempt")
    # Sorted, so that the order does not affect rounding.
    tasks = sorted(
        zip(map(sorted, attempts), groups or range(len(attempts)), strict=True), key=lambda task: task[0]
    )
    repeated = [(rates, group) for rates, group in tasks if len(rates) > 1]
    deviations = [_deviations(rates) for rates, _ in repeated]
    samples, populations = ([pair[place] for pair in deviations] for place in (0, 1))
    among = [group for _, group in repeated] if groups else ()
    rows = _summed([_sums(rates) for rates, _ in tasks], [group for _, group in tasks] if groups else ())
    reason = _NO_REPEAT if attempts else _NO_TASK
    # Standard deviations of shares lie between 0 and 1, too.
    sigma = mean_of(samples, reason, of_shares(samples, among))
    return Consistency(
        agent=agent,
        sigma=sigma,
        sigma_known=sigma,
        sigma_population=mean_of(populations, reason, of_shares(populations, among)),
        **_estimates(rows, repeated=bool(repeated)),
        tasks=len(attempts),
        attempts=sum(map(len, attempts)),
        unrepeated=len(attempts) - len(repeated),
        untested=0,
    )


@method(
    "icc",
    "Intraclass correlation",
    Section.CONSISTENCY,
    3,
    short="ICC: how much of the variance of results lies between tasks, not between attempts at one task.",
    example="1: each task always has the same result; 0: only chance decides.",
)
def icc_of(between: float, within: float, n: int = 1, odds: Interval | None = None) -> Estimate:
    """The intraclass correlation: the share of the variance that lies between tasks.

    `odds` is the interval of between ÷ within; the result has the matching interval.

    Formula: `between ÷ (between + within)`. 1: all attempts at a task give the same result.

    Source: IDE-Bench, A.4; its Table 6 follows from the variances in the same table, up to rounding.

    Units: both variances in the same units; the ICC has none.

    Small n: two variances of zero leave it undefined.
    """
    if between + within == 0:
        return Estimate.unknown(_ALL_ALIKE, n)
    interval = odds and Interval(odds.low / (1 + odds.low), odds.high / (1 + odds.high))
    return Estimate(between / (between + within), n, interval=interval)


@method("reliability", "Reliability ratio", Section.CONSISTENCY, 4)
def reliability_of(between: float, within: float, n: int = 1, odds: Interval | None = None) -> Estimate:
    """The ratio of the variance between tasks to the variance between attempts; `odds` is its interval.

    Formula: `between ÷ within`, which is ICC ÷ (1 − ICC).

    Source: IDE-Bench, A.4 and Table 6.

    Units: both variances in the same units; the ratio has none.

    Small n: no variance within tasks leaves it undefined.
    """
    if within == 0:
        return Estimate.unknown(_NEVER_DIFFER if between else _ALL_ALIKE, n)
    return Estimate(between / within, n, interval=odds)


# One row for each task, so that every estimate is a function of the sum of rows and the number of groups of tasks.
_MEAN, _MEAN_2, _K, _K_2, _SUM, _SUM_2, _SCATTER, _TASKS = range(8)


def _sums(rates: Sequence[float]) -> tuple[float, ...]:
    k = len(rates)
    mean = math.fsum(rates) / k
    scatter = math.fsum((x - mean) ** 2 for x in rates) if min(rates) < max(rates) else 0.0
    return mean, mean**2, k, k * k, k * mean, k * mean**2, scatter, 1.0


def _summed(rows: Sequence[tuple[float, ...]], groups: Sequence[Hashable]) -> Floats:
    """The rows as an array; the sum of those of each group, if there are groups."""
    if not groups:
        return np.array(rows).reshape(len(rows), _TASKS + 1)
    by_group: dict[Hashable, list[tuple[float, ...]]] = {}
    for row, group in zip(rows, groups, strict=True):
        by_group.setdefault(group, []).append(row)
    return np.array(sorted(tuple(map(math.fsum, zip(*own, strict=True))) for own in by_group.values()))


def _deviations(rates: Sequence[float]) -> tuple[float, float]:
    """The sample standard deviation, and that of a population."""
    scatter = _sums(rates)[_SCATTER]
    return math.sqrt(scatter / (len(rates) - 1)), math.sqrt(scatter / len(rates))


def _within(s: Floats, _groups: int) -> Floats:
    spare = s[..., _K] - s[..., _TASKS]
    return np.where(spare > 0, _without_rounding(s[..., _SCATTER]) / np.where(spare > 0, spare, 1), np.nan)


def _of_means(s: Floats, groups: int) -> Floats:
    spread = np.maximum(0, s[..., _MEAN_2] - s[..., _MEAN] ** 2 / s[..., _TASKS])
    return _without_rounding(spread / _freedom(s, groups))


def _between_groups(s: Floats, groups: int) -> Floats:
    """Σ kᵢ(x̄ᵢ − x̄)² ÷ (n − 1)."""
    spread = np.maximum(0, s[..., _SUM_2] - s[..., _SUM] ** 2 / s[..., _K])
    return _without_rounding(spread / _freedom(s, groups))


def _freedom(s: Floats, groups: int) -> Floats:
    """n − 1 if each of n tasks is a group; see `consistency_of`."""
    return np.asarray(s[..., _TASKS] * (groups - 1) / groups)


def _estimates(rows: Floats, *, repeated: bool) -> dict[str, Estimate]:
    groups, total = len(rows), rows.sum(axis=0)
    n = int(total[_TASKS])
    reason = _NO_TASK if n == 0 else _ONE_TASK if groups == 1 and repeated else _NO_REPEAT
    estimates = dict.fromkeys(_COMPONENTS, Estimate.unknown(reason, n))
    if groups == 1:
        estimates["between_of_means"] = Estimate.unknown(_ONE_TASK, n)
    within = _jackknifed(rows, _within) if repeated else None
    if repeated:
        estimates["within"] = _variance(float(_within(total, groups)), n, within)
    if groups > 1:
        means = float(_of_means(total, groups))
        estimates["between_of_means"] = _variance(means, n, _jackknifed(rows, _of_means))
    if groups > 1 and repeated:
        estimates |= _by_variance(rows, total, within)
        estimates |= _by_variance_of_means(rows, total)
    return estimates


_COMPONENTS = (
    "between",
    "within",
    "icc",
    "reliability",
    "between_of_means",
    "icc_of_means",
    "reliability_of_means",
)


def _by_variance(rows: Floats, total: Floats, within: Jackknife | None) -> dict[str, Estimate]:
    n = int(total[_TASKS])
    size = float((total[_K] - total[_K_2] / total[_K]) / (n - 1))
    groups, inside = float(_between_groups(total, len(rows))), float(_within(total, len(rows)))
    between = float(_without_rounding(np.array(max(0.0, groups - inside) / size)))
    outside = _jackknifed(rows, _between_groups)
    both = of_difference(outside, within) if outside and within else None
    ratio = _ends(_jackknifed(rows, lambda s, g: _ratio(_between_groups(s, g), _within(s, g))), OF_RATIOS)
    odds = ratio and _from_zero((ratio.low - 1) / size, (ratio.high - 1) / size)
    ends = both and _from_zero(both.low / size, both.high / size)
    return {
        "between": Estimate(between, n, interval=ends and _possible(ends, between)),
        "icc": icc_of(between, inside, n, odds),
        "reliability": reliability_of(between, inside, n, odds),
    }


def _by_variance_of_means(rows: Floats, total: Floats) -> dict[str, Estimate]:
    n = int(total[_TASKS])
    means, inside = float(_of_means(total, len(rows))), float(_within(total, len(rows)))
    odds = _ends(_jackknifed(rows, lambda s, g: _ratio(_of_means(s, g), _within(s, g))), OF_RATIOS)
    return {
        "icc_of_means": icc_of(means, inside, n, odds),
        "reliability_of_means": reliability_of(means, inside, n, odds),
    }


def _variance(value: float, n: int, jackknife: Jackknife | None) -> Estimate:
    ends = _ends(jackknife)
    return Estimate(value, n, interval=ends and _possible(ends, value))


def _possible(ends: Interval, value: float) -> Interval:
    """Cuts the interval of a variance of rates at the largest possible variance, or at a larger estimate."""
    return Interval(ends.low, min(ends.high, max(value, _MAX_VARIANCE)))


def _from_zero(low: float, high: float) -> Interval | None:
    """The part of the interval that is not negative; None if this is empty or only 0."""
    return Interval(max(0.0, low), high) if high > 0 else None


def _jackknifed(rows: Floats, quantity: Callable[[Floats, int], Floats]) -> Jackknife | None:
    groups = len(rows)
    if groups < 3:
        return None
    total = rows.sum(axis=0)
    return Jackknife.of(float(quantity(total, groups)), quantity(total - rows, groups - 1))


def _ends(jackknife: Jackknife | None, exponent: float = 1.0) -> Interval | None:
    return jackknife.interval(exponent) if jackknife else None


def _ratio(variance: Floats, other: Floats) -> Floats:
    return np.where(other > 0, variance / np.where(other > 0, other, 1), np.nan)


def _without_rounding(variances: Floats) -> Floats:
    """The variances; 0 for those that differ from 0 by rounding only."""
    return np.where(variances < _TINY, 0.0, variances)
