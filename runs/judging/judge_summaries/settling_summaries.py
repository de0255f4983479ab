"""Stores the content of a summary's file in its row, with its groups and the runs that they name."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import timezone

from harness.judges.summary_file import Summary
from runs.judging.reviews.settling_reviews import settle_work
from runs.models import JudgeSummary, JudgeWork, Run, SummaryGroup, SummarySource
from runs.models.judge_summary import WHOLE


def settle_summary(summary: JudgeSummary, answer: Summary, runs: Mapping[str, Run], *, reused: bool) -> bool:
    """Ends a try with its answer. False, and nothing is changed, if another try owns the row. `runs`: by their keys."""
    return settle_work(summary, lambda owned: copy_summary(owned, answer, runs, reused=reused))


def copy_summary(row: JudgeSummary, answer: Summary, runs: Mapping[str, Run], *, reused: bool) -> None:
    """Stores the content of a summary's file in a row, with its groups. Call it in a transaction."""
    row.state = JudgeWork.State(answer.state.value)
    row.reason = answer.reason
    row.key = answer.key
    row.text = answer.text
    row.alert = answer.alert
    row.shown = len(answer.shown)
    row.answered_model = answer.answered_model
    row.prompt_tokens = answer.prompt_tokens
    row.completion_tokens = answer.completion_tokens
    row.cached_tokens = answer.cached_tokens
    row.seconds = answer.seconds
    row.asks = answer.asks
    row.reused = reused
    row.finished_at = timezone.now()
    row.save()
    row.groups.all().delete()
    row.sources.all().delete()
    if row.dimension == WHOLE:
        return
    SummaryGroup.objects.bulk_create(
        SummaryGroup(
            summary=row, place=place, title=group.title, claim=group.claim, numbers=list(group.numbers)
        )
        for place, group in enumerate(answer.groups, 1)
    )
    SummarySource.objects.bulk_create(
        SummarySource(
            summary=row,
            number=source.number,
            run=runs[source.run_id],
            run_try=source.try_number,
            other_run=runs.get(source.other_run_id),
            step=source.step,
            score=source.score,
        )
        for source in answer.shown
    )
