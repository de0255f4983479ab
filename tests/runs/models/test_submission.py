"""Submissions as rows."""

from __future__ import annotations

import pytest
from django.utils import timezone

from runs.models import RunGrading, Submission, SubmittedRun
from runs.models.open_rows import without_hidden
from tests.runs.cast import Cast
from tests.runs.intake.submissions.made_submissions import State, submission_row

pytestmark = pytest.mark.django_db


@pytest.fixture
def submission() -> Submission:
    cast = Cast()
    return submission_row(cast.dataset, cast.add_tasks(1)[0])


def test_readers_see_none(submission: Submission) -> None:
    assert not without_hidden(Submission.objects.all()).exists()
    assert not without_hidden(SubmittedRun.objects.all()).exists()


@pytest.mark.parametrize(
    ("outcome", "passed", "differs"),
    [("resolved", 8, False), ("unresolved", 8, True), ("unresolved", 5, True), ("resolved", 7, True)],
)
def test_a_grading_differs_in_the_outcome_or_the_tests(
    submission: Submission, outcome: str, passed: int, differs: bool
) -> None:
    run = submission.submitted.get()
    assert not run.differs
    run.state, run.outcome, run.tests_passed = State.GRADED, outcome, passed
    assert run.differs is differs


def test_what_was_claimed_of_a_run_differs_from_its_verdict() -> None:
    cast = Cast()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=3)
    values = {"run": run, "graded_at": timezone.now(), "claimed_passed": run.tests_passed}
    assert not RunGrading(claimed_outcome=run.outcome, **values).differs
    assert RunGrading(claimed_outcome="resolved", **values).differs
