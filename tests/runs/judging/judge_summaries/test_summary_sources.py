"""What a summary is made from: all runs of its topic, numbered, with the reviews that are done."""

from __future__ import annotations

import pytest

from harness.judges.summary import TooFew
from runs.judging.judge_summaries.summary_sources import NumberedRuns, question_of
from runs.models import JudgeReview, JudgeSummary
from tests.runs.cast import Cast
from tests.runs.judging.judge_summaries.summarised import stand_ins, start, three_runs, work

pytestmark = pytest.mark.django_db(transaction=True)


def test_runs_keep_their_numbers_where_a_review_is_missing() -> None:
    cast = Cast()
    runs = three_runs(cast)
    more = cast.add_run(runs[0].agent, runs[0].task, attempt=2)
    with stand_ins() as server:
        started = start([*runs, more], server)
        started.reviews.filter(run=more).update(state=JudgeReview.State.FAILED)
        work(started)
    summary = started.summaries.get(dimension="pitfalls")
    numbered = NumberedRuns.of(summary)
    assert numbered.runs == (*runs, more)
    question = question_of(summary, numbered, 400_000)
    assert [bool(source.answers) for source in question.sources] == [True, True, True, False]
    assert [source.run_id for source in question.sources] == [run.key for run in (*runs, more)]

    for run in (*runs, more):
        run.delete()
    with pytest.raises(TooFew, match="None of its runs is here any more"):
        NumberedRuns.of(JudgeSummary.objects.get(pk=summary.pk))
