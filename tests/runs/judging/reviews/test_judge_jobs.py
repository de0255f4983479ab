"""What is the same for each kind of judges' work: its claim, and which files are answers."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from runs.jobs.claims import worker_name
from runs.judging.reviews.judge_jobs import claim_file, claim_work, due_work
from runs.models import JudgeReview, JudgingPass, Run
from runs.work.execution.run_signature import is_signed
from tests.runs.cast import Cast
from tests.runs.panels import add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db(transaction=True)
State = JudgeReview.State


@pytest.fixture
def review() -> JudgeReview:
    """A queued review."""
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge, state=JudgingPass.State.RUNNING)
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    return add_review(started, judge, run, state=State.QUEUED, score=None)


def test_of_two_workers_one_claims_a_review(review: JudgeReview) -> None:
    other = JudgeReview.objects.get()

    assert (claim_work(review), claim_work(other)) == (True, False)
    assert (review.state, review.tries) == (State.RUNNING, 1)
    assert JudgeReview.objects.get().worker == worker_name()


def test_work_that_pauses_is_neither_due_nor_claimed(review: JudgeReview) -> None:
    assert list(due_work(JudgeReview.objects.all())) == [review]
    JudgeReview.objects.update(not_before=timezone.now() + timedelta(hours=1))

    assert list(due_work(JudgeReview.objects.all())) == []
    assert not claim_work(review)


@pytest.mark.parametrize(("origin", "stays"), [("", True), ("The Lab", False)])
def test_an_unsigned_answer_is_one_of_this_site_only_in_its_own_runs(
    origin: str, stays: bool, review: JudgeReview, tmp_path: Path
) -> None:
    run = Run.objects.select_related("evaluation").get(pk=review.run_id)
    run.evaluation.origin = origin
    file = tmp_path / "answer.json"
    file.write_text("{}")
    assert not is_signed(file)

    claim_file(run, file)

    assert file.is_file() is stays
    assert not stays or is_signed(file)
