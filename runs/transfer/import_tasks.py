"""The tasks of imported runs, and what this site knows of them to check the runs against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.errors import HarnessError
from runs.transfer.record_checks import KnownTask, check_records
from runs.transfer.record_reading import RecordRefused
from runs.transfer.run_directories import CompleteRun, ImportRefused
from tasks.loading import find_once
from tasks.models import Task


def tasks_of(found: Sequence[CompleteRun]) -> Mapping[tuple[str, str], Task]:
    """The tasks by repository and task. Raises ImportRefused for a run at an unknown or another version of a task."""
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


def check_against_task(found: CompleteRun, task: Task) -> None:
    """Raises ImportRefused if the records of an external run are broken or contradict each other or the task."""
    proof = task.proof or {}
    expected: list[str] = []
    for name in ("fail_to_pass", "pass_to_pass"):
        listed = proof.get(name)
        expected += listed if isinstance(listed, list) else []
    if not expected:
        raise ImportRefused(found.directory, f"the task {task} is not admitted here: its tests are unknown")
    known = KnownTask(frozenset(expected), lambda: reference_of(task), task.mode == Task.Mode.WORKFLOW)
    try:
        check_records(found.directory, found.summary, known)
    except RecordRefused as error:
        raise ImportRefused(found.directory, str(error)) from error


def reference_of(task: Task) -> bytes | None:
    """The reference patch; None if the dataset is not on disk."""
    try:
        return find_once(task)[1].reference_diff.read_bytes()
    except (HarnessError, LookupError, OSError):
        return None
