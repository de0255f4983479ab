"""What judges say of an agent's counted runs in a dataset: scores by dimension, what is missing, common aspects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F, QuerySet

from runs.analysis.estimate import Estimate
from runs.analysis.judging.common_aspects import AspectLine, CommonAspect, common_aspects
from runs.analysis.judging.dimension_means import dimension_mean
from runs.analysis.scores.quality_index import QualityIndex
from runs.data.cache.results import cached
from runs.data.cells.open_cells import dataset_version
from runs.data.queries.filters import CellFilter
from runs.data.run_facts.counting_panel import counting_panel, has_panel
from runs.data.run_facts.judged_scores import (
    ScoredRun,
    dimension_title,
    graded,
    quality_by_agent,
    runs_with_reasons,
)
from runs.models import JudgeReview, JudgingPass, Panel, ReviewEvidence, Run
from runs.models.open_rows import without_hidden


@dataclass(frozen=True, slots=True)
class JudgedDimension:
    """One dimension of an agent. `runs`: with a score; `missing`: state of the reviews of the others → runs."""

    name: str
    title: str
    score: Estimate
    runs: int
    missing: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PanelLink:
    """A panel, and its newest pass that everybody may see."""

    title: str
    judges: tuple[str, ...]
    newest_pass: int | None


@dataclass(frozen=True, slots=True)
class AgentReviews:
    """`runs`: counted runs with a verdict; `reviewed`: those with a score. `aspects`: the heaviest first."""

    panel: PanelLink
    runs: int
    reviewed: int
    quality: QualityIndex
    dimensions: Sequence[JudgedDimension]
    aspects: Sequence[CommonAspect]


def agent_reviews(agent: int, dataset: str) -> AgentReviews | None:
    """From the panel that counts in the dataset; None without a score. Cached until cells or reviews change."""
    if not has_panel(dataset):
        return None  # most boards have no reviews: no result of each agent is stored
    return cached(
        "agent reviews",
        f"{agent} {dataset}",
        lambda: _agent_reviews(agent, dataset),
        lambda: dataset_version(dataset),
    )


def panel_link(panel: Panel) -> PanelLink:
    """The panel as pages name it; two queries."""
    passes = without_hidden(JudgingPass.objects.filter(panel=panel)).order_by("-created_at", "-pk")
    judges = without_hidden(panel.judges.order_by("pk")).values_list("name", flat=True)
    return PanelLink(panel.title, tuple(judges), passes.values_list("pk", flat=True).first())


def judged_dimensions(names: Sequence[str], runs: Sequence[ScoredRun]) -> tuple[JudgedDimension, ...]:
    """The score of each of these dimensions over these runs."""
    return tuple(_dimension(name, runs) for name in names)


def aspect_lines(lines: QuerySet[ReviewEvidence]) -> list[AspectLine]:
    """The lines whose quotes were found, with titles of dimensions. One query."""
    quoted = lines.exclude(status=ReviewEvidence.Status.UNVERIFIED).order_by("review__run", "review", "place")
    columns = ("aspect", "severity", "frequency", "review__run", "found_step", "review__dimension")
    rows = quoted.values_list(*columns, "review__key", "review", "place")
    return [
        AspectLine(text, severity, frequency, run, step, dimension_title(name), key or str(review), place)
        for text, severity, frequency, run, step, name, key, review, place in rows
    ]


def evidence_of(runs: QuerySet[Run], panel: Panel, *, hidden: bool = False) -> QuerySet[ReviewEvidence]:
    """The evidence of the panel's reviews with a score of the present tries of these runs.

    `hidden`: also of runs of hidden datasets.
    """
    return without_hidden(
        ReviewEvidence.objects.filter(
            review__run__in=runs,
            review__run_try=F("review__run__tries"),
            review__judge__panel=panel,
            review__state=JudgeReview.State.DONE,
        ),
        unless=hidden,
    )


def _agent_reviews(agent: int, dataset: str) -> AgentReviews | None:
    panel = counting_panel(dataset)
    if panel is None:
        return None
    counted = graded(CellFilter(dataset=dataset).runs()).filter(agent=agent)
    runs = runs_with_reasons(counted, panel)
    quality = quality_by_agent(runs)
    if agent not in quality:
        return None
    return AgentReviews(
        panel_link(panel),
        len(runs),
        sum(bool(run.scores) for run in runs),
        quality[agent],
        judged_dimensions(panel.dimensions, runs),
        common_aspects(aspect_lines(evidence_of(counted, panel))),
    )


def _dimension(name: str, runs: Sequence[ScoredRun]) -> JudgedDimension:
    scored = [(run.scenario, run.scores[name]) for run in runs if name in run.scores]
    missing = Counter(run.missing[name] for run in runs if name in run.missing)
    return JudgedDimension(
        name, dimension_title(name), dimension_mean(scored), len(scored), dict(sorted(missing.items()))
    )
