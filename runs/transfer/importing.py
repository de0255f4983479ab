"""Rebuilds agents, evaluations, runs and cells from run directories.

Runs that this site executed return to their evaluations and agents. All others are external: their records are
checked against each other, and they are stored, marked, in evaluations and with agents of their own.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.db import DatabaseError, transaction

from harness.archive_stream import ArchiveRefused
from harness.limits import Ending
from harness.records import SUMMARY, Outcome, RunSummary
from harness.scratch import scratch
from runs.access.audit.audit_log import record
from runs.data.cells.recompute import recompute_cells
from runs.data.replay.open_index import update_index
from runs.data.run_facts.count_trajectory import TrajectoryCount, count_run, store_counts
from runs.data.text_index.indexing import index_run
from runs.judging.raters.rating_file import RatingFileError
from runs.judging.raters.restoring_ratings import restore_ratings
from runs.judging.reviews.fault_runs import FAULTS
from runs.models import AuditEntry, Evaluation, Run, Try
from runs.play.session_file import SessionFileError, restore_session
from runs.transfer.grading_file import grading_in, restore_grading
from runs.transfer.import_owners import Origin, Owners
from runs.transfer.import_reviews import ReviewOwners
from runs.transfer.import_tasks import check_against_task, tasks_of
from runs.transfer.record_files import files_of, judged_files
from runs.transfer.run_directories import (
    CompleteRun,
    ImportRefused,
    copy_runs,
    find_runs,
    time_of,
    tries_by_run,
)
from runs.transfer.unpacking import unpack
from runs.work.execution.run_signature import is_signed
from runs.work.execution.settling import has_verdict, known_cost, summary_values
from tasks.models import Task

IMPORTED, RESTORED = "imported", "restored"  # directories below RUNS_ROOT
_UNEXPECTED = (OSError, MemoryError, RecursionError, OverflowError, ValueError, DatabaseError)


@dataclass(frozen=True, slots=True)
class Imported:
    """How many runs were imported, and how many were known before."""

    new: int
    known: int


@dataclass(slots=True)
class _Batch:
    """Runs of one origin that the database lacks, all tries of each; `known`: how many it has."""

    tries: Mapping[str, Sequence[CompleteRun]]
    owners: Owners
    tasks: Mapping[tuple[str, str], Task]
    known: int
    counted: Mapping[str, TrajectoryCount | None] = field(default_factory=dict)

    @property
    def last(self) -> list[CompleteRun]:
        """The last try of each run."""
        return [found[-1] for found in self.tries.values()]

    def task(self, found: CompleteRun) -> Task:
        """The task of a run."""
        return self.tasks[found.identity.repository, found.identity.task]


def import_runs(path: Path, origin: str = "") -> Imported:
    """Imports every complete run directory below `path`, or inside it when it is a .tar or .zip file; all or none.

    `origin`: where the runs come from, for readers; the file's name unless given. Runs whose run_id is known are
    skipped, so importing twice changes nothing. Directories outside of RUNS_ROOT are copied there. Directories without
    a summary (a crash, an active run) are skipped. Raises ImportRefused.
    """
    try:
        if path.is_dir() and path.resolve().is_relative_to(_root()):
            return _import_in_place(path.resolve())
        root = Path(settings.RUNS_ROOT).parent
        root.mkdir(parents=True, exist_ok=True)
        with scratch("unpack", root=root) as directory:
            return _import_elsewhere(path, directory.resolve(), origin or path.name)
    except _UNEXPECTED as error:
        raise ImportRefused(path, f"cannot be imported: {type(error).__name__}: {error}") from error


def separate_imports() -> int:
    """Imports again what an earlier version imported without a mark, and so marks and separates it. Returns how many.

    Raises ImportRefused, and changes nothing, if a run does not pass today's checks.
    """
    unmarked = Run.objects.filter(directory__startswith=f"{IMPORTED}/", evaluation__origin="")
    with transaction.atomic():
        evaluations = list(Evaluation.objects.filter(runs__in=unmarked).distinct())
        pairs = list(unmarked.order_by().values_list("agent_id", "task_id").distinct())
        if not pairs:
            return 0
        unmarked.delete()
        recompute_cells(pairs)
        for evaluation in evaluations:
            if not evaluation.runs.exists():
                evaluation.delete()
        return import_runs(_root() / IMPORTED).new


def _root() -> Path:
    return Path(settings.RUNS_ROOT).resolve()


def _import_elsewhere(path: Path, directory: Path, origin: str) -> Imported:
    """Imports an external archive or directory, which may hold runs of this site, too."""
    try:
        if path.is_dir():
            copy_runs(path, directory)
        else:
            unpack(path, directory)
        found = list(find_runs(directory, in_place=False))
        if not found and not path.is_dir():
            raise ArchiveRefused(f"holds no run: there is no {SUMMARY}")
        ours = [one for one in found if one.own]
        theirs = [one for one in found if not one.own]
        with _removed_on_failure() as copied:
            batches = [_batch(ours, None), _batch(theirs, Origin.new(origin))]
            return _imported(batches, copied, str(path))
    except ArchiveRefused as error:
        raise ImportRefused(path, str(error)) from error
    except ImportRefused as error:
        raise ImportRefused(path, str(error).replace(f"{directory}/", "")) from error


def _import_in_place(path: Path) -> Imported:
    """Imports from the site's own directory of runs. What was imported before is below IMPORTED, by evaluation."""
    imported = _root() / IMPORTED
    if path.is_relative_to(imported) and path != imported:
        groups = [imported / path.relative_to(imported).parts[0]]
    elif imported.is_relative_to(path):
        groups = sorted(one for one in imported.glob("*") if one.is_dir())
    else:
        groups = []
    # `load_fault_catalogue` makes the runs of the catalogue again.
    elsewhere = (imported, _root() / FAULTS)
    batches = [_batch(list(find_runs(path, in_place=True, without=elsewhere)), None)]
    for group in groups:
        found = list(find_runs(group, in_place=False))
        batches.append(_batch([one for one in found if one.own], None))
        batches.append(_batch([one for one in found if not one.own], Origin.stored(group)))
    with _removed_on_failure() as copied:
        return _imported(batches, copied, str(path))


