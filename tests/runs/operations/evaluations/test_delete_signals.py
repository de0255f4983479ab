"""Deleted runs leave the cells in the same transaction."""

from __future__ import annotations

import pytest
from django.db import transaction

from runs.models import Cell, Evaluation, Run
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def counted() -> dict[str, int]:
    """The attempts of each cell, by task."""
    return {cell.task.slug: cell.attempts for cell in Cell.objects.select_related("task")}


def test_a_deleted_run_leaves_its_cell_and_the_next_one_becomes_the_best(cast: Cast) -> None:
    first, second = cast.add_tasks(2)
    best, next_best = cast.add_cell(cast.alice(), first, [4, 3])
    cast.add_run(best.agent, second)
    cast.settle()
    assert Cell.objects.get(task=first).best == best

    best.delete()

    cell = Cell.objects.get(task=first)
    assert (cell.attempts, cell.best, cell.best_missing) == (1, next_best, 2)
    Run.objects.filter(pk=next_best.pk).delete()
    assert counted() == {"tide-2": 1}


@pytest.mark.parametrize("many", [False, True])
def test_an_evaluation_takes_its_runs_out_of_all_their_cells(cast: Cast, many: bool) -> None:
    first, second = cast.add_tasks(2)
    alice, doomed = cast.alice(), cast.add_evaluation("neap", "Neap")
    cast.add_run(alice, first, evaluation=cast.evaluation)
    for task in (first, second):
        cast.add_run(alice, task, evaluation=doomed)
    cast.settle()
    assert counted() == {"tide-1": 2, "tide-2": 1}

    if many:
        Evaluation.objects.filter(slug="neap").delete()
    else:
        doomed.delete()

    assert counted() == {"tide-1": 1}


def test_a_deletion_that_is_rolled_back_changes_no_cell(cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5, 4])
    cast.settle()

    with transaction.atomic():
        cast.evaluation.delete()
        assert counted() == {}
        transaction.set_rollback(True)

    assert counted() == {"tide-1": 2}
