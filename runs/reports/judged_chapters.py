"""Chapters of a report after AgentLens, appendix A: what runs took, and what judges say about them.

Each "k of n" is made from the list of its runs, and each reference opens its run at its step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from django.db.models import Count, F, QuerySet, Sum

from runs.analysis.cost.run_figures import LEVELS, RunFigures, run_figures
from runs.analysis.judging.common_aspects import CommonAspect, common_aspects
from runs.analysis.scores.quality_index import QualityIndex
from runs.models import Agent, JudgeReview, Panel, Run
from runs.models.open_rows import without_hidden
from runs.reports.report_sections import ReportChapter
from runs.run_facts.agent_reviews import JudgedDimension, aspect_lines, evidence_of, judged_dimensions
from runs.run_facts.judged_scores import SCORED, graded, quality_by_agent, runs_with_reasons
from runs.topics.section_parts import Columns, Field, table_of
from runs.topics.topic_data import TopicData
from runs.topics.topic_result import ResultSection, TopicResult


class _Judged(NamedTuple):
    """One agent in one dimension."""

    agent: str
    dimension: JudgedDimension


class _Aspect(NamedTuple):
    """One aspect of one agent's reviews; `n`: its runs with a score."""

    agent: str
    found: CommonAspect
    n: int


class _Asked(NamedTuple):
    """What one judge was asked, and what that cost."""

    judge: str
    model: str
    reviews: int
    prompt_tokens: int
    completion_tokens: int
    spent_usd: float


def run_chapter(data: TopicData) -> ReportChapter:
    """Runs, verdicts, endings, speed, calls, and quantiles of time and price, by agent."""
    figures = run_figures(data.runs)
    sections = (_verdicts(figures), _speed(figures), _quantiles(figures))
    return _chapter("runs", ("Runs", "How runs ended, and what they took.", ""), data, sections)


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
    sections = (
        _dimensions(judged),
        _index(quality.items()),
        _aspects(aspects),
        _panel(panel, graded(runs), hidden=hidden),
    )
    summary = f"{reviewed:,} of {len(found):,} runs with a verdict have scores of the panel {panel.title}."
    texts = ("What judges say", "How agents worked, by judges.", summary)
    return _chapter("judges", texts, data, sections)


def _chapter(
    slug: str, texts: tuple[str, str, str], data: TopicData, sections: tuple[ResultSection, ...]
) -> ReportChapter:
    """`texts`: title, description and summary."""
    title, description, summary = texts
    result = TopicResult(
        summary, sections, data.agents, data.repositories, data.graded, data.tasks, data.calibrated
    )
    return ReportChapter(slug, title, description, result)


def _verdicts(figures: Sequence[RunFigures]) -> ResultSection:
    columns: Columns[RunFigures] = (
        Field("agent", "agent", "agent", lambda it: it.agent),
        Field("runs", "runs", "count", lambda it: it.runs),
        Field("scenarios", "scenarios", "count", lambda it: it.scenarios),
        Field("resolved", "resolved", "text", lambda it: f"{len(it.resolved)} of {it.graded}"),
        Field("formal", "formal verification", "percent", lambda it: it.formal),
        Field("endings", "endings", "text", lambda it: _listed(it.endings.items())),
    )
    return ResultSection(
        "verdicts",
        "Verdicts and endings",
        "A task is one scenario; the personas of a scenario are one, too. Endings are those of all runs.",
        ("run-figures",),
        tables=table_of("verdicts", "verdicts", columns, figures),
        empty="No agent made a run.",
    )


def _speed(figures: Sequence[RunFigures]) -> ResultSection:
    columns: Columns[RunFigures] = (
        Field("agent", "agent", "agent", lambda it: it.agent),
        Field("tokens_per_second", "tokens per second", "number", lambda it: it.tokens_per_second),
        Field("calls", "calls", "count", lambda it: it.calls),
        Field("calls_per_run", "calls per run", "number1", lambda it: it.calls_per_run),
        Field("calls_per_step", "calls in parallel", "number", lambda it: it.calls_per_step),
    )
    return ResultSection(
        "speed",
        "Speed and calls",
        "Generated tokens for each second in which an agent acted. Calls in parallel: the mean over steps with a call. "
        "The success of each tool is in the chapter on tools.",
        ("run-figures",),
        tables=table_of("speed", "speed", columns, figures),
        empty="No agent made a run.",
    )


def _quantiles(figures: Sequence[RunFigures]) -> ResultSection:
    columns: Columns[RunFigures] = (
        Field("agent", "agent", "agent", lambda it: it.agent),
        *(_level("seconds", level) for level in LEVELS),
        *(_level("cost_usd", level) for level in LEVELS),
    )
    return ResultSection(
        "run_quantiles",
        "Time and price of a run",
        "Quantiles over runs with a verdict: 80 % of the runs took at most the value under 80 %.",
        ("run-figures",),
        tables=table_of("run_quantiles", "run quantiles", columns, figures),
        empty="No agent made a run.",
    )


