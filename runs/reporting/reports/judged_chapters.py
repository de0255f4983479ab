"""The chapter of a report about what judges say, after AgentLens, appendix A.

Each "k of n" is made from the list of its runs, and each reference opens its run at its step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Count, F, Max, QuerySet, Sum

from harness.judges.summary import MIN_RUNS
from runs.analysis.judging.common_aspects import CommonAspect, common_aspects
from runs.analysis.scores.quality_index import QualityIndex
from runs.data.cache.results import cached, keyed_version
from runs.data.queries.visibility import Reader, sees_hidden, visible
from runs.data.run_facts.agent_reviews import JudgedDimension, aspect_lines, evidence_of, judged_dimensions
from runs.data.run_facts.facts_query import run_facts
from runs.data.run_facts.judged_scores import (
    SCORED,
    dimension_title,
    graded,
    quality_by_agent,
    runs_with_reasons,
)
from runs.judging.judge_summaries.shown_summaries import (
    ShownGroup,
    ShownSummary,
    summaries_of,
    summaries_version,
)
from runs.models import Agent, Evaluation, JudgeReview, JudgeSummary, Panel, Run
from runs.models.open_rows import without_hidden
from runs.reporting.reports.report_sections import ReportChapter, chapter_of, listed, run_chapter
from runs.reporting.topics.computing import agent_names, repository_titles
from runs.reporting.topics.section_parts import Columns, Field, table_of
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import ResultSection
from tasks.models import Repository

NO_SUMMARY = (
    f"No judge wrote a summary. It needs {MIN_RUNS} runs of one agent in one dataset with a score, and a pass over "
    "no other runs."
)
MAX_RUNS = 2_000


class _Judged(NamedTuple):
    """One agent in one dimension."""

    agent: str
    dimension: JudgedDimension


class _Aspect(NamedTuple):
    """One aspect of one agent's reviews; `n`: its runs with a score."""

    agent: str
    found: CommonAspect
    n: int


class _Said(NamedTuple):
    """One group of a summary of one agent, or the text of the whole."""

    agent: str
    summary: ShownSummary
    group: ShownGroup | None


class _Asked(NamedTuple):
    """What one judge was asked, and what that cost."""

    judge: str
    model: str
    reviews: int
    prompt_tokens: int
    completion_tokens: int
    spent_usd: float
    summaries: int
    summaries_usd: float


def judged_chapter(runs: QuerySet[Run], data: TopicData, *, hidden: bool = False) -> ReportChapter | None:
    """Scores by dimension, common aspects with their runs, and the panel; None if no judge gave a score.

    `hidden`: also the reviews of runs of hidden datasets. The panel is that which gave most of these runs a score; of
    several, the newest.
    """
    reviews = without_hidden(
        JudgeReview.objects.filter(SCORED, run__in=graded(runs)), unless=hidden
    ).order_by()
    counts = reviews.values("judge__panel").annotate(runs=Count("run", distinct=True))
    most = counts.order_by("-runs", "-judge__panel").first()
    if most is None:
        return None
    panel = without_hidden(Panel.objects.filter(pk=most["judge__panel"]), unless=hidden).first()
    if panel is None:
        return None
    found = runs_with_reasons(runs, panel, hidden=hidden)
    named = without_hidden(Agent.objects.filter(pk__in={run.agent for run in found}), unless=hidden)
    agents = dict(named.values_list("pk", "slug"))
    judged, aspects = [], []
    for pk, slug in sorted(agents.items(), key=lambda named: named[1]):
        own = [run for run in found if run.agent == pk]
        judged += [_Judged(slug, each) for each in judged_dimensions(panel.dimensions, own)]
        scored = sum(bool(run.scores) for run in own)
        lines = aspect_lines(evidence_of(graded(runs).filter(agent=pk), panel, hidden=hidden))
        aspects += [_Aspect(slug, each, scored) for each in common_aspects(lines)]
    quality = {agents[pk]: each for pk, each in quality_by_agent(found).items() if pk in agents}
    reviewed = sum(bool(run.scores) for run in found)
    said = [(agents[each.agent], each) for each in summaries_of(runs, panel) if each.agent in agents]
    sections = (
        _in_short(said),
        _dimensions(judged),
        _index(quality.items()),
        _narrative(said),
        _aspects(aspects),
        _panel(panel, graded(runs), hidden=hidden),
    )
    summary = f"{reviewed:,} of {len(found):,} runs with a verdict have scores of the panel {panel.title}."
    return chapter_of(
        "judges", "What judges say", "How agents worked, by judges.", data, *sections, summary=summary
    )


