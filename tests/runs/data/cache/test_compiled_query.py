"""A compiled query returns the rows of today, and is compiled once."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import QuerySet

from runs.data.cache.compiled_query import CompiledQuery
from runs.models import Run
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def test_it_is_compiled_once_and_reads_the_rows_each_time() -> None:
    cast = Cast()
    (task,), alice = cast.add_tasks(1), cast.alice()
    made = []

    def second_attempts() -> QuerySet[Run, Any]:
        made.append(1)
        return Run.objects.filter(attempt=2).values_list("agent__slug", "attempt")

    query = CompiledQuery(second_attempts)

    cast.add_run(alice, task, 1)
    assert (query.rows(), query.count()) == ([], 0)
    cast.add_run(alice, task, 2)
    assert (query.rows(), query.count()) == ([("alice", 2)], 1)
    assert len(made) == 1


def test_its_last_conditions_take_other_values() -> None:
    cast = Cast()
    (task,), alice = cast.add_tasks(1), cast.alice()
    for attempt in (1, 2, 3):
        cast.add_run(alice, task, attempt)
    query = CompiledQuery(
        lambda: Run.objects.filter(attempt__gt=1, attempt__lt=0).order_by("attempt").values_list("attempt")
    )

    assert query.rows() == []
    assert query.rows(9) == [(2,), (3,)]
    assert query.rows(0, 3) == [(1,), (2,)]
