"""Stores the dataset of reported results, with its repositories and tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from runs.intake.reported.catalogue.row_addresses import slug_of, slug_with_digest
from runs.intake.reported.reported_result import ReportedResult, ResultSource, ResultsRefused
from tasks.models import MAX_SLUG_LENGTH, Dataset, Repository, Task


def store_dataset(source: ResultSource) -> Dataset:
    """The dataset of this source, with the title and description of its newest report.

    Raises ResultsRefused if its slug is that of a dataset of someone else.
    """
    values = {
        "title": source.title,
        "description": source.description,
        "version": source.benchmark_version or source.version[:40],
        "licence": source.licence or "unknown",
    }
    dataset, created = Dataset.objects.get_or_create(
        slug=source.slug, defaults={**values, "reported_by": source.reported_by}
    )
    if not created and dataset.reported_by != source.reported_by:
        owner = f"reported by {dataset.reported_by}" if dataset.reported_by else "run here"
        raise ResultsRefused(source.slug, f"there is a dataset of this name, {owner}: choose another slug")
    if not created:
        Dataset.objects.filter(pk=dataset.pk).update(**values)
    return dataset


def store_tasks(
    dataset: Dataset, results: Sequence[ReportedResult], descriptions: Mapping[str, str]
) -> Mapping[str, int]:
    """The numbers of the tasks by name; missing tasks and repositories are created. Raises ResultsRefused."""
    homes = {result.task: result.repository for result in results}
    repositories = _repositories(dataset, homes.values())
    known = _known_tasks(dataset)
    new = {task: repositories[home] for task, home in homes.items() if task not in known}
    slugs = _free_slugs(dataset, new)
    rows = (
        Task(
            repository_id=home,
            slug=slugs[task],
            title=task,
            description=descriptions.get(task, ""),
            digest="",
        )
        for task, home in new.items()
    )
    Task.objects.bulk_create(rows, batch_size=500)
    return _known_tasks(dataset)


def _free_slugs(dataset: Dataset, homes: Mapping[str, int]) -> Mapping[str, str]:
    """An address for each new task, whatever their order: of several with one slug, the first has it.

    First is a task that is stored, then one that is called like the slug, then the first by name.
    """
    stored = Task.objects.filter(repository__dataset=dataset).order_by()
    taken = set(stored.values_list("repository_id", "slug"))
    slugs: dict[str, str] = {}
    for name in sorted(homes, key=lambda name: (_slug(name) != name, name)):
        candidates = (_slug(name), slug_with_digest(name, MAX_SLUG_LENGTH))
        free = next((slug for slug in candidates if (homes[name], slug) not in taken), None)
        if free is None:
            raise ResultsRefused(dataset.slug, f"the addresses of the task {name!r} are taken: rename it")
        taken.add((homes[name], free))
        slugs[name] = free
    return slugs


def _slug(name: str) -> str:
    """The usual address of a task. A digest replaces characters that no slug has."""
    return slug_of(name, MAX_SLUG_LENGTH) if name.isascii() else slug_with_digest(name, MAX_SLUG_LENGTH)


def _known_tasks(dataset: Dataset) -> dict[str, int]:
    return dict(Task.objects.filter(repository__dataset=dataset).order_by().values_list("title", "pk"))


def _repositories(dataset: Dataset, names: Iterable[str]) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for name in sorted(set(names)):
        slug = slug_of(f"{dataset.slug}-{name}" if name else dataset.slug, MAX_SLUG_LENGTH)
        values = {
            "dataset": dataset,
            "title": name or dataset.title,
            "description": "",
            "stack": "",
            "domain": "",
        }
        repository, _ = Repository.objects.get_or_create(slug=slug, defaults=values)
        # That of tasks without a repository has the dataset's first title.
        if repository.dataset_id != dataset.pk or (name and repository.title != name):
            raise ResultsRefused(dataset.slug, f"the address of the repository {name!r} is taken: {slug}")
        found[name] = repository.pk
    return found
