"""Stores the content of a summary's file in its row, with its groups and the runs that they name."""

from __future__ import annotations

from collections.abc import Mapping

from harness.judges.summary_file import Summary
from runs.judging.reviews.settling_reviews import copy_ending
from runs.models import JudgeSummary, Run, SummaryGroup, SummarySource
from runs.models.judge_summary import WHOLE


def copy_summary(row: JudgeSummary, answer: Summary, runs: Mapping[str, Run], *, reused: bool) -> None:
    """Stores the content of a summary's file in a row, with its groups. Call it in a transaction."""
    copy_ending(row, answer, reused=reused, asked=[answer])
    row.text = answer.text
    row.alert = answer.alert
    row.shown = len(answer.shown)
    row.answered_model = answer.answered_model
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
