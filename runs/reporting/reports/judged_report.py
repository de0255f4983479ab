"""The report of one evaluation on the site, after AgentLens, appendix A: how its runs went, and what judges say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, Max, QuerySet, Sum

from runs.data.cache.results import cached, keyed_version
from runs.data.queries.visibility import Reader, sees_hidden, visible
from runs.data.run_facts.facts_query import run_facts
from runs.judging.judge_summaries.shown_summaries import summaries_version
from runs.models import Evaluation, JudgeReview, Run
from runs.models.open_rows import without_hidden
from runs.presentation.formatting.text import one_line
from runs.reporting.reports.judged_chapters import judged_chapter
from runs.reporting.reports.report_sections import ReportChapter
from runs.reporting.reports.run_chapter import run_chapter
from runs.reporting.topics.computing import agent_names
from runs.reporting.topics.topic_data import topic_data
from tasks.models import Repository

MAX_RUNS = 2_000


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
    titles = dict(Repository.objects.order_by("pk").values_list("slug", "title"))
    facts = run_facts(chosen, with_behaviour=True)
    names = agent_names(hidden=hidden)
    data = topic_data(facts, names, {slug: one_line(title) for slug, title in titles.items()})
    data = replace(data, runs=facts, calibrated=True)
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