@contextmanager
def _removed_on_failure() -> Iterator[list[Path]]:
    """Removes the listed directories if the block raises."""
    copied: list[Path] = []
    try:
        yield copied
    except BaseException:
        for target in copied:
            shutil.rmtree(target, ignore_errors=True)
            with suppress(OSError):  # the first parent that holds something else
                for parent in target.relative_to(_root()).parents[:-1]:
                    (_root() / parent).rmdir()
        raise


def _batch(found: Sequence[CompleteRun], origin: Origin | None) -> _Batch:
    tries = tries_by_run(found)
    known = _known(tries)
    fresh = {key: several for key, several in tries.items() if key not in known}
    last = [several[-1] for several in fresh.values()]
    batch = _Batch(fresh, Owners(origin, _graded_here(last)), tasks_of(last), len(known))
    for one in (each for several in fresh.values() for each in several):
        if not one.own:
            check_against_task(one, batch.task(one))
    # Before the transaction, which blocks other writers.
    batch.counted = {one.identity.run_id: _counted(one, batch.task(one)) for one in batch.last}
    return batch


def _graded_here(found: Sequence[CompleteRun]) -> bool:
    """Whether this site graded each external run that has a verdict, and there is one."""
    judged = [one for one in found if not one.own and has_verdict(one.summary)]
    return bool(judged) and all(grading_in(one.directory, one.identity.run_id) for one in judged)


def _known(tries: Mapping[str, Sequence[CompleteRun]]) -> set[str]:
    """The runs that the database has. Raises ImportRefused if external records differ from those of a known run."""
    known = set()
    for stored in Try.objects.filter(run__key__in=list(tries)).select_related("run"):
        known.add(stored.run.key)
        for one in tries[stored.run.key]:
            summary = Path(settings.RUNS_ROOT) / stored.directory / SUMMARY
            if one.own or one.identity.try_number != stored.number or not summary.is_file():
                continue
            if summary.read_bytes() != (one.directory / SUMMARY).read_bytes():
                raise ImportRefused(
                    one.directory, f"the run {stored.run.key} is known here with other records"
                )
    return known | set(Run.objects.filter(key__in=list(tries)).values_list("key", flat=True))


def _imported(batches: Sequence[_Batch], copied: list[Path], source: str) -> Imported:
    """`source`: what the operator named."""
    with transaction.atomic():
        stored = [_store(batch, copied) for batch in batches]
        for judged, runs in stored:
            # Reviews from elsewhere are never of a run of this site.
            known = _of_origin(stored, judged.origin) if judged.origin else None
            for run in runs:
                judged.restore_comparisons(run, known)
        for judged, runs in stored:
            known = _of_origin(stored, judged.origin) if judged.origin else None
            for run in runs:
                judged.restore_summaries(run, known)
        fresh = [key for batch in batches for key in batch.tries]
        if fresh:
            record(AuditEntry.Act.IMPORTED, name=source, after={"new runs": len(fresh)})
    for run in Run.objects.filter(key__in=fresh):
        update_index(run.path)
        index_run(run.pk)
    return Imported(new=len(fresh), known=sum(batch.known for batch in batches))


