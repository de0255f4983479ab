"""What a worker does for an upload: claim it, unpack, check or import its files, store how that ended."""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import DatabaseError, connection
from django.utils import timezone

from harness.records import SUMMARY
from runs.access.audit.audit_log import record
from runs.intake.reported.checking_files import check_files
from runs.intake.reported.importing_files import MAX_LISTED, ImportedFiles, import_files
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.unpacked_files import unpacked_files
from runs.intake.submissions.staging import SubmissionRefused, SubmissionSource, stage_submission
from runs.intake.uploads.check_table import check_table
from runs.intake.uploads.receiving import BROKEN, SKIP
from runs.intake.uploads.upload_jobs import UploadWork
from runs.jobs.claims import LEAVING, end_try, this_try
from runs.jobs.disk_space import no_space
from runs.jobs.heartbeats import Heartbeat
from runs.models import AuditEntry, ResultReport, Submission, Upload, UploadPurpose
from runs.presentation.formatting.text import tidy
from runs.transfer.unpacking import is_packed

log = logging.getLogger(__name__)

State = Upload.State
STORE_SECONDS = 1.0
HOLDS_RUNS = f"it holds runs of this harness ({SUMMARY}): send them with a token for submissions"
HOLDS_NO_RUNS = f"it holds no run: there is no {SUMMARY}"


class UploadStopped(Exception):
    """Another try of the upload began, or its row is gone."""


