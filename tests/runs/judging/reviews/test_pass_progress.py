"""How far a judging pass is."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from runs.judging.reviews.pass_progress import pass_progress
from runs.models import JudgeReview, ReviewEvidence, RunComparison
from tests.runs.cast import Cast
from tests.runs.panels import (
    add_comparison,
    add_evidence,
    add_order,
    add_panel,
    add_pass,
    add_review,
    add_summary,
)

pytestmark = pytest.mark.django_db
State = JudgeReview.State


def test_it_counts_by_judge_and_dimension_and_names_what_has_no_score() -> None:
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    one, two = (
        cast.add_run(cast.add_agent(name), cast.add_tasks(1, start=n)[0]) for n, name in enumerate("AB", 1)
    )
    review = add_review(started, judge, one, score=1.0, spent_usd=0.5)
    add_review(started, judge, two, score=0.5, reused=True)
    add_review(started, judge, one, "tool_calls", state=State.MALFORMED, score=None)
    add_review(started, judge, two, "tool_calls", state=State.QUEUED, score=None)
    add_evidence(review)
    add_evidence(review, 2, status=ReviewEvidence.Status.UNVERIFIED)

    found = pass_progress(started, AnonymousUser())

    reviews = found.reviews
    assert (reviews.total, reviews.open, reviews.done, found.missing, reviews.reused) == (4, 1, 2, 1, 1)
    assert [(row.dimension, row.done, row.total, row.mean, row.without_score) for row in reviews.rows] == [
        ("pitfalls", 2, 2, 0.75, {}),
        ("tool_calls", 0, 2, None, {"malformed": 1}),
    ]
    assert (found.struck, found.checked, found.account.spent) == (1, 2, 0.5)


def test_reviews_of_hidden_tasks_are_not_counted() -> None:
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    add_review(started, judge, cast.add_run(cast.alice(), cast.add_hidden_task()))
    assert pass_progress(started, AnonymousUser()).reviews.total == 0


def test_comparisons_are_counted_beside_the_reviews() -> None:
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    (task,) = cast.add_tasks(1)
    alice, bob = cast.add_run(cast.alice(), task), cast.add_run(cast.bob(), task)
    add_order(add_comparison(started, judge, (alice, bob)), 1, -3)
    add_comparison(started, judge, (bob, alice), score=0, flipped=True)
    failed = {"state": RunComparison.State.NO_REVIEW, "score": None}
    add_comparison(started, judge, (alice, bob), "pitfalls", **failed)
    hidden = cast.add_run(bob.agent, cast.add_hidden_task())
    add_comparison(started, judge, (alice, hidden), "pitfalls")

    found = pass_progress(started, AnonymousUser())

    made = found.comparisons
    assert (made.total, made.open, made.done, found.missing) == (3, 0, 2, 1)
    assert [(row.dimension, row.done, row.mean, row.flips, row.without_score) for row in made.rows] == [
        ("end_result", 2, -1.5, 1, {}),
        ("pitfalls", 0, None, 0, {"missing review": 1}),
    ]
    assert (found.struck, found.checked) == (0, 1)


def test_summaries_are_counted_with_their_states() -> None:
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    alice = cast.alice()
    run = cast.add_run(alice, cast.add_tasks(1)[0])
    add_summary(started, judge, [run], spent_usd=0.25)
    add_summary(started, judge, [run], "tool_calls", state=State.NO_REVIEW, reason="too few")
    add_summary(started, judge, [cast.add_run(alice, cast.add_hidden_task())])

    found = pass_progress(started, AnonymousUser())

    assert (found.summaries.total, found.summaries.done, found.missing) == (2, 1, 1)
    assert found.summaries.states == [("done", "done", 1), ("no_review", "missing review", 1)]
    assert found.account.spent == 0.25
