"""How difficult the tasks are that two agents solved."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runs.analysis.difficulty.curves import Measures, with_measures
from runs.analysis.difficulty.task_shares import one_origin
from runs.analysis.estimate import Estimate, Exclusion, Interval
from runs.analysis.facts import RunFacts
from runs.analysis.method import Section, method
from runs.analysis.statistics.means import student_t
from runs.analysis.statistics.quantiles import Quantiles, quantiles
from runs.analysis.statistics.rank_test import mann_whitney

Floats = NDArray[np.float64]
_NONE_SOLVED = "one of the two solved no task"


@dataclass(frozen=True, slots=True)
class SolvedDifficulty:
    """One measure of the tasks that two agents solved.

    `u`: the Mann–Whitney U of the first agent: the pairs of a task of each in which the first agent's is more
    difficult, ties counting half. `p`: two-sided. `d`: Cohen's d, above 0 if the first agent's tasks are more
    difficult. Each n counts tasks, of both agents together.
    """

    measure: str
    first: str
    second: str
    first_values: Quantiles
    second_values: Quantiles
    u: Estimate
    p: Estimate
    d: Estimate
    excluded: tuple[Exclusion, ...]


@method("solved-difficulty", "Difficulty of solved tasks", Section.GENERATED_TASKS, 8)
def solved_difficulty(
    runs: Iterable[RunFacts], measures: Measures, measure: str, first: str, second: str
) -> SolvedDifficulty:
    """Whether one agent solved more difficult tasks than another, by one measure. ValueError for several origins.

    Only tasks that both tried count: else the comparison would be one of the tasks that were given. An agent that
    solves the other's tasks and some more everywhere has the same distribution, so a difference says along which
    measure the further successes lie. Tasks that both solved are in both groups, and tasks of one repository are alike:
    p treats all as independent, as the paper does, and only the interval of d allows for repositories.

    Formula: an agent solved a task if one of its runs resolved it. `U = Σ over pairs of (1 if the first agent's value
    is larger, ½ if equal)`, p of the two-sided Mann–Whitney test (exact for small groups without ties, else normal with
    continuity correction). `d = (mean₁ − mean₂) ÷ s`, s² the mean of both variances weighted by n − 1. The interval of
    d is that of the jackknife over repositories: `d ± t · √((G − 1) ÷ G · Σ (d₍ᵢ₎ − mean)²)` with d₍ᵢ₎ without
    repository i, and t the 97.5 % quantile of Student's distribution with G − 1 degrees of freedom.

    Source: Breakpoint, sections 4.2.2 and 4.2.3 (two models, and two budgets of one model); its text prints neither U
    nor p nor d. Cohen 1988, Statistical Power Analysis for the Behavioral Sciences. The interval is ours.

    Units: U is a number of pairs; d is in standard deviations; values have the measure's own units.

    Small n: undefined if an agent solved no task of those that both tried; d needs two different values in a group, its
    interval three repositories of which each can be left out.
    """
    given = [run for run in runs if run.agent in {first, second}]
    one_origin(given)
    sifted, values = with_measures(given, measures, [measure])
    tried = {agent: {run.task for run in sifted.usable if run.agent == agent} for agent in (first, second)}
    common = tried[first] & tried[second]
    solved = {(run.agent, run.task) for run in sifted.usable if run.resolved and run.task in common}
    repositories = {run.task: run.repository for run in sifted.usable}
    sides = [
        {task: values[task][0] for task in sorted(common) if (agent, task) in solved}
        for agent in (first, second)
    ]
    ours, theirs = (np.sort(np.array(list(side.values()), dtype=np.float64)) for side in sides)
    about = [quantiles(side.tolist(), "no task was solved") for side in (ours, theirs)]
    n = len(ours) + len(theirs)
    u = p = Estimate.unknown(_NONE_SOLVED, n)
    if len(ours) and len(theirs):
        effect, chance = mann_whitney(ours, theirs)
        u, p = Estimate((effect + 1) / 2 * len(ours) * len(theirs), n), Estimate(chance, n)
    d = _with_interval(cohens_d(ours, theirs), sides, repositories)
    return SolvedDifficulty(measure, first, second, about[0], about[1], u, p, d, sifted.excluded)


def cohens_d(ours: Floats, theirs: Floats) -> Estimate:
    """The difference of two means in pooled standard deviations; n counts all values."""
    n = len(ours) + len(theirs)
    if not (len(ours) and len(theirs)):
        return Estimate.unknown(_NONE_SOLVED, n)
    squares = float(((ours - ours.mean()) ** 2).sum() + ((theirs - theirs.mean()) ** 2).sum())
    largest = float(np.abs(np.concatenate([ours, theirs])).max())
    if n <= 2 or squares <= (1e-12 * largest) ** 2 * n:
        return Estimate.unknown("the values in each group are equal", n)
    return Estimate(float(ours.mean() - theirs.mean()) / math.sqrt(squares / (n - 2)), n)


def _with_interval(
    d: Estimate, sides: Sequence[Mapping[str, float]], repositories: Mapping[str, str]
) -> Estimate:
    """With the interval of the jackknife over the repositories of the solved tasks."""
    groups = sorted({repositories[task] for side in sides for task in side})
    if d.value is None or len(groups) < 3:
        return d
    left_out = []
    for group in groups:
        ours, theirs = (
            np.array([value for task, value in side.items() if repositories[task] != group], dtype=np.float64)
            for side in sides
        )
        without = cohens_d(np.sort(ours), np.sort(theirs))
        if without.value is None:
            return d
        left_out.append(without.value)
    mean = math.fsum(left_out) / len(groups)
    scatter = math.fsum((value - mean) ** 2 for value in left_out)
    reach = student_t(len(groups) - 1) * math.sqrt((len(groups) - 1) / len(groups) * scatter)
    return Estimate(d.value, d.n, interval=Interval(d.value - reach, d.value + reach))
