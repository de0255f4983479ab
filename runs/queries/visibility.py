"""Who may see what: only viewers of hidden datasets and operators see their tasks and runs.

Numbers over many runs (leaderboard, heatmaps, analysis) use open datasets only, for everybody, so that there is one
version of them. Code that shows single objects starts from the functions below.
"""

from __future__ import annotations

from typing import TypeVar

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import QuerySet

from runs.models import Cell, Run, Try
from tasks.models import Dataset, Repository, Task

Reader = AbstractBaseUser | AnonymousUser
ANONYMOUS = AnonymousUser()  # the reader of data that are the same for everyone
_OfTask = TypeVar("_OfTask", Run, Cell)


def is_operator(reader: Reader) -> bool:
    """Whether the reader may start, cancel and retry evaluations."""
    return _may(reader, "runs.start_evaluation")


def sees_hidden(reader: Reader) -> bool:
    """Whether the reader may see hidden datasets: an operator, or staff with the permission for it."""
    return is_operator(reader) or _may(reader, "tasks.view_hidden")


def without_hidden(rows: QuerySet[_OfTask]) -> QuerySet[_OfTask]:
    """Runs or cells of open datasets."""
    # By a set of tasks, which is small: with a join, databases read the runs by dataset and sort all of them.
    return rows.exclude(task__in=Task.objects.filter(repository__dataset__hidden=True).values("pk"))


def visible(rows: QuerySet[_OfTask], reader: Reader) -> QuerySet[_OfTask]:
    """The runs or cells that this reader may see."""
    return rows if sees_hidden(reader) else without_hidden(rows)


def visible_datasets(reader: Reader) -> QuerySet[Dataset]:
    """The datasets that this reader may see."""
    return Dataset.objects.all() if sees_hidden(reader) else Dataset.objects.filter(hidden=False)


def visible_repositories(reader: Reader) -> QuerySet[Repository]:
    """The repositories that this reader may see, with their datasets."""
    repositories = Repository.objects.select_related("dataset")
    return repositories if sees_hidden(reader) else repositories.filter(dataset__hidden=False)


def visible_tasks(reader: Reader) -> QuerySet[Task]:
    """The tasks that this reader may see, with their repositories and datasets."""
    tasks = Task.objects.select_related("repository", "repository__dataset")
    return tasks if sees_hidden(reader) else tasks.filter(repository__dataset__hidden=False)


def visible_tries(tries: QuerySet[Try], reader: Reader) -> QuerySet[Try]:
    """The tries that this reader may see: the reason of a failure reveals its task."""
    if sees_hidden(reader):
        return tries
    return tries.exclude(run__task__in=Task.objects.filter(repository__dataset__hidden=True).values("pk"))


def _may(reader: Reader, permission: str) -> bool:
    """Whether the reader is active staff with this permission. Anonymous readers have none."""
    return reader.is_active and reader.is_staff and reader.has_perm(permission)  # type: ignore[union-attr]
