"""Summaries are rebuilt from their files: those of a pass with exactly the answers that they were made of."""

from __future__ import annotations

from typing import Any

import pytest

from harness.judges.review_file import all_stored
from harness.judges.summary_file import SUMMARIES, Summary
from runs.judging.reviews.comparison_pairs import agent_pairs, runs_of
from runs.models import JudgeReview, JudgeSummary, JudgingPass, Run, SummaryGroup, SummarySource
from runs.transfer.import_reviews import ReviewOwners
from runs.transfer.run_directories import ImportRefused
from tests.runs.cast import Cast
from tests.runs.judging.judge_summaries.summarised import runs_of_bob, stand_ins, start, three_runs, work

pytestmark = pytest.mark.django_db(transaction=True)


def rows() -> list[Any]:
    return [
        *JudgeSummary.objects.order_by("dimension").values_list(
            *("dimension", "state", "text", "alert", "shown", "key", "agent", "other_agent", "dataset"),
            *("prompt_tokens", "judging_pass__slug", "judge__name"),
        ),
        *SummaryGroup.objects.order_by("summary__dimension", "place").values_list(
            "title", "claim", "numbers"
        ),
        *SummarySource.objects.order_by("summary__dimension", "number").values_list(
            "number", "run", "other_run", "step", "score"
        ),
    ]


def test_import_rebuilds_summaries_of_reviews() -> None:
    runs = three_runs(Cast())
    with stand_ins() as server:
        work(start(runs, server))
    before = rows()
    assert len(before) == 3 + 2 + 2 * 3

    JudgingPass.objects.all().delete()
    owners = ReviewOwners("")
    for run in runs:
        owners.restore(run)
    assert owners.restore_summaries(runs[0], {}) == 0
    assert [owners.restore_summaries(run) for run in runs] == [3, 0, 0]
    assert [owners.restore_summaries(run) for run in runs] == [0, 0, 0]
    assert rows() == before


def test_import_rebuilds_summaries_of_comparisons() -> None:
    cast = Cast()
    runs = three_runs(cast)
    others = runs_of_bob(cast, runs)
    pairs = agent_pairs(runs[0].agent, others[0].agent, Run.objects.all())
    with stand_ins() as server:
        work(start(runs_of(pairs), server, "first", pairs=pairs))
    before = rows()

    JudgingPass.objects.all().delete()
    owners = ReviewOwners("")
    for run in (*runs, *others):
        owners.restore(run)
    assert owners.restore_summaries(runs[0]) == 0
    assert sum(owners.restore_comparisons(run) for run in runs) == 2 * 3
    assert owners.restore_summaries(runs[0]) == 3
    assert rows() == before


def test_a_summary_of_other_answers_than_those_of_the_pass_is_left_out() -> None:
    runs = three_runs(Cast())
    with stand_ins() as server:
        work(start(runs, server))
    JudgingPass.objects.all().delete()
    owners = ReviewOwners("")
    for run in runs:
        owners.restore(run)
    JudgeReview.objects.filter(dimension="pitfalls", run=runs[0]).delete()
    # That of the whole was made from both, so it is left out as well.
    assert owners.restore_summaries(runs[0]) == 1
    assert JudgeSummary.objects.get().dimension == "tool_calls"


def test_a_summary_in_the_directory_of_another_run_is_refused() -> None:
    runs = three_runs(Cast())
    with stand_ins() as server:
        work(start(runs, server))
    assert list(all_stored(runs[0].path, Summary))
    (runs[0].path / SUMMARIES).rename(runs[1].path / SUMMARIES)
    with pytest.raises(ImportRefused, match="is of another run or try"):
        ReviewOwners("").restore_summaries(runs[1])
