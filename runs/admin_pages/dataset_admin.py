"""Datasets, repositories and tasks, read-only: edit the files on disk instead. Operators hide and open datasets."""

from __future__ import annotations

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from runs.admin_pages.visible_rows import ReadOnlyRows, VisibleRelated
from tasks.loading import hide
from tasks.models import Dataset, Repository, Task


@admin.register(Dataset)
class DatasetAdmin(ReadOnlyRows):
    list_display = ("slug", "title", "version", "licence", "hidden", "directory", "loaded_at")
    actions = ("hide_selected", "open_selected")

    def has_hide_permission(self, request: HttpRequest) -> bool:
        """For those who may change datasets, although their other fields come from files."""
        return request.user.has_perm("tasks.change_dataset")

    @admin.action(description="Hide", permissions=["hide"])
    def hide_selected(self, request: HttpRequest, datasets: QuerySet[Dataset]) -> None:
        """Takes their tasks and runs off all public pages and numbers."""
        _set_hidden(request, datasets, hidden=True)

    @admin.action(description="Open to everybody", permissions=["hide"])
    def open_selected(self, request: HttpRequest, datasets: QuerySet[Dataset]) -> None:
        """Shows their tasks and runs on public pages, and counts them."""
        _set_hidden(request, datasets, hidden=False)


@admin.register(Repository)
class RepositoryAdmin(ReadOnlyRows):
    list_display = ("slug", "title", "dataset", "stack", "domain")
    list_filter = (("dataset", VisibleRelated), "stack")
    list_select_related = ("dataset",)
    search_fields = ("slug", "title")


@admin.register(Task)
class TaskAdmin(ReadOnlyRows):
    list_display = ("slug", "repository", "title", "category", "difficulty", "admitted", "tests_total")
    list_filter = ("admitted", "category", "difficulty", ("repository", VisibleRelated))
    list_select_related = ("repository",)
    search_fields = ("slug", "title", "description")


def _set_hidden(request: HttpRequest, datasets: QuerySet[Dataset], *, hidden: bool) -> None:
    for dataset in datasets.exclude(hidden=hidden):
        hide(dataset, hidden=hidden)
        messages.success(request, f"{dataset} is {'hidden' if hidden else 'open to everybody'} now.")
