"""Tasks as pages name them, without their descriptions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.urls import reverse

from tasks.models import Repository, Task


class NamedTask(NamedTuple):
    """The names of a task, and its repository."""

    slug: str
    title: str
    difficulty: str
    category: str
    repository: Repository

    @property
    def key(self) -> str:
        """repository/task."""
        return f"{self.repository.slug}/{self.slug}"

    def get_absolute_url(self) -> str:
        """The page of this task."""
        return reverse("task", args=[self.repository.slug, self.slug])


def tasks_by_id(ids: Iterable[int]) -> dict[int, NamedTask]:
    """Tasks with their repositories, in two queries: one repository has many tasks."""
    columns = ("slug", "title", "difficulty", "category", "repository_id", "pk")
    rows = list(Task.objects.filter(pk__in=list(ids)).values_list(*columns))
    repositories = Repository.objects.in_bulk({repository for *_, repository, _ in rows})
    return {
        pk: NamedTask(slug, title, difficulty, category, repositories[repository])
        for slug, title, difficulty, category, repository, pk in rows
    }
