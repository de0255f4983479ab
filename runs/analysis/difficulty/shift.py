"""Whether what one agent solves is harder than what another solves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runs.analysis.difficulty.curves import Measures, with_measures
from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts
from runs.analysis.method import Method


@dataclass(frozen=True, slots=True)
class Shift:
    """Difficulty of the tasks that `first` solved against those that `second` solved; above 0: the first's are higher.

    `common` counts tasks that both tried, `both` those that both solved. n of the figures counts the values compared;
    of the medians, the tasks that the one agent solved.
    """

    first: str
    second: str
    measure: str
    common: int
    both: int
    first_median: Estimate
    second_median: Estimate
    u: Estimate
    p: Estimate
    cohens_d: Estimate
    cliffs_delta: Estimate
    excluded: tuple[Exclusion, ...]


def difficulty_shift(
    runs: Iterable[RunFacts], measures: Measures, measure: str, first: str, second: str
) -> Shift:
    """Compares the difficulty of the tasks that each of two agents solved, among those that both tried.

    A task is solved if one attempt resolved it. Runs of tasks without the measure are left out and named; runs of other
    agents are not looked at. ValueError where both agents are the same.

    Formula: Mann–Whitney U of the first's n values against the second's m, with its two-sided p (exact where one has
    at most 8 values and none are equal, else the normal approximation with ties and continuity corrected); Cohen's
    `d = (mean₁ − mean₂) ÷ √(((n − 1)s₁² + (m − 1)s₂²) ÷ (n + m − 2))`; Cliff's `δ = 2U ÷ nm − 1`, which is the
    rank-biserial correlation.

    Source: Breakpoint, sections 4.2.2 and 4.2.3. Tasks that both solved are in both samples, so these are not
    independent, as the test supposes, and p is too large rather than too small where the agents overlap much. Who makes
    more attempts solves more tasks, too: their number should be the same.

    Units: U counts pairs, 0 to nm; p from 0 to 1; d in standard deviations; δ from −1 to 1.

    Small n: undefined where one of them solved nothing; d also where all values are equal or n + m < 3.
    """
    if first == second:
        raise ValueError(f"{first} against itself")
    sifted, values = with_measures((run for run in runs if run.agent in {first, second}), measures, [measure])
    tried: dict[str, set[str]] = {first: set(), second: set()}
    solved: dict[str, set[str]] = {first: set(), second: set()}
    for run in sifted.kept:
        tried[run.agent].add(run.task)
        if run.resolved:
            solved[run.agent].add(run.task)
    common = tried[first] & tried[second]
    ours, theirs = (sorted(values[task][0] for task in solved[name] & common) for name in (first, second))
    u, p, delta = _ranked(ours, theirs, first, second)
    return Shift(
        first,
        second,
        measure,
        len(common),
        len(solved[first] & solved[second]),
        _median(ours, first),
        _median(theirs, second),
        u,
        p,
        _cohens_d(ours, theirs, u),
        delta,
        sifted.excluded,
    )


def _ranked(
    ours: Sequence[float], theirs: Sequence[float], first: str, second: str
) -> tuple[Estimate, Estimate, Estimate]:
    """U, its p, and Cliff's delta."""
    from scipy.stats import mannwhitneyu  # noqa: PLC0415 - takes a second to import

    n = len(ours) + len(theirs)
    if not (ours and theirs):
        none = Estimate.unknown(f"{second if ours else first} solved no task that both tried", n)
        return none, none, none
    found = mannwhitneyu(ours, theirs)
    u = float(found.statistic)
    equal = min(ours[0], theirs[0]) == max(ours[-1], theirs[-1])
    return (
        Estimate(u, n),
        Estimate.unknown("all values are equal", n) if equal else Estimate(float(found.pvalue), n),
        Estimate(2 * u / (len(ours) * len(theirs)) - 1, n),
    )


def _cohens_d(ours: Sequence[float], theirs: Sequence[float], u: Estimate) -> Estimate:
    n = len(ours) + len(theirs)
    if u.value is None:
        return u
    if n < 3:
        return Estimate.unknown("two values have no deviation", n)
    means = [math.fsum(values) / len(values) for values in (ours, theirs)]
    squares = math.fsum(
        (value - mean) ** 2 for values, mean in zip((ours, theirs), means, strict=True) for value in values
    )
    if squares == 0:
        return Estimate.unknown("neither agent's values differ among themselves", n)
    return Estimate((means[0] - means[1]) / math.sqrt(squares / (n - 2)), n)


def _median(values: Sequence[float], agent: str) -> Estimate:
    if not values:
        return Estimate.unknown(f"{agent} solved no task that both tried")
    middle = len(values) // 2
    return Estimate(
        math.fsum(values[(len(values) - 1) // 2 : middle + 1]) / (2 - len(values) % 2), len(values)
    )


METHODS = (Method("difficulty-shift", "What one agent solves against another", difficulty_shift),)
