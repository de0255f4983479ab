"""Datasets, repositories and tasks, read-only: edit the files on disk instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

from tasks.models import Dataset, Repository, Task

if TYPE_CHECKING:
    AnyAdmin = admin.ModelAdmin[Any]
else:
    AnyAdmin = admin.ModelAdmin  # has no parameters at run time


class ReadOnlyAdmin(AnyAdmin):
    """A read-only admin for the rows that `load_dataset` writes."""

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """No: load a dataset instead."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """No: change the files and load them again."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """No: runs depend on it."""
        return False


@admin.register(Dataset)
class DatasetAdmin(ReadOnlyAdmin):
    list_display = ("slug", "title", "version", "licence", "hidden", "directory", "loaded_at")


@admin.register(Repository)
class RepositoryAdmin(ReadOnlyAdmin):
    list_display = ("slug", "title", "dataset", "stack", "domain")
    list_filter = ("dataset", "stack")
    search_fields = ("slug", "title")


@admin.register(Task)
class TaskAdmin(ReadOnlyAdmin):
    list_display = ("slug", "repository", "title", "category", "difficulty", "admitted", "tests_total")
    list_filter = ("admitted", "category", "difficulty", "repository")
    list_select_related = ("repository",)
    search_fields = ("slug", "title", "description")
