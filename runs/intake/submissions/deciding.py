"""What operators do with submissions: have them graded again, accept or reject them."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from harness.scratch import held, scratch
from runs.access.audit.audit_log import record
from runs.intake.submissions.graded_records import write_graded_record
from runs.intake.submissions.staging import SubmissionRefused, origin_of
from runs.jobs import queue
from runs.jobs.job_kinds import ACCEPT, REGRADE
from runs.jobs.swept_work import SweptWork
from runs.models import AuditEntry, Run, RunGrading, Submission, SubmittedRun
from runs.transfer.importing import import_runs
from runs.transfer.run_directories import ImportRefused

log = logging.getLogger(__name__)

State, RunState = Submission.State, SubmittedRun.State


class AcceptanceWork(SweptWork[Submission]):
    """Imports of accepted submissions. They send no heartbeats: their lock ends with their process."""

    plural = "acceptances of submissions"
    beats = False

    def waiting(self) -> QuerySet[Submission]:
        """All that are accepted and not imported."""
        return Submission.objects.filter(state=State.ACCEPTING)


def grade_submission(submission: Submission) -> int:
    """Queues the grading of every run without one. Returns how many. Raises SubmissionRefused."""
    with transaction.atomic():
        locked = Submission.objects.select_for_update().get(pk=submission.pk)
        if locked.state != State.STAGED:
            raise SubmissionRefused(f"It is {locked.state}.")
        waiting = submission.submitted.filter(state__in=(RunState.WAITING, RunState.FAILED))
        again = list(waiting)
        waiting.update(state=RunState.QUEUED, message="", failures=0, not_before=None)
        if again:
            record(AuditEntry.Act.GRADED_AGAIN, submission, after={"runs": len(again)})
            queue.enqueue_on_commit(REGRADE, again)
    return len(again)


def accept_submission(submission: Submission, user: AbstractBaseUser | AnonymousUser) -> None:
    """Queues the import of a submission all of whose runs are graded here. Raises SubmissionRefused."""
    open_runs = submission.submitted.exclude(state__in=SubmittedRun.DONE).count()
    if open_runs:
        raise SubmissionRefused(f"{open_runs} of its runs are not graded here yet: grade them first.")
    if not submission.submitted.filter(state=RunState.GRADED).exists():
        raise SubmissionRefused("None of its runs has a verdict.")
    with transaction.atomic():
        taken = Submission.objects.filter(pk=submission.pk, state=State.STAGED).update(
            state=State.ACCEPTING, message="", decided_by=user.pk
        )
        if not taken:
            raise SubmissionRefused("Someone decided on it already.")
        record(AuditEntry.Act.ACCEPTED, submission, after=_counts(submission))
        queue.enqueue_on_commit(ACCEPT, [submission])


def reject_submission(submission: Submission, user: AbstractBaseUser | AnonymousUser) -> None:
    """Removes the files of a submission. What it claimed stays in its rows. Raises SubmissionRefused."""
    with transaction.atomic():
        taken = Submission.objects.filter(pk=submission.pk, state=State.STAGED).update(
            state=State.REJECTED, decided_at=timezone.now(), decided_by=user.pk
        )
        if not taken:
            raise SubmissionRefused("Someone decided on it already.")
        submission.submitted.filter(state__in=SubmittedRun.OPEN).update(
            state=RunState.FAILED, message="The submission was rejected."
        )
        record(AuditEntry.Act.REJECTED, submission, after=_counts(submission))
        transaction.on_commit(lambda: shutil.rmtree(submission.path, ignore_errors=True))


def import_accepted(submission_id: int) -> None:
    """Imports an accepted submission with the verdicts of this site. A second or concurrent call does nothing.

    If the import is refused, the submission waits for a decision again, with the reason.
    """
    submission = Submission.objects.filter(pk=submission_id, state=State.ACCEPTING).first()
    if submission is None:
        return
    try:
        with held(submission.path):
            _import(submission)
    except BlockingIOError:
        log.info("another process imports submission %d", submission_id)
    except (ImportRefused, OSError, ValueError, KeyError) as error:
        reason = error.reason if isinstance(error, ImportRefused) else f"{type(error).__name__}: {error}"
        Submission.objects.filter(pk=submission_id, state=State.ACCEPTING).update(
            state=State.STAGED, message=reason[:2000]
        )


def _import(submission: Submission) -> None:
    if not Submission.objects.filter(pk=submission.pk, state=State.ACCEPTING).exists():
        return  # another process ended before this one held the directory
    with scratch("accepted", root=Path(settings.DATA)) as home:
        runs = submission.submitted.select_related("submission", "task__repository__dataset")
        for number, one in enumerate(runs, 1):
            write_graded_record(one, home / str(number))
        import_runs(home, origin_of(submission.sender))
    _finish(submission)


def _finish(submission: Submission) -> None:
    keys = list(submission.submitted.values_list("key", flat=True))
    with transaction.atomic():
        stored = Run.objects.filter(key__in=keys).first()
        RunGrading.objects.filter(run__key__in=keys).update(submission=submission)
        Submission.objects.filter(pk=submission.pk, state=State.ACCEPTING).update(
            state=State.ACCEPTED,
            decided_at=timezone.now(),
            evaluation=stored.evaluation_id if stored else None,
        )
    shutil.rmtree(submission.path, ignore_errors=True)


def _counts(submission: Submission) -> dict[str, int]:
    runs = list(submission.submitted.all())
    return {"runs": len(runs), "differ from what was claimed": sum(run.differs for run in runs)}
