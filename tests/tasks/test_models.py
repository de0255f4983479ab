"""Datasets, repositories and tasks in the database."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from harness.dataset import Category, Difficulty
from tasks.models import Task
from tests.runs.cast import Cast


@pytest.mark.django_db
def test_names_and_addresses_are_those_of_the_pages() -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    assert (str(cast.dataset), str(cast.repository), str(task)) == (
        "Ports 1.0",
        "Harbour master",
        "harbour/tide-1",
    )
    assert cast.repository.get_absolute_url() == "/repositories/harbour/"
    assert task.get_absolute_url() == "/tasks/harbour/tide-1/"


@pytest.mark.django_db
def test_a_slug_is_unique_within_its_repository_only() -> None:
    cast = Cast()
    cast.add_tasks(1)
    cast.add_tasks(1, cast.add_repository("quay", "Quay"))
    with pytest.raises(IntegrityError), transaction.atomic():
        cast.add_tasks(1)
    assert list(map(str, Task.objects.all())) == ["harbour/tide-1", "quay/tide-1"]


def test_the_choices_are_those_of_the_files() -> None:
    assert set(Task.Category.values) == {category.value for category in Category}
    assert set(Task.Difficulty.values) == {difficulty.value for difficulty in Difficulty}
