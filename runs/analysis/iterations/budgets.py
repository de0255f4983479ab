"""Budgets of iterations: what a smaller one would lose and save, and one that is extended for promising runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts, sift
from runs.analysis.iterations.shares import ITERATIONS, PRODUCTIVE
from runs.analysis.method import Section, method
from runs.analysis.statistics.summaries import ratio

BUDGETS = (10, 20, 30, 50, 75)
RECENT = 10


@dataclass(frozen=True, slots=True)
class Cut:
    """Stopping some runs at the budget: the shares of successes lost and of iterations saved, of all runs."""

    lost: Estimate
    saved: Estimate


@dataclass(frozen=True, slots=True)
class IterationBudget:
    """One budget. `longer`: the share of runs that take more iterations. `fixed` stops all of these, `extended` those
    that are not promising.
    """

    iterations: int
    longer: Estimate
    fixed: Cut
    extended: Cut


@dataclass(frozen=True, slots=True)
class IterationBudgets:
    """The budgets that some run exceeds; `runs`: how many there are."""

    runs: int
    budgets: tuple[IterationBudget, ...]
    excluded: tuple[Exclusion, ...]


@method("iteration-budgets", "Budgets of iterations", Section.ITERATIONS, 14)
def iteration_budgets(runs: Iterable[RunFacts]) -> IterationBudgets:
    """What smaller budgets of iterations would lose and save, simulated on finished runs.

    Formula: a run of i iterations is stopped at budget b if i > b. A fixed budget stops all of these; an extended one
    goes on to the end with the promising ones: those with a productive iteration among the last ten of the first b.
    `lost` is the resolved runs that are stopped ÷ resolved runs; `saved` is Σ (i − b) of the stopped runs ÷ Σ i.

    Source: IDE-Bench, appendix B.3.2 ("30 baseline, extending to 100 for promising trajectories"), which does not say
    what is promising. Ten is ours. An agent that knows its budget may act differently.

    Units: iterations; shares from 0 to 1.

    Small n: no run gives no budget; without a resolved run `lost` is undefined. `extended` is undefined if a longer run
    has no counted trajectory.
    """
    sifted = sift(runs, ITERATIONS)
    usable = sifted.usable
    longest = max((run.iterations for run in usable), default=0)
    return IterationBudgets(
        len(usable), tuple(_budget(usable, each) for each in BUDGETS if each < longest), sifted.excluded
    )


def _budget(runs: Sequence[RunFacts], budget: int) -> IterationBudget:
    longer = [run for run in runs if run.iterations > budget]
    uncounted = sum(run.behaviour is None or len(run.behaviour.labels) != run.iterations for run in longer)
    if uncounted:
        nothing = Estimate.unknown(
            f"{uncounted} of {len(longer)} longer runs have no counted trajectory", len(longer)
        )
        extended = Cut(nothing, nothing)
    else:
        extended = _cut(runs, [run for run in longer if not _promising(run, budget)], budget)
    return IterationBudget(
        budget, ratio(len(longer), len(runs), len(runs), "no run"), _cut(runs, longer, budget), extended
    )


def _promising(run: RunFacts, budget: int) -> bool:
    labels = run.behaviour.labels if run.behaviour else ""
    return PRODUCTIVE in labels[max(0, budget - RECENT) : budget]


def _cut(runs: Sequence[RunFacts], stopped: Sequence[RunFacts], budget: int) -> Cut:
    resolved = sum(run.resolved for run in runs)
    return Cut(
        ratio(sum(run.resolved for run in stopped), resolved, resolved, "no run is resolved"),
        ratio(
            sum(run.iterations - budget for run in stopped),
            sum(run.iterations for run in runs),
            len(runs),
            "no iteration",
        ),
    )