def _level(name: str, level: int) -> Field[RunFigures]:
    if name == "seconds":
        return Field(f"seconds_{level}", f"time, {level} %", "duration", lambda it: it.seconds[level])
    return Field(f"cost_usd_{level}", f"price, {level} %", "dollars", lambda it: it.cost_usd[level])


def _dimensions(judged: Sequence[_Judged]) -> ResultSection:
    columns: Columns[_Judged] = (
        Field("agent", "agent", "agent", lambda it: it.agent),
        Field("dimension", "dimension", "text", lambda it: it.dimension.title),
        Field("score", "mean score", "number", lambda it: it.dimension.score),
        Field("runs", "runs", "count", lambda it: it.dimension.runs),
        Field("missing", "without a score", "text", lambda it: _listed(it.dimension.missing.items())),
    )
    return ResultSection(
        "dimensions",
        "Scores by dimension",
        "Scores from 0 to 1, with 95 % intervals over scenarios; n counts scenarios. What is missing is not 0.",
        ("dimension-mean",),
        tables=table_of("dimensions", "dimensions", columns, judged),
        empty="No run has a score.",
    )


def _index(quality: Iterable[tuple[str, QualityIndex]]) -> ResultSection:
    columns: Columns[tuple[str, QualityIndex]] = (
        Field("agent", "agent", "agent", lambda it: it[0]),
        Field("value", "quality index", "number1", lambda it: it[1].value),
        Field("coverage", "scores known", "percent", lambda it: it[1].coverage),
        Field("lowest", "missing as 0", "number1", lambda it: it[1].lowest),
        Field("highest", "missing as 1", "number1", lambda it: it[1].highest),
    )
    return ResultSection(
        "quality",
        "Quality index",
        "The mean of five dimensions and of formal verification, from 0 to 100.",
        ("quality-index",),
        tables=table_of("quality", "quality index", columns, quality),
        empty="No run has a score.",
    )


def _aspects(aspects: Sequence[_Aspect]) -> ResultSection:
    columns: Columns[_Aspect] = (
        Field("agent", "agent", "agent", lambda it: it.agent),
        Field("aspect", "aspect", "text", lambda it: it.found.text),
        Field("dimensions", "dimensions", "text", lambda it: ", ".join(it.found.dimensions)),
        Field("runs", "runs", "text", lambda it: f"{len(it.found.places)} of {it.n}"),
        Field("weight", "weight", "count", lambda it: it.found.weight),
    )
    places: Columns[tuple[str, str, tuple[int, ...]]] = (
        Field("place", "run and step", "place", lambda it: it[2]),
        Field("agent", "agent", "agent", lambda it: it[0]),
        Field("aspect", "aspect", "text", lambda it: it[1]),
    )
    return ResultSection(
        "aspects",
        "What reviews name most",
        "Evidence lines of reviews with the same text, by severity; lines whose quotes were not found are left out. "
        "The second table has the first quote of each run.",
        ("common-aspects",),
        tables=(
            *table_of("aspects", "aspects", columns, aspects),
            *table_of("aspect_places", "runs of aspects", places, _places(aspects)),
        ),
        empty="No review has a quote that was found.",
    )


def _places(aspects: Iterable[_Aspect]) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    for each in aspects:
        for run, step in each.found.places:
            yield each.agent, each.found.text, (run,) if step is None else (run, step)


def _panel(panel: Panel, runs: QuerySet[Run], *, hidden: bool) -> ResultSection:
    """Who judged, and what it cost; a review that took an earlier one's file cost nothing."""
    reviews = without_hidden(
        JudgeReview.objects.filter(judge__panel=panel, run__in=runs, run_try__in=(0, F("run__tries"))),
        unless=hidden,
    ).order_by()
    asked = [
        _Asked(*row)
        for row in reviews.values_list("judge__name", "judge__model__litellm_id").annotate(
            Count("pk"), Sum("prompt_tokens"), Sum("completion_tokens"), Sum("spent_usd")
        )
    ]
    states: dict[str, Counter[str]] = {}
    for judge, state, count in reviews.values_list("judge__name", "state").annotate(count=Count("pk")):
        states.setdefault(judge, Counter())[state] += count
    columns: Columns[_Asked] = (
        Field("judge", "judge", "text", lambda it: it.judge),
        Field("model", "model", "text", lambda it: it.model),
        Field("reviews", "reviews", "count", lambda it: it.reviews),
        Field("states", "states", "text", lambda it: _listed(states[it.judge].items())),
        Field("tokens_in", "tokens in", "count", lambda it: it.prompt_tokens),
        Field("tokens_out", "tokens out", "count", lambda it: it.completion_tokens),
        Field("spent_usd", "spent", "dollars", lambda it: it.spent_usd),
    )
    return ResultSection(
        "panel",
        "Who judged",
        f"Panel {panel.title} ({panel.slug}), digest {panel.digest}: {', '.join(panel.dimensions)}, "
        f"{panel.samples} samples. Judges are not shown to be right here.",
        ("review-quality",),
        tables=table_of("panel", "judges", columns, asked),
        empty="No judge.",
    )


def _listed(counts: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{name.replace('_', ' ') or 'not recorded'}: {count}" for name, count in sorted(counts))
