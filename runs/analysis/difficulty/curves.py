"""Success by difficulty measures of tasks (size, centrality, ...)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import Need, RunFacts, Sifted, scenarios_of, sift
from runs.analysis.method import Section, method
from runs.analysis.outcomes.passes import mean
from runs.analysis.statistics.correlations import PEARSON, CorrelationMatrix, correlations
from runs.analysis.statistics.intervals import clustered, groups_of

BINS = 5
SUCCESS = "success rate"

# Task → measure → value; None, NaN or infinite: unknown.
Measures = Mapping[str, Mapping[str, float | None]]


@dataclass(frozen=True, slots=True)
class Bin:
    """Tasks whose measure lies between `low` and `high`, the smallest and largest value of the group.

    `rate` is the mean over tasks of the share of resolved runs; its n counts tasks.
    """

    low: float
    high: float
    runs: int
    rate: Estimate


@dataclass(frozen=True, slots=True)
class SuccessCurve:
    """Success by quantiles of one measure, lowest values first. Ties may give fewer bins than requested (`asked`)."""

    measure: str
    asked: int
    bins: tuple[Bin, ...]
    excluded: tuple[Exclusion, ...]


@method("success-curve", "Success by difficulty", Section.DIFFICULTY, 2)
def success_curve(
    runs: Iterable[RunFacts], measures: Measures, measure: str, *, bins: int = BINS
) -> SuccessCurve:
    """The success rate in groups of tasks of equal size, from low to high values of a measure.

    ValueError for bins < 1. Runs of tasks without the measure are excluded and listed.

    Formula: tasks are divided at the quantiles 1 ÷ b, 2 ÷ b, ... of their values; a task at a quantile belongs to the
    lower group, so tasks with equal values stay together, and empty groups are omitted. For each group the mean over
    tasks of resolved ÷ runs, with the 95 % interval of means over tasks; the personas of one scenario are one group.

    Source: Breakpoint, section 4.1.2 and Figure 5 (success by difficulty); the quantiles and the interval are ours.

    Units: the measure's own; rates from 0 to 1.

    Small n: without a task there is no bin; one task makes one bin.
    """
    if bins < 1:
        raise ValueError(f"{bins} bins, expected at least 1")
    sifted, values = with_measures(runs, measures, [measure])
    rates, scenarios = _rates(sifted.usable), scenarios_of(sifted.usable)
    tasks = sorted(values, key=lambda task: (values[task][0], task))
    made: list[Bin] = []
    if tasks:
        numbers = np.array([values[task][0] for task in tasks])
        cuts = np.unique(np.quantile(numbers, np.arange(1, bins) / bins, method="inverted_cdf"))
        group_of = np.searchsorted(cuts, numbers, side="left").tolist()
        groups: dict[int, list[str]] = defaultdict(list)
        for task, group in zip(tasks, group_of, strict=True):
            groups[group].append(task)
        made = [_bin(group, values, rates, scenarios) for _, group in sorted(groups.items())]
    return SuccessCurve(measure, bins, tuple(made), sifted.excluded)


@method("difficulty-correlations", "Correlations of difficulty", Section.DIFFICULTY, 3)
def difficulty_correlations(
    runs: Iterable[RunFacts], measures: Measures, kind: str = PEARSON
) -> CorrelationMatrix:
    """Correlations of all measures of the attempted tasks with each other and with the success rates of the tasks.

    Formula: `correlations` over tasks, of every measure and of resolved ÷ runs (named "success rate", and last). A
    scenario is one row: the mean of its personas, which are not independent.

    Source: Breakpoint, appendix C.3 and Figure 12.

    Units: none; −1 to 1.

    Small n: as for `correlations`; n counts tasks, and scenarios.
    """
    sifted = sift(runs)
    rates = _rates(sifted.usable)
    clusters: dict[str, list[str]] = defaultdict(list)
    for task, cluster in sorted({(run.task, run.cluster) for run in sifted.usable}):
        clusters[cluster].append(task)
    rows = list(clusters.values())
    names = sorted({name for task in rates for name in measures.get(task, {})})
    columns: dict[str, Sequence[float | None]] = {
        name: [_mean_of_known([measures.get(task, {}).get(name) for task in row]) for row in rows]
        for name in names
    }
    columns[SUCCESS] = [_mean_of_known([rates[task][0] for task in row]) for row in rows]
    return replace(correlations(columns, kind), excluded=sifted.excluded)


def with_measures(
    runs: Iterable[RunFacts], measures: Measures, names: Sequence[str]
) -> tuple[Sifted, dict[str, tuple[float, ...]]]:
    """Runs of tasks that have all named measures, and the values of each task in the order of `names`."""
    values: dict[str, tuple[float, ...]] = {}
    for task, known in measures.items():
        numbers = [known.get(name) for name in names]
        finite = tuple(number for number in numbers if number is not None and math.isfinite(number))
        if len(finite) == len(names):
            values[task] = finite
    need = Need(f"the task's {' or '.join(names)} is unknown", lambda run: run.task in values)
    sifted = sift(runs, need)
    return sifted, {task: values[task] for task in {run.task for run in sifted.usable}}


def _rates(runs: Iterable[RunFacts]) -> dict[str, tuple[float, int]]:
    """Task → resolved ÷ runs, and the number of runs."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for run in runs:
        counts[run.task][0] += run.resolved
        counts[run.task][1] += 1
    return {task: (resolved / tried, tried) for task, (resolved, tried) in counts.items()}


def _mean_of_known(values: Sequence[float | None]) -> float | None:
    """The mean of the values that are known; None if none is."""
    return mean([value for value in values if value is not None and math.isfinite(value)])


def _bin(
    tasks: Sequence[str],
    values: Mapping[str, tuple[float, ...]],
    rates: Mapping[str, tuple[float, int]],
    scenarios: Mapping[str, str],
) -> Bin:
    shares = [rates[task][0] for task in tasks]
    tried = [rates[task][1] for task in tasks]
    interval = clustered(shares, tried, groups=groups_of([scenarios[task] for task in tasks]))
    rate = Estimate(math.fsum(shares) / len(tasks), len(tasks), interval=interval)
    numbers = [values[task][0] for task in tasks]
    return Bin(min(numbers), max(numbers), sum(tried), rate)