class UploadPaused(Exception):
    """The worker has to end: the upload goes back to the queue."""


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What an upload became. `message`: a sentence for operators. `check`: what was found, if it was only checked."""

    message: str = ""
    report: ResultReport | None = None
    new: int = 0
    grown: int = 0
    known: int = 0
    purpose: str = UploadPurpose.TRAJECTORIES
    check: dict[str, Any] | None = None


def read_upload(upload_id: int, try_number: int) -> None:
    """Reads an upload until it has ended. A second or late call does nothing. Without space it stays queued."""
    UploadWork().take(upload_id, try_number, _work, no_space(), done=0, total=0)


def _work(upload: Upload, heartbeat: Heartbeat) -> None:
    log.info("upload %d begins", upload.pk)
    try:
        result = _read(upload, _progress(upload, heartbeat))
    except UploadStopped:
        log.info("upload %d goes on in another try", upload.pk)
        return
    except UploadPaused:
        _settle(upload, State.QUEUED, "Its worker had to end; it is read again.")
        return
    except ResultsRefused as error:
        _settle(upload, State.REFUSED, str(error))
        return
    except Exception as error:
        log.exception("upload %d broke", upload.pk)
        _settle(upload, State.FAILED, f"{type(error).__name__}: {error}")
        return
    if result.check is not None:
        _settle(upload, State.CHECKED, result.message, check_result=result.check)
        return
    counts = {"new": result.new, "grown": result.grown, "known": result.known}
    values = {"report": result.report, "purpose": result.purpose, **counts}
    if _settle(upload, State.FINISHED, result.message, **values):
        after = {f"{name} runs": count for name, count in counts.items()}
        record(AuditEntry.Act.IMPORTED, upload, after=after)
        shutil.rmtree(upload.path, ignore_errors=True)


def _read(upload: Upload, progress: Callable[[int, int], None]) -> ReadResult:
    with _files(upload) as path:
        holds_runs = path.is_dir() and next(path.rglob(SUMMARY), None) is not None
        if holds_runs and not (upload.token and upload.purpose == UploadPurpose.TRAJECTORIES):
            return _stage(upload, path)
        if holds_runs:
            raise ResultsRefused(upload.name, HOLDS_RUNS)
        if upload.purpose == UploadPurpose.SUBMISSION:
            raise ResultsRefused(upload.name, HOLDS_NO_RUNS)
        given = {name: value for name, value in upload.given.items() if name != BROKEN}
        if upload.check_first:
            return ReadResult(check=check_table(check_files(path, given, progress)))
        skip_broken = upload.check_result is not None or upload.given.get(BROKEN) == SKIP
        done = import_files(path, given, progress, skip_broken=skip_broken)
    new, grown, known = (sum(getattr(one, name) for one in done.stored) for name in ("new", "grown", "known"))
    return ReadResult(_left_out(done), done.stored[0].report, new, grown, known)


def _left_out(done: ImportedFiles) -> str:
    """What was not imported, and why, in lines."""
    said = []
    if not any(one.new or one.grown for one in done.stored):
        said.append("All of them were imported before.")
    if len(done.stored) > 1:
        said.append(f"Datasets: {', '.join(one.report.dataset.slug for one in done.stored)}.")
    if left := done.left_out():
        said.append(f"{left[0].upper()}{left[1:]}{':' if done.broken else '.'}")
    if done.comparison is not None:
        said.append(f"Compared with the board: {done.comparison}.")
        said += (f"Left out: {one}." for one in done.unmatched)
        said += (f"Differs: {one}." for one in done.comparison.differences[:MAX_LISTED])
    said += (tidy(refusal) for refusal in done.broken[:MAX_LISTED])
    if len(done.broken) > MAX_LISTED:
        said.append(f"and {len(done.broken) - MAX_LISTED} more.")
    return "\n".join(said)


def _stage(upload: Upload, path: Path) -> ReadResult:
    """Stores runs apart, until an operator decides. A killed try may have done so. Raises ResultsRefused."""
    dataset = upload.token.dataset if upload.token else ""
    sender = upload.given.get("reported_by") or upload.sender or "an operator of this site"
    try:
        submission = Submission.objects.filter(upload=upload).first() or stage_submission(
            path, SubmissionSource(sender, dataset, upload.token, upload)
        )
    except SubmissionRefused as error:
        raise ResultsRefused(upload.name, str(error)) from error
    count = submission.submitted.count()
    decision = "An operator decides whether they are published."
    return ReadResult(decision, new=count, purpose=UploadPurpose.SUBMISSION)


@contextmanager
def _files(upload: Upload) -> Iterator[Path]:
    """The file, the files of the archive, or the directory of several files. Raises ResultsRefused."""
    found = sorted(path for path in upload.path.rglob("*") if path.is_file()) if upload.path.is_dir() else []
    if not found:
        raise ResultsRefused(upload.name, "its files are not on this host: send them again")
    if len(found) > 1:
        if packed := next((path for path in found if is_packed(path) and path.suffix != ".eval"), None):
            raise ResultsRefused(packed.name, "send an archive alone, or several files that are no archives")
        try:
            yield upload.path
        except ResultsRefused as error:
            raise error.below(upload.path, str(upload)) from error
        return
    try:
        with unpacked_files(found[0]) as path:
            yield path
    except ResultsRefused as error:
        raise error.below(found[0].parent, found[0].name) from error


def _progress(upload: Upload, heartbeat: Heartbeat) -> Callable[[int, int], None]:
    """Stores how many trajectories are read, once a second, and ends a try that has to end."""
    stored = 0.0

    def show(done: int, total: int) -> None:
        nonlocal stored
        if heartbeat.stopped.is_set():
            raise UploadStopped
        if LEAVING.is_set():
            raise UploadPaused
        if done == total or time.monotonic() - stored >= STORE_SECONDS:
            stored = time.monotonic()
            try:
                this_try(upload).update(done=done, total=total)
            except DatabaseError as failure:  # only the page shows it
                log.warning("upload %d: its progress was not stored: %s", upload.pk, failure)
                connection.close()

    return show


def _settle(upload: Upload, state: State, message: str, **more: Any) -> bool:
    """Stores how this try ended. False if another try owns the upload."""
    plain = UploadWork().plain(message)
    if state != State.QUEUED:
        more["finished_at"] = timezone.now()
    settled = end_try(upload, state, "the end of an upload", message=plain, **more)
    log.info("upload %d: %s %s", upload.pk, state, plain.replace("\n", "; "))
    return settled
