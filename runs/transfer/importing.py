"""Rebuilds agents, evaluations, runs and cells from run directories."""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.db import transaction

from harness.limits import Ending
from harness.records import ARTIFACTS, MAX_ARTIFACTS, Identity, Outcome, RunRecord, RunSummary
from harness.scratch import scratch
from runs.audit.audit_log import record
from runs.cells.recompute import recompute_cells
from runs.execution.settling import has_verdict, known_cost, summary_values
from runs.models import Agent, AuditEntry, Evaluation, LanguageModel, Run, Try
from runs.replay.open_index import update_index
from runs.run_facts.count_trajectory import TrajectoryCount, count_run, store_counts
from runs.transfer.unpacking import ArchiveRefused, unpack
from tasks.models import Task

SUMMARY = "run_summary.json"
FILES = (SUMMARY, "trajectory.jsonl", "edits.jsonl", "patch.diff", "tests.json", "grading.log")
RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*(?:/[A-Za-z0-9][A-Za-z0-9_.-]*)*")
UNIQUE_TAIL = re.compile(r"-[0-9a-f]{8}$")  # what `lifecycle.unique_slug` adds to a title


class ImportRefused(Exception):
    """Nothing was imported. The message names the path and the reason."""

    def __init__(self, path: Path | str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path}: {reason}")


@dataclass(frozen=True, slots=True)
class Imported:
    """How many runs were imported, and how many were known before."""

    new: int
    known: int


@dataclass(frozen=True, slots=True)
class CompleteRun:
    """One complete run directory."""

    directory: Path
    summary: RunSummary

    @property
    def identity(self) -> Identity:
        """The run that it belongs to."""
        return self.summary.identity


def import_runs(path: Path) -> Imported:
    """Imports every complete run directory below `path`, or inside it when it is a .tar or .zip file; all or none.

    Runs whose run_id is known are skipped, so importing twice changes nothing. Directories outside of RUNS_ROOT are
    copied there. Directories without a summary (a crash, an active run) are skipped.
    Raises ImportRefused.
    """
    if path.is_dir():
        return _import_directory(path.resolve(), path)
    root = Path(settings.RUNS_ROOT).parent
    root.mkdir(parents=True, exist_ok=True)
    with scratch("unpack", root=root) as directory:
        try:
            unpack(path, directory)
        except ArchiveRefused as error:
            raise ImportRefused(path, str(error)) from error
        return _import_directory(directory.resolve(), path)


def _import_directory(directory: Path, source: Path) -> Imported:
    """`source`: what the operator named."""
    tries = _tries_by_run(_find(directory))
    known = set(Run.objects.filter(key__in=list(tries)).values_list("key", flat=True))
    fresh = {key: found for key, found in tries.items() if key not in known}
    last = [found[-1] for found in fresh.values()]
    tasks = _tasks(last)
    # Before the transaction, which blocks other writers.
    counted = {one.identity.run_id: _counted(one, _task(tasks, one)) for one in last}
    copied: list[Path] = []
    try:
        with transaction.atomic():
            _store(fresh, tasks, counted, copied)
            if fresh:
                record(AuditEntry.Act.IMPORTED, name=str(source), after={"new runs": len(fresh)})
    except BaseException:
        for target in copied:
            shutil.rmtree(target, ignore_errors=True)
        raise
    for run in Run.objects.filter(key__in=list(fresh)):
        update_index(run.path)
    return Imported(new=len(fresh), known=len(known))


def _find(directory: Path) -> Iterator[CompleteRun]:
    for path in sorted(directory.rglob(SUMMARY)):
        for name in FILES:
            file = path.parent / name
            if file.is_symlink() or (file.exists() and not file.is_file()):
                raise ImportRefused(file, "is not a regular file")
        _check_artifacts(path.parent)
        try:
            record = RunRecord(path.parent)
            summary = record.summary()
            assert summary is not None
            for part in (record.steps, record.edits_by_step, record.tests):
                for _ in part():
                    pass  # one by one: a record may be longer than memory
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ImportRefused(path.parent, f"is broken: {error!r}") from error
        if not RUN_ID.fullmatch(summary.identity.run_id):
            raise ImportRefused(
                path, f"the run_id {summary.identity.run_id!r} is not a relative path of plain names"
            )
        yield CompleteRun(path.parent, summary)


