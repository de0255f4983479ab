"""Checks run directories that others sent as `import_runs` does, and stores them apart until an operator decides."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import transaction

from harness.archive_stream import ArchiveRefused
from harness.limits import Ending
from harness.records import LOG
from harness.scratch import scratch
from runs.models import Run, Submission, SubmittedRun, Upload, UploadToken
from runs.transfer.import_owners import Origin, Owners
from runs.transfer.import_tasks import check_against_task, tasks_of
from runs.transfer.record_files import MAX_JUDGED_BYTES
from runs.transfer.run_directories import CompleteRun, ImportRefused, copy_runs, find_runs, tries_by_run
from runs.work.execution.run_signature import SIGNATURE
from runs.work.execution.settling import has_verdict
from tasks.models import Dataset, Task

MAX_RUNS = 5_000


class SubmissionRefused(Exception):
    """Nothing was stored, or nothing changed. The message names file and reason, or says what to do."""


@dataclass(frozen=True, slots=True)
class SubmissionSource:
    """Who sent runs. `dataset`: the only one that they may be of; '' for any."""

    sender: str
    dataset: str = ""
    token: UploadToken | None = None
    upload: Upload | None = None


def stage_submission(path: Path, source: SubmissionSource) -> Submission:
    """Stores the complete run directories below `path`, all or none. Raises SubmissionRefused.

    Only the records of runs are stored: no signature, no output of a grading, no reviews. A run that this site has, or
    that waits in another submission, is refused.
    """
    with scratch("submission", root=Path(settings.DATA)) as home:
        directory = home.resolve() / "runs"
        try:
            copy_runs(path, directory)
            return _stored(_checked(directory, source), directory, source)
        except (ArchiveRefused, ImportRefused) as error:
            raise SubmissionRefused(_without(str(error), directory, path)) from error


def _stored(found: Sequence[CompleteRun], directory: Path, source: SubmissionSource) -> Submission:
    """The submission of these runs, whose files are moved from `directory`. Raises ImportRefused for known ones."""
    tasks = tasks_of(found)
    with transaction.atomic():
        # One after the other: another process may store the same runs.
        dataset = Dataset.objects.select_for_update().get(slug=found[0].identity.dataset)
        _check_new(found)
        submission = Submission.objects.create(
            dataset=dataset, sender=source.sender, token=source.token, upload=source.upload
        )
        SubmittedRun.objects.bulk_create(
            [
                _row(submission, one, tasks[one.identity.repository, one.identity.task], directory)
                for one in found
            ],
            batch_size=500,
        )
        submission.path.parent.mkdir(exist_ok=True)
        # What an earlier transaction left that was not committed.
        shutil.rmtree(submission.path, ignore_errors=True)
        submission.path.mkdir()
        directory.rename(submission.path / "runs")
    return submission


def _checked(directory: Path, source: SubmissionSource) -> list[CompleteRun]:
    """The runs, each of which passed all checks of an import. Raises ImportRefused."""
    _remove_others(directory)
    found = list(find_runs(directory, in_place=False)) if directory.is_dir() else []
    if not found:
        raise ImportRefused(directory, "holds no complete run")
    if len(found) > MAX_RUNS:
        raise ImportRefused(directory, f"holds {len(found)} runs; at most {MAX_RUNS} are allowed")
    for one in found:
        _check_dataset(one, source.dataset or found[0].identity.dataset)
    tries_by_run(found)
    tasks = tasks_of(found)
    for one in found:
        check_against_task(one, tasks[one.identity.repository, one.identity.task])
    _check_agents(found, source)
    return found


def _check_agents(found: Sequence[CompleteRun], source: SubmissionSource) -> None:
    """Raises ImportRefused for agents that an import would refuse. Nothing is stored."""
    with transaction.atomic():
        Owners(Origin.new(origin_of(source.sender)), graded_here=True).agents(found)
        transaction.set_rollback(True)


def origin_of(sender: str) -> str:
    """The origin of the runs that this sender submits. They share agents."""
    return f"{sender} (submission)"


def _remove_others(directory: Path) -> None:
    """Removes what is no record of a run: what judges made, the log of a grading, the signature."""
    for name in (*MAX_JUDGED_BYTES, LOG, SIGNATURE):
        for path in list(directory.rglob(name)):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _check_dataset(one: CompleteRun, dataset: str) -> None:
    if one.identity.dataset != dataset:
        raise ImportRefused(
            one.directory, f"is a run of the dataset {one.identity.dataset!r}, not of {dataset!r}"
        )
    if one.summary.ending is Ending.CANCELLED:
        raise ImportRefused(one.directory, "was cancelled: leave it out")


def _check_new(found: Sequence[CompleteRun]) -> None:
    names = {one.identity.run_id: one for one in found}
    known = Run.objects.filter(key__in=list(names)).values_list("key", flat=True).first()
    if known is not None:
        raise ImportRefused(names[known].directory, f"the run {known} is known here")
    waiting = SubmittedRun.objects.filter(
        key__in=list(names), submission__state__in=(Submission.State.STAGED, Submission.State.ACCEPTING)
    ).first()
    if waiting is not None:
        where = f"submission {waiting.submission_id}"
        raise ImportRefused(names[waiting.key].directory, f"the run {waiting.key} waits in {where}")


def _row(submission: Submission, one: CompleteRun, task: Task, directory: Path) -> SubmittedRun:
    identity, summary = one.identity, one.summary
    return SubmittedRun(
        submission=submission,
        key=identity.run_id,
        task=task,
        directory=one.directory.relative_to(directory).as_posix(),
        agent_name=identity.agent_name[:200],
        agent_kind=identity.agent_kind,
        model=identity.model[:200],
        attempt=identity.attempt,
        try_number=identity.try_number,
        claimed_outcome=summary.outcome.value,
        claimed_passed=summary.tests_passed,
        tests_total=summary.tests_total,
        state=SubmittedRun.State.WAITING if has_verdict(summary) else SubmittedRun.State.UNGRADED,
    )


def _without(message: str, directory: Path, path: Path) -> str:
    """The message with places inside what was sent."""
    for prefix in (f"{directory}/", f"{directory}", f"{path}/", f"{path}"):
        message = message.replace(prefix, "")
    return message.removeprefix(": ")
