"""The hard set: tasks that are high on both axes of difficulty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from runs.analysis.difficulty.curves import Measures, with_measures
from runs.analysis.difficulty.task_shares import one_origin, resolved, task_share
from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts, by_agent
from runs.analysis.method import Section, method

CODE_LINES, HARMONIC = "code_lines", "harmonic"
AXES = (CODE_LINES, HARMONIC)
QUANTILE = 0.9


@dataclass(frozen=True, slots=True)
class HardRates:
    """One agent in the hard set and at all other tasks; each n counts tasks."""

    agent: str
    hard: Estimate
    others: Estimate


@dataclass(frozen=True, slots=True)
class HardSet:
    """`thresholds`: axis → the value from which a task is high on it. `tasks`: the hard ones, sorted."""

    thresholds: Mapping[str, float]
    tasks: tuple[str, ...]
    agents: tuple[HardRates, ...]
    excluded: tuple[Exclusion, ...]


@method("hard-set", "The hard set", Section.GENERATED_TASKS, 4)
def hard_set(runs: Iterable[RunFacts], measures: Measures, axes: Sequence[str] = AXES) -> HardSet:
    """The success rates in the hard set and at the other tasks, by agent. ValueError for tasks of several origins.

    Formula: a task is hard if its value is at least the 90th percentile on every axis, over the attempted tasks whose
    values are known. The percentile is the smallest value with at least 90 % of the tasks at or below it. Rates are
    `task_share` of resolved runs.

    Source: Breakpoint, section 4.1.1: at least the 90th percentile in complexity and in centrality. It does not say
    over which tasks.

    Units: those of the measures; rates from 0 to 1.

    Small n: without a task there is no threshold; no task may be high on both axes: then the rates have reasons.
    """
    given = tuple(runs)
    one_origin(given)
    sifted, values = with_measures(given, measures, axes)
    if not values:
        return HardSet({}, (), (), sifted.excluded)
    table = np.array(list(values.values()), dtype=np.float64)
    lowest = np.quantile(table, QUANTILE, axis=0, method="inverted_cdf").tolist()
    hard = {
        task
        for task, known in values.items()
        if all(value >= least for value, least in zip(known, lowest, strict=True))
    }
    rows = (
        HardRates(
            agent,
            _rate([run for run in theirs if run.task in hard], "no task of the hard set was tried"),
            _rate([run for run in theirs if run.task not in hard], "no other task was tried"),
        )
        for agent, theirs in by_agent(sifted.usable).items()
    )
    return HardSet(dict(zip(axes, lowest, strict=True)), tuple(sorted(hard)), tuple(rows), sifted.excluded)


def _rate(runs: Sequence[RunFacts], reason: str) -> Estimate:
    return task_share(runs, resolved) if runs else Estimate.unknown(reason)