def _in_short(said: Sequence[tuple[str, ShownSummary]]) -> ResultSection:
    columns: Columns[_Said] = (
        Field("agent", "Agent", "agent", lambda it: it.agent),
        Field("text", "Text", "prose", lambda it: it.summary.text),
        Field("judge", "Written by", "text", lambda it: it.summary.judge),
    )
    missing: Columns[_Said] = (
        Field("agent", "Agent", "agent", lambda it: it.agent),
        Field("dimension", "Dimension", "text", lambda it: it.summary.title),
        Field("why", "Why there is no summary", "prose", lambda it: it.summary.reason),
    )
    whole = [_Said(agent, each, None) for agent, each in said if each.text]
    without = [_Said(agent, each, None) for agent, each in said if each.reason]
    return ResultSection(
        "in_short",
        "In short",
        "A text by a judge from its summaries of all dimensions. The model may write no number; those of verdicts and "
        "scores are in the tables.",
        tables=(
            *table_of("in_short", "With a summary", columns, whole),
            *table_of("without_summary", "Without a summary", missing, without),
        ),
        empty=NO_SUMMARY,
    )


def _narrative(said: Sequence[tuple[str, ShownSummary]]) -> ResultSection:
    columns: Columns[_Said] = (
        Field("agent", "Agent", "agent", lambda it: it.agent),
        Field("group", "In common", "text", lambda it: it.group.title if it.group else None),
        Field("runs", "Runs", "text", lambda it: it.group.count if it.group else None),
        Field("claim", "What reviews say", "prose", lambda it: it.group.claim if it.group else None),
        Field("places", "Runs and steps", "places", lambda it: it.group.places if it.group else None),
    )
    dimensions = dict.fromkeys((each.dimension, each.title) for _, each in said if each.groups)
    return ResultSection(
        "summaries",
        "What reviews have in common",
        "Groups by a judge, of the reviews of all judges of the panel, the most important first. It lists the runs of "
        "each group; counts are made from the lists. A reference opens the run at its first quote that was found.",
        tables=tuple(
            table
            for name, title in dimensions
            for table in table_of(
                f"summary_{name}",
                title,
                columns,
                [
                    _Said(agent, each, group)
                    for agent, each in said
                    if each.dimension == name
                    for group in each.groups
                ],
            )
        ),
        empty=NO_SUMMARY,
    )


def _dimensions(judged: Sequence[_Judged]) -> ResultSection:
    columns: Columns[_Judged] = (
        Field("agent", "Agent", "agent", lambda it: it.agent),
        Field("dimension", "Dimension", "text", lambda it: it.dimension.title),
        Field("score", "Mean score", "number", lambda it: it.dimension.score),
        Field("runs", "Runs", "count", lambda it: it.dimension.runs),
        Field("missing", "Without a score", "text", lambda it: listed(it.dimension.missing.items())),
    )
    return ResultSection(
        "dimensions",
        "Scores by dimension",
        "Scores from 0 to 1, with 95 % intervals over scenarios; n counts scenarios. What is missing is not 0.",
        ("dimension-mean",),
        tables=table_of("dimensions", "Dimensions", columns, judged),
        empty="No run has a score.",
    )


def _index(quality: Iterable[tuple[str, QualityIndex]]) -> ResultSection:
    columns: Columns[tuple[str, QualityIndex]] = (
        Field("agent", "Agent", "agent", lambda it: it[0]),
        Field("value", "Quality index", "number1", lambda it: it[1].value),
        Field("coverage", "Scores known", "percent", lambda it: it[1].coverage),
        Field("lowest", "Missing as 0", "number1", lambda it: it[1].lowest),
        Field("highest", "Missing as 1", "number1", lambda it: it[1].highest),
    )
    return ResultSection(
        "quality",
        "Quality index",
        "The mean of five dimensions and of formal verification, from 0 to 100.",
        ("quality-index",),
        tables=table_of("quality", "Quality index", columns, quality),
        empty="No run has a score.",
    )


def _aspects(aspects: Sequence[_Aspect]) -> ResultSection:
    columns: Columns[_Aspect] = (
        Field("agent", "Agent", "agent", lambda it: it.agent),
        Field("aspect", "Aspect", "text", lambda it: it.found.text),
        Field("dimensions", "Dimensions", "text", lambda it: ", ".join(it.found.dimensions)),
        Field("runs", "Runs", "text", lambda it: f"{len(it.found.places)} of {it.n}"),
        Field("weight", "Weight", "count", lambda it: it.found.weight),
    )
    places: Columns[tuple[str, str, tuple[int, ...]]] = (
        Field("place", "Run and step", "place", lambda it: it[2]),
        Field("agent", "Agent", "agent", lambda it: it[0]),
        Field("aspect", "Aspect", "text", lambda it: it[1]),
    )
    return ResultSection(
        "aspects",
        "What reviews name most",
        "Evidence lines of reviews with the same text, by severity; lines whose quotes were not found are left out. "
        "The second table has the first quote of each run.",
        ("common-aspects",),
        tables=(
            *table_of("aspects", "Aspects", columns, aspects),
            *table_of(
                "aspect_places",
                "Runs of aspects",
                places,
                [
                    (each.agent, each.found.text, (run,) if step is None else (run, step))
                    for each in aspects
                    for run, step in each.found.places
                ],
            ),
        ),
        empty="No review has a quote that was found.",
    )


