"""Queries that are written once: each time they are asked for other values, and the database answers of today."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import QuerySet

from runs.cache.compiled_query import Written
from runs.models import Run
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def test_a_query_is_written_once_and_asked_for_any_values() -> None:
    cast = Cast()
    (task,), alice, bob = cast.add_tasks(1), cast.alice(), cast.bob()
    for attempt in (1, 2):
        cast.add_run(alice, task, attempt)
    cast.add_run(bob, task, 1)
    written: list[tuple[int, int]] = []

    def runs(agent: int, attempt: int) -> QuerySet[Run, Any]:
        written.append((agent, attempt))
        return Run.objects.filter(agent=agent, attempt=attempt).values_list("agent__slug", "attempt")

    query = Written(runs)

    assert query.rows(alice.pk, 2) == [("alice", 2)]
    assert query.rows(bob.pk, 1) == [("bob", 1)]
    assert query.rows(bob.pk, 2) == []
    cast.add_run(bob, task, 2)
    assert query.rows(bob.pk, 2) == [("bob", 2)]
    assert len(written) == 1
