"""Which summaries a pass writes: for each agent in each dataset, after all reviews, that of the whole last."""

from __future__ import annotations

from typing import Any

import pytest

from runs.judging.reviews.pass_summaries import (
    SummaryTopic,
    planned_summaries,
    summary_topics,
    waiting_summaries,
)
from runs.models import FAULT_CATALOGUE, JudgeReview, JudgeSummary, Run
from tests.runs.cast import Cast
from tests.runs.panels import add_panel, add_pass, add_review, add_summary

pytestmark = pytest.mark.django_db
State = JudgeSummary.State


def test_each_agent_with_three_runs_in_a_dataset_has_one_of_each_dimension_and_one_of_the_whole() -> None:
    cast = Cast()
    alice, bob = cast.alice(), cast.bob()
    tasks = cast.add_tasks(3)
    ours = [cast.add_run(alice, task) for task in tasks]
    few = [cast.add_run(bob, task) for task in tasks[:2]]
    elsewhere = cast.add_run(alice, cast.add_hidden_task())
    assert summary_topics([*ours, *few, elsewhere]) == {SummaryTopic(cast.dataset.pk, alice.pk): 3}
    pairs = list(zip(ours, [*few, cast.add_run(bob, tasks[2])], strict=True))
    assert summary_topics([*ours, *few], pairs) == {SummaryTopic(cast.dataset.pk, alice.pk, bob.pk): 3}
    assert not summary_topics([*ours, *few], pairs[:2])

    judge = add_panel(cast.add_model("Bench"), dimensions=["pitfalls", "tool_calls"])
    planned = list(planned_summaries(add_pass(judge), [judge], ours, ()))
    assert [(each.dimension, each.agent_id, each.other_agent_id) for each in planned] == [
        (name, alice.pk, None) for name in ("pitfalls", "tool_calls", "")
    ]


def test_runs_of_the_fault_catalogue_have_none() -> None:
    cast = Cast()
    alice = cast.alice()
    runs = [cast.add_run(alice, task) for task in cast.add_tasks(3)]
    cast.evaluation.origin = FAULT_CATALOGUE
    cast.evaluation.save()
    assert not summary_topics(list(Run.objects.filter(pk__in=[run.pk for run in runs])))


def test_they_wait_for_open_reviews_and_that_of_the_whole_for_the_others() -> None:
    cast = Cast()
    alice = cast.alice()
    runs = [cast.add_run(alice, task) for task in cast.add_tasks(3)]
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    review = add_review(started, judge, runs[0], state=JudgeReview.State.QUEUED, score=None)
    part = add_summary(started, judge, runs, state=State.QUEUED, tries=1)
    add_summary(started, judge, runs, "", text="", state=State.QUEUED)

    def waiting() -> list[tuple[Any, ...]]:
        assert waiting_summaries() == waiting_summaries(started.pk)
        return [tuple(batch) for batch in waiting_summaries()]

    assert waiting() == []
    JudgeReview.objects.filter(pk=review.pk).update(state=JudgeReview.State.DONE)
    batch = (started.pk, cast.dataset.pk, alice.pk, 0, judge.pk, 1)
    assert waiting() == [batch]
    JudgeSummary.objects.filter(pk=part.pk).update(state=State.RUNNING)
    assert waiting() == []
    JudgeSummary.objects.filter(pk=part.pk).update(state=State.QUEUED, not_before="2999-01-01T00:00:00Z")
    assert waiting() == []
    JudgeSummary.objects.filter(pk=part.pk).update(state=State.MALFORMED)
    assert waiting() == [batch]
