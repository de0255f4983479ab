"""A summary's file becomes its row with groups and sources, once, from the try that owns it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from harness.judges.review_file import JudgeIdentity, ReviewState
from harness.judges.summary_file import Summary, SummaryGroup, SummarySource
from runs.judging.judge_summaries.settling_summaries import copy_summary
from runs.judging.reviews.settling_reviews import settle_work
from runs.models import JudgeSummary, JudgingPass
from tests.runs.cast import Cast
from tests.runs.panels import add_panel, add_pass, add_summary

pytestmark = pytest.mark.django_db
State = JudgeSummary.State
ANSWER = Summary(
    key="0" * 32,
    judge=JudgeIdentity("Portia", "ada/Bench", "ada"),
    dimension="pitfalls",
    prompt_digest="b" * 64,
    sources=(SummarySource(1, "", 1, ("1" * 32,), step=4), SummarySource(2, "gone", 1)),
    parts=(),
    state=ReviewState.DONE,
    reason="",
    groups=(SummaryGroup("No tests", "It ran none.", (1,)),),
    text="",
    alert=None,
    answered_model="bench-1",
    prompt_tokens=100,
    completion_tokens=10,
    cached_tokens=50,
    cost_usd=0.01,
    seconds=1.5,
    asks=1,
    created_at="2026-01-02T03:04:05Z",
)


def test_it_is_stored_once_and_replaces_what_was_there() -> None:
    cast = Cast()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge, state=JudgingPass.State.RUNNING)
    summary = add_summary(started, judge, [run], state=State.RUNNING, tries=1, reserved_usd=0.5)
    answer = replace(ANSWER, sources=(replace(ANSWER.sources[0], run_id=run.key), ANSWER.sources[1]))

    late = JudgeSummary(pk=summary.pk, judging_pass=started, tries=2)
    store = partial(copy_summary, answer=answer, runs={run.key: run}, reused=False)
    assert not settle_work(late, store)
    assert settle_work(summary, store)
    assert not settle_work(summary, store)

    summary.refresh_from_db()
    assert (summary.state, summary.shown, summary.asks, summary.answered_model) == (
        State.DONE,
        1,
        1,
        "bench-1",
    )
    assert (summary.reserved_usd, summary.doubtful_usd) == (0, 0.5)
    assert list(summary.groups.values_list("place", "title", "claim", "numbers")) == [
        (1, "No tests", "It ran none.", [1])
    ]
    assert list(summary.sources.values_list("number", "run", "step")) == [(1, run.pk, 4)]
    started.refresh_from_db()
    assert started.state == JudgingPass.State.FINISHED
