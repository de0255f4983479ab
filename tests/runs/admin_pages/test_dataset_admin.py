"""Datasets, repositories and tasks are read in the admin and changed on disk."""

from __future__ import annotations

import pytest
from django.test import Client

from tasks.models import Task
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def task() -> Task:
    """The only one."""
    return Cast().add_tasks(1)[0]


@pytest.mark.parametrize("model", ["dataset", "repository", "task"])
def test_rows_are_shown_and_read_only(admin_client: Client, task: Task, model: str) -> None:
    keys = {"dataset": task.repository.dataset_id, "repository": task.repository_id, "task": task.pk}
    rows = f"/admin/tasks/{model}/"
    row = f"{rows}{keys[model]}/"
    assert admin_client.get(rows).status_code == 200
    assert admin_client.get(f"{row}change/").status_code == 200
    assert admin_client.post(f"{row}change/", {"title": "Mine"}).status_code == 403
    assert admin_client.post(f"{row}delete/", {"post": "yes"}).status_code == 403
    assert admin_client.get(f"{rows}add/").status_code == 403
    task.refresh_from_db()
    assert task.title == "Tide 1"


def test_tasks_are_found_by_their_words(admin_client: Client, task: Task) -> None:
    assert "Tide 1" in admin_client.get("/admin/tasks/task/?q=mend").content.decode()
    assert "Tide 1" not in admin_client.get("/admin/tasks/task/?q=kraken").content.decode()
