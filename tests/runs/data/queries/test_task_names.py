"""Tasks as pages name them."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from runs.data.queries.task_names import tasks_by_id
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def test_tasks_have_their_names_and_repositories_in_two_queries(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    quay = cast.add_repository("quay", "Quay")
    first, _unasked = cast.add_tasks(2)
    (hard,) = cast.add_tasks(1, quay, difficulty="hard")

    with django_assert_num_queries(2):
        found = tasks_by_id(iter([hard.pk, first.pk, 0]))

    assert set(found) == {first.pk, hard.pk}
    assert found[hard.pk] == ("tide-1", "Tide 1", "hard", "bug", quay)
    assert (found[first.pk].key, found[hard.pk].key) == ("harbour/tide-1", "quay/tide-1")
    assert found[hard.pk].get_absolute_url() == hard.get_absolute_url()
    assert tasks_by_id([]) == {}
