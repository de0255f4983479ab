"""Whether the same task goes the same way again: how test pass rates scatter between and within tasks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from runs.analysis.facts import TESTS, RunFacts, Shortage, shortages, sift, test_rates
from runs.analysis.figure import Exclusion, Figure, Interval
from runs.analysis.method import Method
from runs.analysis.statistics.bootstrap import DRAWS, Floats, Statistic, several_over_task_means
from runs.analysis.statistics.intervals import clustered

_NO_TASK = "no task was tried"
_NO_REPEAT = "no task has two attempts"
_ONE_TASK = "one task says nothing about how tasks differ"
_ALL_ALIKE = "no attempt differs from any other"
_NEVER_DIFFER = "attempts at a task never differ"
_TINY = 1e-12


@dataclass(frozen=True, slots=True)
class Consistency:
    """How one agent's test pass rates scatter. Rates are from 0 to 1, so variances are at most 0.25 and a little.

    `sigma` and `sigma_population` rest on the tasks with two attempts or more (`n` says how many), the others on all
    tasks. `between`, `within`, `icc` and `reliability` are estimates of the components; those `of_means` read the
    formula of IDE-Bench plainly. `unrepeated`: how many tasks have one attempt only.
    """

    agent: str
    sigma: Figure
    sigma_population: Figure
    between: Figure
    within: Figure
    icc: Figure
    reliability: Figure
    between_of_means: Figure
    icc_of_means: Figure
    reliability_of_means: Figure
    tasks: int
    attempts: int
    unrepeated: int


@dataclass(frozen=True, slots=True)
class ConsistencyTable:
    """Every agent with a run that has tests, steadiest first (by σ, unknown ones last, then by name)."""

    rows: tuple[Consistency, ...]
    excluded: tuple[Exclusion, ...]
    shortages: tuple[Shortage, ...]


def consistency(runs: Iterable[RunFacts], *, draws: int = DRAWS, seed: int = 0) -> ConsistencyTable:
    """How steady each agent is over attempts at the same task, in every figure of `consistency_of`.

    Runs without a test pass rate are named, and so are the attempts that are missing from what was planned.

    Formula: as `consistency_of`, of each agent's test pass rates (passed ÷ expected tests of each attempt).

    Source: IDE-Bench, A.4 and Tables 5 and 6.

    Units: σ in shares of the tests, variances in their squares; ICC and R have none.

    Small n: no run gives no row.
    """
    given = tuple(runs)
    sifted = sift(given, TESTS)
    found = [
        consistency_of(agent, list(tasks.values()), draws=draws, seed=seed)
        for agent, tasks in test_rates(sifted.kept).items()
    ]
    return ConsistencyTable(tuple(sorted(found, key=_steadiest_first)), sifted.excluded, shortages(given))


def consistency_of(
    agent: str, attempts: Sequence[Sequence[float]], *, draws: int = DRAWS, seed: int = 0
) -> Consistency:
    """σ, variance between and within tasks, ICC and reliability ratio of what each attempt at each task gave.

    `attempts` has a sequence for each task; their lengths may differ, tasks without an attempt do not belong in it
    (ValueError). σ has the interval of a mean over tasks (`clustered`), which never has a width of zero; the others
    have a seeded bootstrap interval over tasks (BCa) where draws vary. With twenty tasks that one is too narrow: for
    the ICC it covers 75 to 96 %, with eighty 91 to 96 %.

    Formula: σ is the mean over tasks of the sample standard deviation (÷ (k − 1)) of the task's k rates; the one with
    ÷ k stands beside it. Components: with n tasks, N attempts and kᵢ of task i, `within = Σᵢ Σⱼ (xᵢⱼ − x̄ᵢ)² ÷ (N − n)`
    and `between = (Σᵢ kᵢ(x̄ᵢ − x̄)² ÷ (n − 1) − within) ÷ k₀`, `k₀ = (N − Σkᵢ² ÷ N) ÷ (n − 1)`; below zero it counts as
    0. `ICC = between ÷ (between + within)`, `R = between ÷ within`. Of means: the sample variance of the x̄ᵢ takes the
    place of `between`.

    Source: IDE-Bench, A.4 and Tables 5 and 6. The paper gives ICC and R, and says of the components only what they
    capture. Read plainly, the variance between tasks is that of their means; but that contains `within ÷ k`, so with
    five attempts its ICC is 1/6 where all tasks are alike and should give 0. Which of the two was taken cannot be told
    from the tables, and neither can the divisor of σ: Table 9 says "sample", Table 5 says nothing. The components here
    are those of the one-way analysis of variance with random effects: Searle, Casella and McCulloch 1992, Variance
    Components, section 3.6. The paper's words for levels of variance are not used: it gives no rule for them.

    Units: σ in shares of the tests, variances in their squares; ICC (0 to 1) and R (0 or more) have none.

    Small n: no task gives no value. One task has σ and `within` and nothing else. Without a task of two attempts only
    the variance of means is known. Without any variance ICC and R are undefined; with none within tasks ICC is 1 and R
    undefined. σ of few attempts is smaller than of many: for normal rates and five attempts by 6 %, for rare failures
    by more; `within` is not.
    """
    if not all(len(one) for one in attempts):
        raise ValueError("a task without an attempt does not belong here")
    attempts = [sorted(one) for one in attempts]  # so that their order changes no last digit
    repeated = [one for one in attempts if len(one) > 1]
    deviations = [_deviations(one) for one in repeated]
    found = _components([_sums(one) for one in attempts], repeated=bool(repeated), draws=draws, seed=seed)
    reason = _NO_REPEAT if attempts else _NO_TASK
    return Consistency(
        agent=agent,
        sigma=_average([sample for sample, _ in deviations], reason),
        sigma_population=_average([population for _, population in deviations], reason),
        **found,
        tasks=len(attempts),
        attempts=sum(map(len, attempts)),
        unrepeated=len(attempts) - len(repeated),
    )


def icc_of(between: float, within: float) -> Figure:
    """The share of the variance that lies between tasks: 1 says that a task always goes the same way.

    ValueError for a variance below zero.

    Formula: `between ÷ (between + within)`.

    Source: IDE-Bench, A.4; its Table 6 follows from the columns beside it, within what four digits allow.

    Units: both variances in the same units; the ICC has none.

    Small n: two variances of zero leave it undefined.
    """
    _check(between, within)
    return Figure(between / (between + within), 1) if between + within > 0 else Figure.unknown(_ALL_ALIKE)


def reliability_of(between: float, within: float) -> Figure:
    """How many times larger the variance between tasks is than that between attempts. ValueError for one below zero.

    Formula: `between ÷ within`, which is ICC ÷ (1 − ICC).

    Source: IDE-Bench, A.4 and Table 6.

    Units: both variances in the same units; the ratio has none.

    Small n: no variance within tasks leaves it undefined.
    """
    _check(between, within)
    return Figure(between / within, 1) if within > 0 else Figure.unknown(_NEVER_DIFFER)


def _check(between: float, within: float) -> None:
    if not (between >= 0 and within >= 0):
        raise ValueError(f"variances of {between} and {within}")


def _steadiest_first(row: Consistency) -> tuple[bool, float, str]:
    return row.sigma.value is None, row.sigma.value or 0.0, row.agent


# One row for each task, so that every figure is a function of the columns' means.
_MEAN, _MEAN_2, _K, _K_2, _SUM, _SUM_2, _SCATTER = range(7)


def _sums(one: Sequence[float]) -> tuple[float, ...]:
    k = len(one)
    mean = math.fsum(one) / k
    scatter = math.fsum((x - mean) ** 2 for x in one) if min(one) < max(one) else 0.0
    return mean, mean**2, k, k * k, k * mean, k * mean**2, scatter


def _deviations(one: Sequence[float]) -> tuple[float, float]:
    scatter = _sums(one)[_SCATTER]
    return math.sqrt(scatter / (len(one) - 1)), math.sqrt(scatter / len(one))


def _average(deviations: Sequence[float], reason: str) -> Figure:
    """Their mean. They lie between 0 and 1 as rates do, and nothing bounds how alike they can be."""
    n = len(deviations)
    if n == 0:
        return Figure.unknown(reason)
    return Figure(math.fsum(deviations) / n, n, interval=clustered(deviations, [math.inf] * n))


def _components(
    rows: Sequence[tuple[float, ...]], *, repeated: bool, draws: int, seed: int
) -> dict[str, Figure]:
    n = len(rows)

    def within(m: Floats) -> Any:
        spare = m[..., _K] - 1
        return np.where(spare > 0, _no_dust(m[..., _SCATTER]) / np.where(spare > 0, spare, 1), np.nan)

    def between(m: Floats) -> Any:
        groups = n * (m[..., _SUM_2] - m[..., _SUM] ** 2 / m[..., _K]) / (n - 1)
        size = (n * m[..., _K] - m[..., _K_2] / m[..., _K]) / (n - 1)
        return _no_dust(np.maximum(0, groups - within(m)) / size)

    def of_means(m: Floats) -> Any:
        return _no_dust(np.maximum(0, m[..., _MEAN_2] - m[..., _MEAN] ** 2) * n / (n - 1))

    known: dict[str, Statistic] = {"within": within} if repeated else {}
    if n > 1:
        known |= {"between_of_means": of_means}
    if n > 1 and repeated:
        known |= {
            "between": between,
            "icc": _share(between, within),
            "icc_of_means": _share(of_means, within),
        }
    found = several_over_task_means(np.array(rows).reshape(n, _SCATTER + 1), known, draws=draws, seed=seed)
    return _with_reasons(found, n, repeated)


def _with_reasons(found: Mapping[str, Figure], n: int, repeated: bool) -> dict[str, Figure]:
    reason = _NO_TASK if n == 0 else _ONE_TASK if n == 1 and repeated else _NO_REPEAT
    figures = {
        name: found.get(name, Figure.unknown(reason, n))
        for name in ("between", "within", "icc", "between_of_means", "icc_of_means")
    }
    if n == 1:
        figures["between_of_means"] = Figure.unknown(_ONE_TASK, n)
    for name in ("icc", "icc_of_means"):
        if name in found and found[name].value is None:
            figures[name] = Figure.unknown(_ALL_ALIKE, n)
        figures[name.replace("icc", "reliability")] = _ratio(figures[name])
    return figures


def _ratio(icc: Figure) -> Figure:
    """R of an ICC, and the interval's ends with it, where both ends are below 1."""
    if icc.value is None:
        return icc
    if icc.value > 1 - _TINY:
        return Figure.unknown(_NEVER_DIFFER, icc.n)
    ends = icc.interval
    interval = Interval(_odds(ends.low), _odds(ends.high)) if ends and ends.high < 1 - _TINY else None
    return replace(icc, value=_odds(icc.value), interval=interval)


def _odds(share: float) -> float:
    return share / (1 - share)


def _share(between: Statistic, within: Statistic) -> Statistic:
    def icc(means: Floats) -> Any:
        ours, both = between(means), between(means) + within(means)
        return np.where(both > 0, ours / np.where(both > 0, both, 1), np.nan)

    return icc


def _no_dust(variances: Floats) -> Floats:
    """Variances that are zero on paper are zero."""
    return np.where(variances < _TINY, 0.0, variances)


METHODS = (
    Method("consistency", "Consistency over attempts", consistency),
    Method("consistency-of-an-agent", "σ, components of variance, ICC and R", consistency_of),
    Method("icc", "Intraclass correlation", icc_of),
    Method("reliability", "Reliability ratio", reliability_of),
)