def _check_artifacts(directory: Path) -> None:
    """Raises ImportRefused for anything among the artifacts that is not a picture of a run."""
    artifacts = directory / ARTIFACTS
    if artifacts.is_symlink() or (artifacts.exists() and not artifacts.is_dir()):
        raise ImportRefused(artifacts, "is not a directory")
    record = RunRecord(directory)
    for count, path in enumerate(sorted(artifacts.iterdir()) if artifacts.is_dir() else (), 1):
        if record.artifact(path.name) is None:
            raise ImportRefused(path, "is not a picture of a run")
        if count > MAX_ARTIFACTS:
            raise ImportRefused(artifacts, f"holds more than {MAX_ARTIFACTS} pictures")


def files_of(directory: Path) -> Iterator[str]:
    """The files of a run directory that belong to the run, by relative path."""
    yield from (name for name in FILES if (directory / name).is_file())
    yield from (f"{ARTIFACTS}/{name}" for name in RunRecord(directory).artifacts())


def _tries_by_run(found: Iterable[CompleteRun]) -> Mapping[str, Sequence[CompleteRun]]:
    """The tries of each run, the last one last."""
    tries: dict[str, dict[int, CompleteRun]] = defaultdict(dict)
    for one in found:
        numbers = tries[one.identity.run_id]
        twin = numbers.setdefault(one.identity.try_number, one)
        if twin is not one:
            raise ImportRefused(one.directory, f"is the same try of the same run as {twin.directory}")
    return {key: [numbers[number] for number in sorted(numbers)] for key, numbers in tries.items()}


def _counted(found: CompleteRun, task: Task) -> TrajectoryCount | None:
    summary = found.summary
    return count_run(found.directory, task, summary.outcome, summary.ending) if has_verdict(summary) else None


def _store(
    tries: Mapping[str, Sequence[CompleteRun]],
    tasks: Mapping[tuple[str, str], Task],
    counted: Mapping[str, TrajectoryCount | None],
    copied: list[Path],
) -> None:
    last = [found[-1] for found in tries.values()]
    agents = {one.identity.agent: _agent(one) for one in last}
    evaluations = _evaluations(last)
    for key, found in tries.items():
        one = found[-1]
        run = Run.objects.create(
            key=key,
            evaluation=evaluations[one.identity.evaluation],
            agent=agents[one.identity.agent],
            task=tasks[one.identity.repository, one.identity.task],
            attempt=one.identity.attempt,
            tries=one.identity.try_number,
            directory=_place(one, copied),
            ending=one.summary.ending.value,
            detail=one.summary.detail,
            failure=one.summary.failure,
            started_at=_time(one, one.summary.started_at),
            finished_at=_time(one, one.summary.finished_at),
            **_state(one.summary),
            **summary_values(one.summary),
        )
        Run.objects.filter(pk=run.pk).update(queued_at=run.started_at)
        if (counts := counted[key]) is not None:
            store_counts(run, counts)
        for each in found:
            _store_try(run, each, run.directory if each is one else _place(each, copied))
    recompute_cells((agents[one.identity.agent].pk, _task(tasks, one).pk) for one in last)


def _task(tasks: Mapping[tuple[str, str], Task], found: CompleteRun) -> Task:
    return tasks[found.identity.repository, found.identity.task]


def _state(summary: RunSummary) -> dict[str, Any]:
    if summary.ending is Ending.CANCELLED:
        return {"state": Run.State.CANCELLED, "outcome": ""}
    return {"state": Run.State.FINISHED, "outcome": summary.outcome.value}