def _of_origin(stored: Sequence[tuple[ReviewOwners, Sequence[Run]]], origin: str) -> Mapping[str, Run]:
    """The runs of this import that come from there, by key."""
    return {run.key: run for judged, runs in stored if judged.origin == origin for run in runs}


def _counted(found: CompleteRun, task: Task) -> TrajectoryCount | None:
    summary = found.summary
    return count_run(found.directory, task, summary.outcome, summary.ending) if has_verdict(summary) else None


def _store(batch: _Batch, copied: list[Path]) -> tuple[ReviewOwners, list[Run]]:
    """Stores a batch with its reviews. Returns its runs, and the owners of their reviews."""
    runs: list[Run] = []
    agents = batch.owners.agents(batch.last)
    evaluations = batch.owners.evaluations(batch.last)
    judged = ReviewOwners(batch.owners.origin.text if batch.owners.origin else "")
    for key, found in batch.tries.items():
        one = found[-1]
        evaluation = evaluations[one.identity.evaluation]
        run = Run.objects.create(
            key=key,
            evaluation=evaluation,
            agent=agents[one.identity.agent],
            task=batch.task(one),
            attempt=one.identity.attempt,
            tries=one.identity.try_number,
            directory=_place(one, evaluation.slug, copied),
            ending=one.summary.ending.value,
            detail=one.summary.detail,
            failure=one.summary.failure,
            started_at=time_of(one, one.summary.started_at),
            finished_at=time_of(one, one.summary.finished_at),
            **_state(one.summary),
            **summary_values(one.summary),
        )
        Run.objects.filter(pk=run.pk).update(queued_at=run.started_at)
        if (counts := batch.counted[key]) is not None:
            store_counts(run, counts)
        for each in found:
            _store_try(run, each, run.directory if each is one else _place(each, evaluation.slug, copied))
        judged.restore(run)
        if not one.own:
            restore_grading(run)
        runs.append(run)
        try:
            restore_session(run, own=one.own)
            restore_ratings(run, own=one.own)
        except (SessionFileError, RatingFileError) as error:
            raise ImportRefused(one.directory, str(error)) from error
    batch.owners.write_origins(_root() / IMPORTED, evaluations.values())
    recompute_cells((agents[one.identity.agent].pk, batch.task(one).pk) for one in batch.last)
    return judged, runs


def _state(summary: RunSummary) -> dict[str, Any]:
    if summary.ending is Ending.CANCELLED:
        return {"state": Run.State.CANCELLED, "outcome": ""}
    return {"state": Run.State.FINISHED, "outcome": summary.outcome.value}


def _store_try(run: Run, found: CompleteRun, directory: str) -> None:
    failed = found.summary.outcome is Outcome.INFRASTRUCTURE_FAILED
    ended = time_of(found, found.summary.finished_at)
    stored = Try.objects.create(
        run=run,
        number=found.identity.try_number,
        state=Try.State.FAILED if failed else Try.State.SETTLED,
        reason=found.summary.detail if failed else "",
        failure=found.summary.failure,
        spent_usd=known_cost(found.summary) or 0.0,
        cost_unknown=known_cost(found.summary) is None,
        directory=directory,
        heartbeat_at=ended,
        ended_at=ended,
    )
    Try.objects.filter(pk=stored.pk).update(started_at=time_of(found, found.summary.started_at))


def _place(found: CompleteRun, evaluation: str, copied: list[Path]) -> str:
    """The directory of the try below RUNS_ROOT. Unpacked files are moved there."""
    root = _root()
    if found.directory.is_relative_to(root):
        return found.directory.relative_to(root).as_posix()
    identity = found.identity
    if found.own:
        run = root / RESTORED / PurePosixPath(identity.run_id)
    else:
        names = (identity.agent, identity.repository, identity.task, str(identity.attempt))
        run = root.joinpath(IMPORTED, evaluation, *names)
    target = run / f"try-{identity.try_number}"
    # What a killed import left behind: the database has no such run.
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    copied.append(target if found.own else root / IMPORTED / evaluation)
    judged = set(judged_files(found.directory)) if found.own else set()
    for name in files_of(found.directory):
        if name in judged and not is_signed((found.directory / name).with_suffix(".json")):
            continue  # the run is this site's, this review may not be
        (target / name).parent.mkdir(exist_ok=True)
        (found.directory / name).replace(target / name)
    return target.relative_to(root).as_posix()