def _titles(dimensions: Iterable[str]) -> str:
    return ", ".join(map(dimension_title, dimensions))


def _panel(panel: Panel, runs: QuerySet[Run], *, hidden: bool) -> ResultSection:
    """Who judged, and what it cost; a review or summary that took an earlier one's file cost nothing."""
    reviews = without_hidden(
        JudgeReview.objects.filter(judge__panel=panel, run__in=runs, run_try__in=(0, F("run__tries"))),
        unless=hidden,
    ).order_by()
    summaries = _summaries(panel, reviews)
    asked = []
    for judge, model, count, shown, written, spent in reviews.values_list(
        "judge__name", "judge__model__litellm_id"
    ).annotate(Count("pk"), Sum("prompt_tokens"), Sum("completion_tokens"), Sum("spent_usd")):
        asked.append(_Asked(judge, model, count, shown, written, spent, *summaries.get(judge, (0, 0.0))))
    states: dict[str, Counter[str]] = {}
    for judge, state, count in reviews.values_list("judge__name", "state").annotate(count=Count("pk")):
        states.setdefault(judge, Counter())[state] += count
    columns: Columns[_Asked] = (
        Field("judge", "Judge", "text", lambda it: it.judge),
        Field("model", "Model", "text", lambda it: it.model),
        Field("reviews", "Reviews", "count", lambda it: it.reviews),
        Field("states", "States", "text", lambda it: listed(states[it.judge].items())),
        Field("tokens_in", "Tokens in", "count", lambda it: it.prompt_tokens),
        Field("tokens_out", "Tokens out", "count", lambda it: it.completion_tokens),
        Field("spent_usd", "Spent", "dollars", lambda it: it.spent_usd),
        Field("summaries", "Summaries", "count", lambda it: it.summaries),
        Field("summaries_usd", "Spent on them", "dollars", lambda it: it.summaries_usd),
    )
    return ResultSection(
        "panel",
        "Who judged",
        f"Panel {panel.title} ({panel.slug}), digest {panel.digest}: {_titles(panel.dimensions)}, "
        f"{panel.samples} samples. Judges are not shown to be right here.",
        ("review-quality",),
        tables=table_of("panel", "Judges", columns, asked),
        empty="No judge.",
    )


def _summaries(panel: Panel, reviews: QuerySet[JudgeReview]) -> dict[str, tuple[int, float]]:
    """Judge → the number and the price of its summaries in the passes of these reviews."""
    rows = without_hidden(
        JudgeSummary.objects.filter(judging_pass__in=reviews.values("judging_pass"), judge__panel=panel)
    ).order_by()
    counted = rows.values_list("judge__name").annotate(Count("pk"), Sum("spent_usd"))
    return {judge: (count, spent or 0.0) for judge, count, spent in counted}


@dataclass(frozen=True, slots=True)
class JudgedReport:
    """The chapters on judges, where they gave a score, and on runs. `left_out`: runs beyond the first MAX_RUNS."""

    chapters: tuple[ReportChapter, ...]
    runs: int
    left_out: int


def judged_report(evaluation: Evaluation, reader: Reader) -> JudgedReport:
    """The report over the runs of an evaluation that this reader may see. Stored until one of them changes."""
    hidden = sees_hidden(reader)
    return cached(
        "judged report",
        f"{evaluation.pk} {hidden}",
        lambda: _report(visible(evaluation.runs.all(), reader), hidden=hidden),
        lambda: _version(visible(evaluation.runs.all(), reader)),
    )


def _report(runs: QuerySet[Run], *, hidden: bool) -> JudgedReport:
    every = runs.filter(state=Run.State.FINISHED).order_by("pk")
    first = list(every.values_list("pk", flat=True)[:MAX_RUNS])
    chosen = runs.filter(pk__in=first)
    facts = run_facts(chosen, with_behaviour=True)
    data = TopicData(facts, agent_names(hidden=hidden), repository_titles(Repository.objects.all()))
    judged = judged_chapter(chosen, data)
    # The text about the whole comes first, as in the paper.
    chapters: Sequence[ReportChapter] = [*([] if judged is None else [judged]), run_chapter(data)]
    return JudgedReport(tuple(chapters), len(first), every.count() - len(first))


def _version(runs: QuerySet[Run]) -> str:
    """Changes whenever a run, its counts, a review or a summary does."""
    of_runs = runs.order_by().aggregate(
        n=Count("pk"), tries=Sum("tries"), at=Max("finished_at"), counted=Sum("counts__version")
    )
    reviews = without_hidden(JudgeReview.objects.filter(run__in=runs)).aggregate(
        n=Count("pk"), last=Max("pk"), at=Max("finished_at"), panel=Max("judge__panel")
    )
    return keyed_version(repr((of_runs, reviews, summaries_version(runs))))
