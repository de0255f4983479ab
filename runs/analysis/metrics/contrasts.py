"""Metrics of resolved runs compared with those of failed runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import TRAJECTORY, RunFacts, sift
from runs.analysis.method import Section, method
from runs.analysis.metrics.core import METRICS, Metric, MetricValues, columns_of, counted
from runs.analysis.outcomes.ties import holm
from runs.analysis.statistics.means import welch
from runs.analysis.statistics.rank_test import mann_whitney

_BY_NAME = {metric.name: metric for metric in METRICS}
# In the order of the paper's table.
COMPARED = (
    *(_BY_NAME[name] for name in ("steps", "exploration_efficiency", "trajectory_efficiency", "similarity")),
    Metric("tool_errors", "Tool errors", counted("tool_errors_count")),
)


@dataclass(frozen=True, slots=True)
class MetricContrast:
    """One metric in resolved and failed runs. `effect`: Cliff's delta, −1 to 1; above 0 resolved runs have more."""

    metric: str
    title: str
    resolved: Estimate
    failed: Estimate
    difference: Estimate
    effect: Estimate
    p: Estimate
    p_holm: Estimate


@dataclass(frozen=True, slots=True)
class Contrasts:
    """Each metric of the paper's comparison, and the excluded runs."""

    rows: tuple[MetricContrast, ...]
    excluded: tuple[Exclusion, ...]


@method("resolved-against-failed", "Resolved against failed runs", Section.BEHAVIOUR, 3)
def resolved_against_failed(runs: Iterable[RunFacts]) -> Contrasts:
    """How resolved runs differ from failed runs in steps, efficiencies, similarity and tool errors.

    Each run is one observation, as in the paper; but attempts at one task, and runs of one agent, are correlated, so p
    is too small. Differences may be due to the tasks: easy ones take fewer steps and are resolved more often. The
    comparison shows association, not causation.

    Formula: means of both groups and their difference, with Welch's 95 % interval; Cliff's delta `2U ÷ (n₁n₂) − 1`, the
    probability that a resolved run has a larger value than a failed one minus that of a smaller value; p of the
    Mann–Whitney test, two-sided, exact for small groups without ties, else by the normal approximation with continuity
    correction; Holm's correction over the metrics.

    Source: Coding Agent Evaluation Framework, section 4.2.1, Table 4, which gives only means and differences. Mann
    and Whitney 1947; Cliff 1993, Dominance Statistics; Holm 1979.

    Units: those of the metric; effect −1 to 1; p 0 to 1. n counts runs that have a value.

    Small n: without a run in one group all is None except the mean of the other. One run in a group gives a difference
    without an interval, and so do two constant groups. If all values are equal, the effect is 0 and p is 1.
    """
    sifted = sift(runs, *TRAJECTORY)
    wrong: dict[str, list[int]] = defaultdict(list)
    columns = columns_of(COMPARED, sifted.usable, wrong)
    rows = [_contrast(metric, columns[metric.name]) for metric in COMPARED]
    known = [row.p.value for row in rows if row.p.value is not None]
    corrected = iter(holm(known))
    complete = tuple(
        row if row.p.value is None else replace(row, p_holm=Estimate(next(corrected), row.p.n))
        for row in rows
    )
    bad = tuple(Exclusion(reason, tuple(sorted(numbers))) for reason, numbers in sorted(wrong.items()))
    return Contrasts(complete, (*sifted.excluded, *bad))


def _contrast(metric: Metric, column: MetricValues) -> MetricContrast:
    values = np.array(column.values)
    resolved = np.array([run.resolved for run in column.runs], dtype=bool)
    ours, theirs = np.sort(values[resolved]), np.sort(values[~resolved])
    means = [
        Estimate(float(side.mean()), len(side))
        if len(side)
        else Estimate.unknown(f"{metric.name} of no {name} run is known")
        for side, name in ((ours, "resolved"), (theirs, "failed"))
    ]
    if not (len(ours) and len(theirs)):
        nothing = Estimate.unknown("resolved and failed runs are needed", len(values))
        return MetricContrast(
            metric.name, metric.title, means[0], means[1], nothing, nothing, nothing, nothing
        )
    n = len(values)
    difference = Estimate(float(ours.mean() - theirs.mean()), n, interval=welch(ours, theirs))
    effect, p = mann_whitney(ours, theirs)
    chance = Estimate(p, n)
    return MetricContrast(
        metric.name, metric.title, means[0], means[1], difference, Estimate(effect, n), chance, chance
    )
