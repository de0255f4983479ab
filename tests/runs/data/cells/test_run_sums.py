"""Cells made of sums by the database equal the cells that are recomputed from single runs."""

from __future__ import annotations

import random

import pytest

from runs.data.cells.filtered_cells import filtered_facts
from runs.data.cells.recompute import rebuild_cells
from runs.data.cells.run_sums import run_sums
from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.filters import CellFilter, cell_facts
from runs.models import Run
from tests.runs.data.cells.random_runs import add_random_runs

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("seed", range(3))
def test_cells_of_all_days_are_the_stored_cells(seed: int) -> None:
    add_random_runs(random.Random(seed))
    rebuild_cells()

    stored = sorted(cell_facts(CellFilter().cells()))
    dated = sorted(filtered_facts(BoardFilter(since="2000-01-01")))

    assert len(stored) == len(dated) == 6
    for one, other in zip(stored, dated, strict=True):
        assert one[:3] == other[:3]
        assert (one.cost_usd is None) == (other.cost_usd is None)
        assert [0.0 if value is None else value for value in other[3:]] == pytest.approx(
            [0.0 if value is None else value for value in one[3:]]
        )


def test_each_state_and_outcome_is_a_row() -> None:
    add_random_runs(random.Random(1))
    Run.objects.filter(attempt=1).update(state=Run.State.QUEUED, outcome="")

    rows = run_sums(Run.objects.all())

    assert sum(row.n for row in rows) == Run.objects.count()
    assert sum(row.n for row in rows if row.resolved) == Run.objects.filter(outcome="resolved").count()
    (queued,) = (row for row in rows if row.state == "queued")
    assert (queued.n, queued.settled, queued.failed) == (1, False, False)
