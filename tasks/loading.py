"""Stores a dataset from disk in the database, in one transaction."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, ProtectedError
from django.utils import timezone

from harness import dataset as disk
from tasks.generation.maps.code_map import CodeMap, InvalidCodeMap, dumps, read_packed
from tasks.models import MAX_SLUG_LENGTH, Dataset, Repository, RepositoryMap, Task

MAP_FILE = "map.json.xz"  # in the directory of a repository


@transaction.atomic
def load(
    directory: Path, notify: Callable[[str], object] = lambda _: None, *, hidden: bool | None = None
) -> Dataset:
    """Stores or updates the dataset in `directory`. Raises harness.dataset.DatasetError and then stores nothing.

    A task without a valid proof is stored as not admitted: it has a page, but evaluations cannot use it. A task that no
    longer exists on disk is deleted, or marked as not admitted if it has runs. `notify` is called with a message for
    each file that was not read. `hidden`: whether the dataset is hidden; None does not change it (a new one is
    open).
    """
    found = disk.load_dataset(directory)
    for note in found.notes:
        notify(note)
    _check_addresses(found)
    if Dataset.objects.filter(slug=found.slug).exclude(reported_by="").exists():
        problem = f"the slug {found.slug!r} is that of a reported dataset: choose another one"
        raise disk.DatasetError([disk.Problem(found.directory, "slug", problem)])
    # The path is relative if it is inside the project, so that the project can be moved.
    base, place = Path(settings.BASE_DIR), found.directory
    values = {
        "title": found.title,
        "description": found.description,
        "version": found.version,
        "licence": found.licence,
        "public_messages": found.public_messages,
        "directory": str(place.relative_to(base) if place.is_relative_to(base) else place),
    }
    dataset, _ = Dataset.objects.update_or_create(
        slug=found.slug, defaults=values, create_defaults={**values, "hidden": bool(hidden)}
    )
    hide(dataset, hidden=dataset.hidden if hidden is None else hidden)
    current: list[int] = []
    for repository in found.repositories:
        stored = _store_repository(dataset, repository)
        _store_shipped_map(stored, repository)
        current.extend(_store_task(stored, task).pk for task in repository.tasks)
    _retire_others(dataset, current)
    return dataset


@transaction.atomic
def hide(dataset: Dataset, *, hidden: bool) -> None:
    """Sets whether a dataset is hidden. Receivers of its signals run in the same transaction.

    What stays hidden keeps its revision: readers see the version of public data, and would learn that it was loaded.
    """
    stays_hidden = hidden and Dataset.objects.filter(pk=dataset.pk, hidden=True).exists()
    dataset.hidden = hidden
    dataset.revision = F("revision") + (0 if stays_hidden else 1)  # computed by the database
    dataset.save(update_fields=["hidden", "revision"])
    dataset.refresh_from_db(fields=["revision"])


def find_on_disk(task: Task) -> tuple[disk.Repository, disk.Task]:
    """The repository and the task from their current files on disk.

    Raises DatasetError if the files are invalid, LookupError if the task is missing or has changed since it was loaded.
    """
    directory = settings.BASE_DIR / task.repository.dataset.directory
    try:
        return disk.load_task(directory, task.repository.slug, task.slug, digest=task.digest)
    except LookupError as error:
        raise LookupError(
            f"{error}. Run `manage.py load_dataset {directory}`, and start a new evaluation."
        ) from error


def find_once(task: Task) -> tuple[disk.Repository, disk.Task]:
    """As `find_on_disk`, remembered for the last tasks: reading one checks its digest, for 0.1 s of CPU time."""
    return _found(task.pk, task.digest, task.repository.dataset.directory)


@lru_cache(maxsize=256)
def _found(key: int, _digest: str, _directory: str) -> tuple[disk.Repository, disk.Task]:
    return find_on_disk(Task._base_manager.select_related("repository__dataset").get(pk=key))


def _check_addresses(found: disk.Dataset) -> None:
    """Raises DatasetError if another dataset has a repository with the same slug, which is the URL of its page."""
    slugs = [repository.slug for repository in found.repositories]
    taken = Repository.objects.filter(slug__in=slugs).exclude(dataset__slug=found.slug)
    if taken:
        raise disk.DatasetError(
            disk.Problem(
                found.directory / repository.slug,
                "",
                f"the dataset {repository.dataset.slug!r} has a repository of this name already",
            )
            for repository in taken.select_related("dataset")
        )


def _store_repository(dataset: Dataset, repository: disk.Repository) -> Repository:
    stored, _ = Repository.objects.update_or_create(
        slug=repository.slug,
        defaults={
            "dataset": dataset,
            "title": repository.title,
            "description": repository.description,
            "stack": repository.stack,
            "languages": list(repository.languages),
            "domain": repository.domain,
        },
    )
    return stored


def _store_shipped_map(stored: Repository, repository: disk.Repository) -> None:
    """Stores the map that a dataset has of its repository, unless it is stored already; without one, an earlier map
    stays.
    """
    path = repository.directory / MAP_FILE
    if not path.is_file():
        return
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    if RepositoryMap.objects.filter(
        repository=stored, digest=repository.digest, made_at__gt=written
    ).exists():
        return
    try:
        put_map(stored, read_packed(path))
    except InvalidCodeMap as error:
        raise disk.DatasetError([disk.Problem(path, "", str(error))]) from error


def put_map(repository: Repository, found: CodeMap) -> None:
    """Stores a map in place of an earlier one. Which test reaches which function is left out: no page shows it."""
    suite = replace(found.suite, reached=()) if found.suite else None
    values = {
        "digest": found.digest,
        "content": dumps(replace(found, suite=suite)),
        "made_at": timezone.now(),
    }
    RepositoryMap.objects.update_or_create(repository=repository, defaults=values)


def _store_task(repository: Repository, task: disk.Task) -> Task:
    values: dict[str, Any] = {
        "title": task.title,
        "description": task.description,
        "category": task.category.value,
        "difficulty": task.difficulty.value,
        "mode": task.mode.value,
        "origin": task.origin.value,
        "measures": dict(task.generation.measures) if task.generation else {},
        "twin_of": _twin_of(task),
        "scenario": task.workflow.scenario if task.workflow else "",
        "persona": task.workflow.persona.value if task.workflow else "",
        "workflow": _workflow(task.workflow) if task.workflow else {},
        "digest": task.digest,
        "admitted": task.admitted,
        "tests_total": len(task.proof.tests) if task.proof else 0,
    }
    stored, _ = Task.objects.update_or_create(repository=repository, slug=task.slug, defaults=values)
    stored.store_proof(task.proof.to_json() if task.proof else None)
    return stored


def _twin_of(task: disk.Task) -> str:
    """As repository/task; '' for other tasks, and for a record that does not say it in two short slugs."""
    match task.generation and task.generation.detail.get("twin_of"):
        case {"repository": str(repository), "task": str(original)}:
            slugs = repository, original
            if all(re.fullmatch(r"[-\w.]+", slug) and len(slug) <= MAX_SLUG_LENGTH for slug in slugs):
                return "/".join(slugs)
    return ""


def _workflow(workflow: disk.Workflow) -> dict[str, Any]:
    """What pages say of a workflow. Its script, its verifiers and the reference conversation are hidden."""
    return {
        "objective": workflow.objective,
        "instructions": list(workflow.instructions),
        "limits": asdict(workflow.limits),
    }


def _retire_others(dataset: Dataset, current: list[int]) -> None:
    for task in Task.objects.filter(repository__dataset=dataset).exclude(pk__in=current):
        try:
            task.delete()
        except ProtectedError:
            task.admitted = False
            task.save(update_fields=["admitted"])
    Repository.objects.filter(dataset=dataset, tasks=None).delete()
