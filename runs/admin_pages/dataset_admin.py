"""Datasets, repositories and tasks, read-only: edit the files on disk instead. `/operate/datasets/` hides datasets."""

from __future__ import annotations

from django.contrib import admin

from runs.admin_pages.visible_rows import ReadOnlyRows, VisibleRelated
from tasks.models import Dataset, Repository, Task


@admin.register(Dataset)
class DatasetAdmin(ReadOnlyRows):
    list_display = ("slug", "title", "version", "licence", "hidden", "directory", "loaded_at")


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
