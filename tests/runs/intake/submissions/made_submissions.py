"""Submissions for tests: of the tiny task, with records as another site would write them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.utils import timezone

from harness.records import Flag, Grade, TestResult, TestStatus
from runs.intake.submissions import regrading
from runs.intake.submissions.staging import SubmissionSource, stage_submission
from runs.models import Submission, SubmittedRun
from tasks.models import Dataset, Task
from tests.runs.transfer.made_records import Elsewhere

SENDER = SubmissionSource("The Lab", "tiny")
State = SubmittedRun.State


def stage(task: Task, root: Path, **records: Any) -> Submission:
    """A staged submission of one run, `records` as Elsewhere.write takes them."""
    Elsewhere.knowing(task).write(root / "sent/run", **records)
    return stage_submission(root / "sent", SENDER)


def found_grade(task: Task, passed: int, *, seconds: float = 3.0) -> Grade:
    """What this site's grading finds."""
    tests = Elsewhere.knowing(task).tests
    statuses = [TestStatus.PASSED] * passed + [TestStatus.FAILED] * (len(tests) - passed)
    results = tuple(TestResult(test, status) for test, status in zip(tests, statuses, strict=True))
    whole = passed == len(tests)
    reason = (
        f"all {len(tests)} expected tests passed in all 2 repeats"
        if whole
        else f"{len(tests) - passed} of {len(tests)} expected tests did not pass: {tests[-1]} failed"
    )
    flags = (Flag("closing", "printed output", "no last line"),)
    return Grade(whole, results, 0 if whole else 1, seconds, reason, flags, "what the tests print\n")


def grade_here(submission: Submission, grade: Grade) -> None:
    """Stores this grade for each of its runs, as a worker does."""
    for run in submission.submitted.select_related("submission").filter(state=State.WAITING):
        regrading._write(run, grade)
        SubmittedRun.objects.filter(pk=run.pk).update(
            state=State.GRADED,
            outcome="resolved" if grade.resolved else "unresolved",
            tests_passed=grade.passed,
            reason=grade.reason,
            graded_at=timezone.now(),
        )


def submission_row(dataset: Dataset, task: Task, **values: Any) -> Submission:
    """A submission without files, with one run."""
    run: Mapping[str, Any] = values.pop("run", {})
    submission = Submission.objects.create(**{"dataset": dataset, "sender": "The Lab", **values})
    SubmittedRun.objects.create(
        **{
            "submission": submission,
            "key": f"elsewhere/{submission.pk}",
            "task": task,
            "directory": "run",
            "agent_name": "Visitor",
            "agent_kind": "ide",
            "attempt": 1,
            "try_number": 1,
            "claimed_outcome": "resolved",
            "claimed_passed": 8,
            "tests_total": 8,
            **run,
        }
    )
    return submission
