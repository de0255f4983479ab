"""Cells are recomputed from a shell."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command

from runs.models import Cell
from tests.runs.cast import Cast, record

pytestmark = pytest.mark.django_db


def rebuild(*options: str) -> str:
    """What the command prints."""
    said = StringIO()
    call_command("rebuild_cells", *options, stdout=said)
    return said.getvalue()


def test_the_number_of_cells_and_of_uncounted_trajectories_is_printed() -> None:
    cast = Cast()
    alice, (one, two) = cast.alice(), cast.add_tasks(2)
    for run in (*cast.add_cell(alice, one, [5, 4]), *cast.add_cell(alice, two, [0])):
        record(run)
    waiting = "3 trajectories wait to be counted: the workers do it, or --counts\n"
    assert rebuild() == f"2 cells\n{waiting}"
    assert [(cell.attempts, cell.resolved) for cell in Cell.objects.order_by("task")] == [(2, 1), (1, 0)]
    assert rebuild("--counts") == "3 trajectories counted\n2 cells\n"
    assert rebuild() == "2 cells\n"


def test_a_site_without_runs_has_no_cells() -> None:
    assert rebuild() == "0 cells\n"


def test_the_index_of_texts_is_made_anew() -> None:
    cast = Cast()
    record(cast.add_run(cast.alice(), cast.add_tasks(1)[0]))
    said = rebuild("--texts")
    assert said.startswith("1 runs indexed: 0.0 million characters, 0.0 million left out, in ")
    assert said.endswith(" MB\n1 cells\n1 trajectories wait to be counted: the workers do it, or --counts\n")
