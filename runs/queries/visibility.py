"""Who may see what. Hidden datasets are an operator's: to everybody else their tasks and runs are not there.

What is counted over many runs (leaderboard, heatmaps, analysis) rests on open datasets alone, for everybody, so that
there is one truth and one copy of it. What shows single things starts from the functions below.
"""

from __future__ import annotations

from typing import TypeVar

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import QuerySet

from runs.models import Cell, Run, Try
from tasks.models import Dataset, Repository, Task

Reader = AbstractBaseUser | AnonymousUser
_OfTask = TypeVar("_OfTask", Run, Cell)


def is_operator(reader: Reader) -> bool:
    """Whether they start evaluations here, and so know what is evaluated."""
    allowed = isinstance(reader, AnonymousUser) or reader.is_active
    return allowed and reader.is_staff and reader.has_perm("runs.start_evaluation")  # type: ignore[union-attr]


def without_hidden(rows: QuerySet[_OfTask]) -> QuerySet[_OfTask]:
    """Runs or cells of open datasets."""
    # As a set of tasks, which is small: a join would make databases read runs by dataset and sort them all.
    return rows.exclude(task__in=Task.objects.filter(repository__dataset__hidden=True).values("pk"))


def visible(rows: QuerySet[_OfTask], reader: Reader) -> QuerySet[_OfTask]:
    """The runs or cells that this reader may see."""
    return rows if is_operator(reader) else without_hidden(rows)


def visible_datasets(reader: Reader) -> QuerySet[Dataset]:
    """The datasets that this reader may see."""
    return Dataset.objects.all() if is_operator(reader) else Dataset.objects.filter(hidden=False)


def visible_repositories(reader: Reader) -> QuerySet[Repository]:
    """The repositories that this reader may see, with their datasets."""
    repositories = Repository.objects.select_related("dataset")
    return repositories if is_operator(reader) else repositories.filter(dataset__hidden=False)


def visible_tasks(reader: Reader) -> QuerySet[Task]:
    """The tasks that this reader may see, with their repositories and datasets."""
    tasks = Task.objects.select_related("repository", "repository__dataset")
    return tasks if is_operator(reader) else tasks.filter(repository__dataset__hidden=False)


def visible_tries(tries: QuerySet[Try], reader: Reader) -> QuerySet[Try]:
    """The tries that this reader may see: why one failed tells of its task."""
    if is_operator(reader):
        return tries
    return tries.exclude(run__task__in=Task.objects.filter(repository__dataset__hidden=True).values("pk"))
