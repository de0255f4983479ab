"""How far a judging pass is."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from runs.models import JudgeReview, ReviewEvidence
from runs.reviews.pass_progress import pass_progress
from tests.runs.cast import Cast
from tests.runs.panels import add_evidence, add_panel, add_pass, add_review

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

    assert (found.total, found.open, found.done, found.missing, found.reused) == (4, 1, 2, 1, 1)
    assert [(row.dimension, row.done, row.total, row.mean, row.without_score) for row in found.rows] == [
        ("pitfalls", 2, 2, 0.75, {}),
        ("tool_calls", 0, 2, None, {"malformed": 1}),
    ]
    assert (found.struck, found.checked, found.account.spent, found.share) == (1, 2, 0.5, 0.75)


def test_reviews_of_hidden_tasks_are_not_counted() -> None:
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    add_review(started, judge, cast.add_run(cast.alice(), cast.add_hidden_task()))
    assert pass_progress(started, AnonymousUser()).total == 0
