"""Puts a dataset from disk into the database, all of it or nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, ProtectedError

from harness import dataset as disk
from tasks.models import Dataset, Repository, Task


@transaction.atomic
def load(
    directory: Path, say: Callable[[str], object] = lambda _: None, *, hidden: bool | None = None
) -> Dataset:
    """Stores the dataset in `directory`, new or again. Raises harness.dataset.DatasetError and stores nothing.

    A task without a valid proof is stored as not admitted: it has a page, but no evaluation is offered it. A task that
    is gone from disk is deleted, or kept and no longer admitted when there are runs of it. `say` is told what of the
    directory was not read. `hidden`: whether only operators see it; None leaves that as it is, and a new one open.
    """
    found = disk.load_dataset(directory)
    for note in found.notes:
        say(note)
    _check_addresses(found)
    dataset, _ = Dataset.objects.update_or_create(
        slug=found.slug,
        defaults={
            "title": found.title,
            "description": found.description,
            "version": found.version,
            "licence": found.licence,
            "directory": _stored_path(found.directory),
        },
    )
    hide(dataset, hidden=dataset.hidden if hidden is None else hidden)
    kept: list[int] = []
    for repository in found.repositories:
        stored = _store_repository(dataset, repository)
        kept.extend(_store_task(stored, task).pk for task in repository.tasks)
    _retire(dataset, kept)
    return dataset


def hide(dataset: Dataset, *, hidden: bool) -> None:
    """Hides a dataset from everybody but operators, or opens it."""
    Dataset.objects.filter(pk=dataset.pk).update(hidden=hidden, revision=F("revision") + 1)
    dataset.refresh_from_db(fields=["hidden", "revision"])


def find_on_disk(task: Task) -> tuple[disk.Repository, disk.Task]:
    """The repository and the task as they lie on disk now.

    Raises DatasetError when its files are broken, LookupError when the task is gone or is not the one that was loaded.
    """
    directory = settings.BASE_DIR / task.repository.dataset.directory
    try:
        return disk.load_task(directory, task.repository.slug, task.slug, digest=task.digest)
    except LookupError as error:
        raise LookupError(
            f"{error}. Run `manage.py load_dataset {directory}`, and start a new evaluation."
        ) from error


def _check_addresses(found: disk.Dataset) -> None:
    """Two datasets must not share the slug of a repository: it is the address of its page."""
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


def _store_task(repository: Repository, task: disk.Task) -> Task:
    values: dict[str, Any] = {
        "title": task.title,
        "description": task.description,
        "category": task.category.value,
        "difficulty": task.difficulty.value,
        "digest": task.digest,
        "admitted": task.admitted,
        "proof": task.proof.to_json() if task.proof else None,
        "tests_total": len(task.proof.tests) if task.proof else 0,
    }
    stored, _ = Task.objects.update_or_create(repository=repository, slug=task.slug, defaults=values)
    return stored


def _retire(dataset: Dataset, kept: list[int]) -> None:
    for task in Task.objects.filter(repository__dataset=dataset).exclude(pk__in=kept):
        try:
            task.delete()
        except ProtectedError:
            task.admitted = False
            task.save(update_fields=["admitted"])
    Repository.objects.filter(dataset=dataset, tasks=None).delete()


def _stored_path(directory: Path) -> str:
    """Relative to the project where it lies inside, so that the project can be moved."""
    base = Path(settings.BASE_DIR)
    return str(directory.relative_to(base) if directory.is_relative_to(base) else directory)
