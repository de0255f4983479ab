"""Confidence intervals of proportions and of means over tasks."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

from runs.analysis.estimate import Interval
from runs.analysis.method import Section, method

Z_95 = 1.96
_MIN_VALUE = 0.8


@method(
    "interval",
    "Intervals of single outcomes",
    Section.INTERVALS,
    2,
    short="95 % interval (Wilson): the range of true rates that fit what was observed.",
    example="7 of 10 resolved is 70 %, with an interval from 40 to 89 %.",
)
def wilson(rate: float, n: int) -> Interval | None:
    """Wilson's score interval of a proportion over n tasks; asymmetric, never outside 0 to 1.

    It treats each task as one binary outcome. With repeated attempts it is too wide: see `clustered`. ValueError for a
    rate outside 0 to 1 and for a negative n.

    Formula: centre `(p + z² ÷ 2n) ÷ (1 + z² ÷ n)`, half width `z ÷ (1 + z² ÷ n) · √(p(1 − p) ÷ n + z² ÷ 4n²)`, cut at 0
    and 1.

    Source: Wilson 1927, Probable Inference, the Law of Succession, and Statistical Inference. IDE-Bench prints these
    half widths in its Table 1, with z = 1.96 and n = 80.

    Units: `rate` and both ends are shares from 0 to 1; `z` is 1.96, the normal quantile for 95 %.

    Small n: n = 0 gives None; n = 1 gives a very wide interval (0 to 0.79, or 0.21 to 1), never a width of zero.
    """
    if n < 0 or not 0 <= rate <= 1:
        raise ValueError(f"a rate of {rate} over {n} tasks")
    return score(rate, n, Z_95) if n else None


def wilson_half_width(rate: float, n: float, z: float = Z_95) -> float:
    """Half the width of the Wilson interval, printed after ± in tables. n ≥ 1."""
    return z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))


@method(
    "clustered-interval",
    "Intervals of means over tasks",
    Section.INTERVALS,
    1,
    short=(
        "95 % interval: where pass@1 would lie over many more tasks like these; Wilson’s interval, "
        "made narrower by repeated attempts."
    ),
    example="60 % over 50 tasks, one attempt each, has an interval from 46 to 72 %.",
)
def clustered(
    rates: Sequence[float], attempts: Sequence[float], z: float = Z_95, groups: Sequence[Hashable] = ()
) -> Interval | None:
    """The interval of a mean over tasks, where each task has a rate from repeated attempts.

    It is about the mean over all tasks like these, drawn from these repositories in the proportions in which they are
    here. With other repositories, which may be easier or harder, the mean lies in it less often: `mean_of_groups` is
    about them. Wilson's interval treats each task as one binary outcome and is
    too wide if attempts average out (coverage 96 to 100 %). The bootstrap is too narrow if few tasks have a rare
    outcome: with twenty tasks the percentile bootstrap covers down to 71 %, BCa to 77, the studentised one to 55. This
    interval is Wilson's with the effective number of binary tasks that gives the same uncertainty of the mean. With one
    attempt each it is exactly `wilson(mean, n)`. Its coverage is 93 to 97 % (`benchmarks.calibration`).
    For a mean of pass@k from n attempts use n ÷ k, the number of independent tries. `groups`: one for each task, such
    as the scenario of a workflow task; tasks of one group are not independent. Empty: all tasks are.
    ValueError for sequences of different length, a rate outside 0 to 1, and less than one attempt.

    Formula: mean p, `d = Σ(rᵢ − p)² ÷ (n · p(1 − p))`: the variance of the rates relative to that of binary outcomes
    (which gives 1). Without bias, `δ = n·d ÷ (n − 1 + d)`, but at least `0.8 ÷ k`, k the harmonic mean of the attempts:
    the value for identical tasks is `1 ÷ k`. If few tasks have the rarer outcome, δ is imprecise and is shrunk towards
    1: `δ' = (K²δ + 1) ÷ (K² + 1)` with `K = n·q ÷ (q + d(1 − q))` and `q = min(p, 1 − p)`. K is Kish's effective number
    of those tasks: three tasks with one success each give 3, two tasks with successes only give 2. The interval is
    Wilson's formula with p, and `n ÷ δ'` instead of n. With groups, n counts groups, and the deviation of a group is
    the sum of its tasks' rᵢ − p, divided by the mean number of tasks in a group; its attempts are those of its tasks.

    Source: ours. Wilson's interval with an effective sample size is Kott and Carr 1997, and Dean and Pagano 2015,
    Evaluating Confidence Interval Methods for Binomial Proportions in Clustered Surveys; the weight K² was chosen among
    several (none, np(1 − p), K, K², 1¼ to 3 times K²; with a normal and a t quantile), and 0.8 between 0.6 and 1, by
    coverage.

    Units: rates and both ends are shares from 0 to 1.

    Small n: unknown without a task. One task gives Wilson's for n = 1, because the variation is unknown. Rates that are
    all 0 or all 1 give Wilson's for n; equal rates never give width zero.
    """
    if len(rates) != len(attempts):
        raise ValueError(f"{len(rates)} rates and the attempts of {len(attempts)} tasks")
    if not rates:
        return None
    for rate, tries in set(zip(rates, attempts, strict=True)):
        if not (0 <= rate <= 1 and tries >= 1):
            raise ValueError(f"a rate of {rate} from {tries} attempts")
    centre = min(1.0, math.fsum(rates) / len(rates))
    deviations: Sequence[float] = [rate - centre for rate in rates]
    if groups:
        deviations, attempts = summed_by_group(deviations, attempts, groups)
    most = len(deviations) * centre * (1 - centre)
    squares = {deviation: deviation**2 for deviation in set(deviations)}  # most tasks have one of few rates
    spread = math.fsum(map(squares.__getitem__, deviations)) / most if most > 0 else 1.0
    return score(centre, effective_tasks(attempts, spread, min(centre, 1 - centre)), z)


def groups_of(scenarios: Sequence[str]) -> tuple[Hashable, ...]:
    """The groups of `clustered` for tasks with these scenarios ('' for none); empty if no task has one."""
    if not any(scenarios):
        return ()
    return tuple(scenario or number for number, scenario in enumerate(scenarios))


def summed_by_group(
    deviations: Sequence[float], attempts: Sequence[float], groups: Sequence[Hashable]
) -> tuple[list[float], list[float]]:
    """The deviation and the attempts of each group. ValueError unless there is a group for each task."""
    sums: dict[Hashable, list[float]] = {}
    for deviation, tries, group in zip(deviations, attempts, groups, strict=True):
        of_group = sums.setdefault(group, [0.0, 0.0])
        of_group[0] += deviation
        of_group[1] += tries
    scale = len(sums) / len(deviations)
    return [deviation * scale for deviation, _ in sums.values()], [tries for _, tries in sums.values()]


def effective_tasks(attempts: Sequence[float], spread: float, rarer: float) -> float:
    """The effective number of binary tasks for the uncertainty of a mean: `n ÷ δ'` of `clustered`.

    `attempts` are those at each of the n tasks, `spread` the variance of the rates relative to that of binary outcomes,
    `rarer` the share of the rarer outcome.
    """
    n = len(attempts)
    if n == 1 or rarer <= 0:
        return n
    inverse = {tries: 1 / tries for tries in set(attempts)}
    least = _MIN_VALUE * math.fsum(map(inverse.__getitem__, attempts)) / n
    share = max(n * spread / (n - 1 + spread), least)
    carriers = n * rarer / (rarer + spread * (1 - rarer))
    return n / min(1.0, (carriers**2 * share + 1) / (carriers**2 + 1))


def score(rate: float, n: float, z: float) -> Interval:
    """Wilson's interval of a rate over n binary tasks with the quantile z; n need not be whole."""
    shrink = 1 + z * z / n
    centre = (rate + z * z / (2 * n)) / shrink
    half = wilson_half_width(rate, n, z)
    # At 0 and 1 the rate is an end of the interval; rounding must not exclude it.
    return Interval(max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half)))
