"""Success of agents by the number of calls before their first edit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import TRAJECTORY, RunFacts, by_agent, sift
from runs.analysis.method import Section, method
from runs.analysis.statistics.summaries import ratio

FEW, MANY = 4.0, 8.0


@dataclass(frozen=True, slots=True)
class Prepared:
    """A group of agents, sorted by name, and the share of their runs that are resolved, 0 to 1."""

    agents: tuple[str, ...]
    runs: int
    success: Estimate


@dataclass(frozen=True, slots=True)
class Preparation:
    """Hasty and deliberate agents; agents in between, and those that never edit, are in neither group."""

    few: float
    many: float
    hasty: Prepared
    deliberate: Prepared
    difference: Estimate
    lift: Estimate
    excluded: tuple[Exclusion, ...]


@method("preparation", "Calls before the first edit, and success", Section.TOOLS, 10)
def preparation(runs: Iterable[RunFacts], *, few: float = FEW, many: float = MANY) -> Preparation:
    """Success of agents with many calls before their first edit, compared with agents with few.

    An association, not an effect: the groups are different models. ValueError when `few` is
    negative or above `many`.

    Formula: an agent is hasty if the mean over its runs of calls before the first edit is below `few`, deliberate
    if it is at least `many`. `success = resolved ÷ runs` over all runs of a group's agents. `difference` is
    deliberate − hasty, `lift` is deliberate ÷ hasty.

    Source: IDE-Bench, appendix D.5.1 (60.2 % against 6.9 %, +53.3 points, 8.7 times).

    Units: calls; shares from 0 to 1. The n of difference and lift counts runs of both groups.

    Small n: a group without agents has no success, and then there is no difference; nor a lift if hasty agents resolve
    nothing.
    """
    if not 0 <= few <= many:
        raise ValueError(f"few {few} and many {many}: expected 0 ≤ few ≤ many")
    sifted = sift(runs, *TRAJECTORY)
    groups = by_agent(sifted.usable)
    means = {agent: mean for agent, theirs in groups.items() if (mean := _mean_before(theirs)) is not None}
    hasty = _prepared([(agent, groups[agent]) for agent, mean in means.items() if mean < few])
    deliberate = _prepared([(agent, groups[agent]) for agent, mean in means.items() if mean >= many])
    difference, lift = _compared(hasty, deliberate)
    return Preparation(few, many, hasty, deliberate, difference, lift, sifted.excluded)


def _mean_before(runs: Sequence[RunFacts]) -> float | None:
    places = [run.behaviour.tools.before_first_edit for run in runs if run.behaviour]
    known = [place for place in places if place is not None]
    return sum(known) / len(known) if known else None


def _prepared(groups: Sequence[tuple[str, Sequence[RunFacts]]]) -> Prepared:
    runs = [run for _, theirs in groups for run in theirs]
    resolved = sum(run.resolved for run in runs)
    return Prepared(
        tuple(agent for agent, _ in groups),
        len(runs),
        ratio(resolved, len(runs), len(runs), "no agent is in this group"),
    )


def _compared(hasty: Prepared, deliberate: Prepared) -> tuple[Estimate, Estimate]:
    low, high, n = hasty.success.value, deliberate.success.value, hasty.runs + deliberate.runs
    if low is None or high is None:
        lacking = Estimate.unknown("one of the two groups has no agent", n)
        return lacking, lacking
    return Estimate(high - low, n), ratio(high, low, n, "hasty agents resolved nothing")
