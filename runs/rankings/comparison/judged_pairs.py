"""The scores of judges for two agents, dimension by dimension, with the difference over shared scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate
from runs.analysis.judging.dimension_means import scenario_means
from runs.analysis.scores.quality_index import QualityIndex
from runs.analysis.statistics.shifts import BeforeAfter, shift
from runs.data.queries.filters import CellFilter
from runs.data.run_facts.agent_reviews import JudgedDimension, PanelLink, judged_dimensions, panel_link
from runs.data.run_facts.counting_panel import counting_panel
from runs.data.run_facts.judged_scores import ScoredRun, quality_by_agent, scored_runs


@dataclass(frozen=True, slots=True)
class JudgedDifference:
    """One dimension of two agents, each over all its runs with a score.

    `difference`: first − second over the tasks in which both have a score, with its interval; n counts their scenarios.
    `p`: of the sign-flip test over these scenarios, for this dimension alone.
    """

    first: JudgedDimension
    second: JudgedDimension
    difference: Estimate
    p: float


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """Two agents as one panel judged them. `quality`: of the first and the second; None without a score."""

    panel: PanelLink
    quality: tuple[QualityIndex | None, QualityIndex | None]
    dimensions: Sequence[JudgedDifference]


def judged_pair(first: int, second: int, chosen: CellFilter) -> JudgedPair | None:
    """Two agents over the runs that match the filter; None without a score. One query where nothing was reviewed."""
    panel = counting_panel(chosen.dataset)
    if panel is None:
        return None
    runs = scored_runs(chosen.runs().filter(agent__in=[first, second]), panel.pk)
    quality = quality_by_agent(runs)
    if not quality:
        return None
    ours, theirs = ([run for run in runs if run.agent == agent] for agent in (first, second))
    return JudgedPair(
        panel_link(panel),
        (quality.get(first), quality.get(second)),
        _differences(panel.dimensions, ours, theirs),
    )


def _differences(
    names: Sequence[str], ours: Sequence[ScoredRun], theirs: Sequence[ScoredRun]
) -> tuple[JudgedDifference, ...]:
    found = []
    scenarios = {run.task: run.scenario for run in ours}
    for one, other in zip(judged_dimensions(names, ours), judged_dimensions(names, theirs), strict=True):
        # By task: of a scenario in which one agent lacks a persona, only the other personas are compared.
        means, others = (
            scenario_means((run.task, run.scores[one.name]) for run in runs if one.name in run.scores)
            for runs in (ours, theirs)
        )
        shared = sorted(means.keys() & others.keys())
        moved = shift(BeforeAfter(scenarios[task], others[task], means[task]) for task in shared)
        found.append(JudgedDifference(one, other, moved.change, moved.flips.either))
    return tuple(found)