def _store_try(run: Run, found: CompleteRun, directory: str) -> None:
    failed = found.summary.outcome is Outcome.INFRASTRUCTURE_FAILED
    ended = _time(found, found.summary.finished_at)
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
    Try.objects.filter(pk=stored.pk).update(started_at=_time(found, found.summary.started_at))


def _place(found: CompleteRun, copied: list[Path]) -> str:
    """The directory of the try below RUNS_ROOT; a directory outside of it is copied."""
    root = Path(settings.RUNS_ROOT).resolve()
    if found.directory.is_relative_to(root):
        return found.directory.relative_to(root).as_posix()
    target = root / "imported" / PurePosixPath(found.identity.run_id) / f"try-{found.identity.try_number}"
    # What a killed import left behind: the database has no such run.
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    copied.append(target)
    for name in files_of(found.directory):
        (target / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(found.directory / name, target / name)
    return target.relative_to(root).as_posix()


def _tasks(found: Sequence[CompleteRun]) -> Mapping[tuple[str, str], Task]:
    tasks = {
        (task.repository.slug, task.slug): task for task in Task.objects.select_related("repository__dataset")
    }
    for one in found:
        identity = one.identity
        task = tasks.get((identity.repository, identity.task))
        name = f"{identity.dataset}/{identity.repository}/{identity.task}"
        if task is None or task.repository.dataset.slug != identity.dataset:
            raise ImportRefused(
                one.directory, f"the task {name} is not loaded: run `manage.py load_dataset` first"
            )
        if task.digest != identity.task_digest:
            raise ImportRefused(
                one.directory,
                f"it was made on another version of the task {name}: "
                f"digest {identity.task_digest[:12]}, loaded is {task.digest[:12]}",
            )
    return tasks


def _agent(found: CompleteRun) -> Agent:
    identity = found.identity
    values = {
        "kind": identity.agent_kind,
        "settings": dict(identity.settings),
        "model": _model(identity.model),
    }
    agent, created = Agent.objects.get_or_create(
        slug=identity.agent, defaults={"name": identity.agent_name, "enabled": False, **values}
    )
    if not created and any(getattr(agent, name) != value for name, value in values.items()):
        raise ImportRefused(
            found.directory, f"the agent {identity.agent!r} exists here with another kind, model or settings"
        )
    return agent


def _model(litellm_id: str) -> LanguageModel | None:
    if not litellm_id:
        return None
    known = LanguageModel.objects.filter(litellm_id=litellm_id).first()
    if known is not None:
        return known
    provider, _, name = litellm_id.rpartition("/")
    return LanguageModel.objects.create(
        slug=re.sub(r"[^a-z0-9]+", "-", litellm_id.lower()).strip("-")[:50],
        name=name,
        provider=provider or "unknown",
        litellm_id=litellm_id,
    )


def _evaluations(found: Sequence[CompleteRun]) -> Mapping[str, Evaluation]:
    """The evaluations by slug. Missing ones are created, finished, with a title made from the slug."""
    by_slug: dict[str, list[CompleteRun]] = defaultdict(list)
    for one in found:
        by_slug[one.identity.evaluation].append(one)
    evaluations = {}
    for slug, members in by_slug.items():
        evaluation, created = Evaluation.objects.get_or_create(
            slug=slug,
            defaults={
                "title": UNIQUE_TAIL.sub("", slug).replace("-", " ").capitalize(),
                "state": Evaluation.State.FINISHED,
                "attempts": max(one.identity.attempt for one in members),
                "finished_at": max(_time(one, one.summary.finished_at) for one in members),
            },
        )
        if created:
            began = min(_time(one, one.summary.started_at) for one in members)
            Evaluation.objects.filter(pk=evaluation.pk).update(created_at=began)
        evaluations[slug] = evaluation
    return evaluations


def _time(found: CompleteRun, text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise ImportRefused(found.directory / SUMMARY, f"{text!r} is not a time") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
