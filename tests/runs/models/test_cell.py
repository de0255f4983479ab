"""Cells: one for each agent and task, and those without runs are not shown."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from runs.models import Cell, Snapshot
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def test_cells_without_runs_stay_and_are_not_shown() -> None:
    cast = Cast()
    alice = cast.alice()
    empty, graded, lost = (
        Cell.rows.create(agent=alice, task=task, **counts)
        for task, counts in zip(
            cast.add_tasks(3), ({}, {"attempts": 1}, {"infrastructure_failed": 1}), strict=True
        )
    )

    assert list(Cell.objects.order_by("pk")) == [graded, lost]
    assert list(Cell.rows.order_by("pk")) == [empty, graded, lost]
    assert list(alice.cells.order_by("pk")) == [graded, lost]


def test_an_agent_has_one_cell_at_a_task() -> None:
    cast = Cast()
    alice, (task,) = cast.alice(), cast.add_tasks(1)
    cell = Cell.rows.create(agent=alice, task=task)

    with pytest.raises(IntegrityError), transaction.atomic():
        Cell.rows.create(agent=alice, task=task)
    assert str(cell) == "alice × harbour/tide-1"


def test_the_newest_snapshot_is_first() -> None:
    made = [Snapshot.objects.create(digest=digest, payload=b"") for digest in ("a", "b")]

    assert list(Snapshot.objects.all()) == made[::-1]
    assert str(made[0]) == "a"
