"""The runs of the fault catalogue, on which ordinary judging passes measure judges.

They are the recorded plays that ship with the project, as runs of one evaluation of their own. It is never listed, and
the rule of visibility (`models/open_rows.py`) excludes its runs from all lists.
"""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from harness.judges.faults.catalogue import Case, Variant, cases
from harness.judges.faults.recorded import recorded_plays
from harness.records import PATCH, SUMMARY, TRAJECTORY, RunRecord
from runs.access.audit.audit_log import record
from runs.models import FAULT_CATALOGUE, Agent, AuditEntry, Evaluation, Run
from runs.operations.evaluations.lifecycle import locked
from runs.work.execution.settling import summary_values
from tasks.models import Task

SLUG = "fault-catalogue"  # of the evaluation and of its agent
FAULTS = "faults"  # the directory below RUNS_ROOT, and the first part of the runs' keys
DATASET = "starter"

Played = tuple[Case, Variant]


class FaultRunsRefused(Exception):
    """The catalogue was not loaded, and nothing was stored. The message says what to do."""


@dataclass(frozen=True, slots=True)
class LoadedFaults:
    """How many runs are new, were known before, and were removed because the catalogue no longer has them."""

    new: int
    known: int
    removed: int


@dataclass(frozen=True, slots=True)
class _Play:
    """A recorded play of this version of the catalogue. `place`: its directory below RUNS_ROOT."""

    key: str
    story: str
    record: RunRecord
    place: str

    @classmethod
    def of(cls, case: Case, variant: Variant, recorded: RunRecord) -> _Play:
        files = (recorded.directory / name for name in (TRAJECTORY, PATCH))
        text = b"".join(file.read_bytes() for file in files if file.is_file())
        # Another play of the same case is another directory: reviews of the old one are not its reviews.
        place = f"{FAULTS}/{case.id}/{variant}/{hashlib.sha256(text).hexdigest()[:12]}"
        return cls(key_of(case, variant), case.story, recorded, place)

    @property
    def path(self) -> Path:
        """Where its run is stored."""
        return Path(settings.RUNS_ROOT) / self.place

    @property
    def is_on_disk(self) -> bool:
        """Whether its records are stored; they are copied before the run."""
        return (self.path / SUMMARY).is_file()


def key_of(case: Case, variant: Variant) -> str:
    """The key of the run of one twin, which is also the run_id in its records."""
    return f"{FAULTS}/{case.id}/{variant}"


def played_case(key: str) -> Played | None:
    """The case and the variant of a run's key; None for another run, and for a case that is no longer there."""
    return _PLAYED.get(key)


_PLAYED: Mapping[str, Played] = {
    key_of(case, variant): (case, variant) for case in cases() for variant in Variant
}


def load_fault_runs() -> LoadedFaults:
    """Stores each recorded play that is not there as a run. Twice changes nothing.

    A play that changed replaces its run, with the reviews of the old one. Raises FaultRunsRefused if the dataset of the
    plays is not loaded.
    """
    tasks = _tasks()
    with recorded_plays() as recorded:
        plays = [_Play.of(*played, recorded.record(*played)) for played in _PLAYED.values()]
        with transaction.atomic():
            evaluation, agent = _owners()
            stored = dict(evaluation.runs.values_list("key", "directory"))
            current = {play.key for play in plays if stored.get(play.key) == play.place and play.is_on_disk}
            removed = len(stored.keys() - _PLAYED.keys())
            evaluation.runs.exclude(key__in=current).delete()
            fresh = [play for play in plays if play.key not in current]
            _store(fresh, evaluation, agent, tasks)
            if fresh or removed:
                record(AuditEntry.Act.IMPORTED, name=FAULT_CATALOGUE, after={"new runs": len(fresh)})
    return LoadedFaults(len(fresh), len(current), removed)


def fault_evaluation() -> Evaluation | None:
    """The evaluation with the runs of the catalogue; None before it was loaded."""
    return Evaluation.objects.filter(slug=SLUG, origin=FAULT_CATALOGUE).first()


def _tasks() -> Mapping[str, Task]:
    """The tasks of the catalogue by the names of their stories."""
    found: dict[str, Task] = {}
    for case, _ in _PLAYED.values():
        story = case.find_story()
        task = Task.objects.filter(
            repository__dataset__slug=DATASET, repository__slug=story.repository, slug=story.task
        ).first()
        if task is None:
            raise FaultRunsRefused(
                f"The task {story.repository}/{story.task} is not loaded: run `manage.py load_dataset "
                f"datasets/{DATASET}` first."
            )
        found[case.story] = task
    return found


def _owners() -> tuple[Evaluation, Agent]:
    """The evaluation, locked, and the agent of the runs."""
    evaluation, _ = Evaluation.objects.get_or_create(
        slug=SLUG,
        defaults={
            "title": "Fault catalogue",
            "state": Evaluation.State.FINISHED,
            "attempts": 1,
            "listed": False,
            "origin": FAULT_CATALOGUE,
            "imported_at": timezone.now(),
            "finished_at": timezone.now(),
        },
    )
    if not evaluation.is_fault_catalogue:
        raise FaultRunsRefused(f"There is another evaluation with the slug {SLUG}: rename it first.")
    locked(evaluation)
    # All runs have one agent here. Their records name others, as decoys need it; no judge is shown any of them.
    agent, _ = Agent.objects.get_or_create(
        slug=SLUG,
        defaults={
            "name": "Fault catalogue",
            "kind": "scripted",
            "enabled": False,
            "origin": FAULT_CATALOGUE,
            "description": "Plays runs by which judges are measured.",
        },
    )
    return evaluation, agent


def _store(plays: Sequence[_Play], evaluation: Evaluation, agent: Agent, tasks: Mapping[str, Task]) -> None:
    """Copies the records, then stores the runs. Runs of one task are its attempts, numbered on.

    The worker that starts next counts their trajectories; the replay makes its index when it is opened.
    """
    attempts: Counter[int] = Counter()
    for pk, attempt in evaluation.runs.values_list("task_id", "attempt"):
        attempts[pk] = max(attempts[pk], attempt)
    for play in plays:
        task = tasks[play.story]
        attempts[task.pk] += 1
        shutil.copytree(play.record.directory, play.path, dirs_exist_ok=True)
        _store_run(play, evaluation, agent, task, attempts[task.pk])
    Evaluation.objects.filter(pk=evaluation.pk).update(attempts=max(attempts.values(), default=1))


def _store_run(play: _Play, evaluation: Evaluation, agent: Agent, task: Task, attempt: int) -> None:
    summary = play.record.summary()
    assert summary is not None
    Run.objects.create(
        key=play.key,
        evaluation=evaluation,
        agent=agent,
        task=task,
        attempt=attempt,
        state=Run.State.FINISHED,
        outcome=summary.outcome.value,
        tries=summary.identity.try_number,
        directory=play.place,
        ending=summary.ending.value,
        detail=summary.detail,
        started_at=datetime.fromisoformat(summary.started_at),
        finished_at=datetime.fromisoformat(summary.finished_at),
        **summary_values(summary),
    )
