"""Rows of judges: what they refuse, and what goes with what."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from runs.models import JudgeReview, ReviewEvidence
from tests.runs.cast import Cast
from tests.runs.panels import add_evidence, add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db


@pytest.fixture
def review() -> JudgeReview:
    """A review of one of Alice's runs."""
    cast = Cast()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    judge = add_panel(cast.add_model("Bench"))
    return add_review(add_pass(judge), judge, run)


def test_a_pass_has_one_review_of_a_run_for_each_judge_dimension_and_sample(review: JudgeReview) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        add_review(review.judging_pass, review.judge, review.run)

    add_review(review.judging_pass, review.judge, review.run, sample=2)
    add_review(review.judging_pass, review.judge, review.run, "tool_calls")

    assert JudgeReview.objects.count() == 3


def test_a_panel_with_a_pass_is_not_deleted(review: JudgeReview) -> None:
    with pytest.raises(ProtectedError):
        review.judging_pass.panel.delete()


def test_reviews_and_their_evidence_go_with_the_run(review: JudgeReview) -> None:
    add_evidence(review)

    review.run.delete()

    assert (JudgeReview.objects.count(), ReviewEvidence.objects.count()) == (0, 0)
