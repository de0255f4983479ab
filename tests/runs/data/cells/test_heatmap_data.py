"""The cells that heatmaps show."""

from __future__ import annotations

import pytest
from django.db import transaction

from runs.analysis.outcomes.standings import CellFacts
from runs.data.cells.heatmap_data import dataset_repositories, repository_cells, repository_grid
from runs.data.cells.open_cells import unranked_agents
from runs.data.cells.recompute import recompute_cells
from runs.models import Run
from tasks.loading import hide
from tests.conftest import RedisServer
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def test_a_repository_has_the_cells_of_its_own_tasks() -> None:
    cast = Cast()
    quay = cast.add_repository("quay", "Quay")
    alice, bob = cast.alice(), cast.bob()
    (task,), (elsewhere,) = cast.add_tasks(1), cast.add_tasks(1, quay)
    for agent, where in ((alice, task), (bob, task), (alice, elsewhere)):
        cast.add_cell(agent, where, [5])
    cast.settle()

    assert sorted(cell[:3] for cell in repository_cells(cast.repository)) == [
        (alice.pk, task.pk, "harbour"),
        (bob.pk, task.pk, "harbour"),
    ]
    assert [cell[:3] for cell in repository_cells(quay)] == [(alice.pk, elsewhere.pk, "quay")]


def test_calibration_agents_are_no_part_of_a_mean() -> None:
    cast = Cast()
    quay = cast.add_repository("quay", "Quay")
    alice, oracle, idler = cast.alice(), cast.oracle(), cast.idler()
    for task in (*cast.add_tasks(2), *cast.add_tasks(1, quay, start=3)):
        cast.add_cell(alice, task, [5 if task.slug == "tide-1" else 0])
        cast.add_cell(oracle, task, [5])
    cast.settle()

    table = dataset_repositories("ports")

    assert unranked_agents() == {oracle.pk, idler.pk}
    assert [line.repository for line in table.lines] == ["harbour", "quay"]
    assert [line.rate.value for line in table.lines] == [0.5, 0.0]


def test_hidden_repositories_are_left_out() -> None:
    cast = Cast()
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5])
    cast.settle()
    hide(cast.dataset, hidden=True)

    assert dataset_repositories("ports").lines == ()


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_a_grid_never_is_older_than_the_version_that_it_is_cached_under(redis: RedisServer) -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    cast.add_cell(cast.alice(), task, [0])
    cast.settle()

    def cells() -> list[CellFacts]:
        """What a reader reads before a run settles, if it is asked before the version is known."""
        found = repository_cells(cast.repository)
        with transaction.atomic():
            Run.objects.update(outcome=Run.Outcome.RESOLVED)
            recompute_cells([(run.agent_id, run.task_id) for run in Run.objects.all()])
        return found

    assert repository_grid(cast.repository, [task.pk], cells, "resolved").values == ((0.0,),)

    later = repository_grid(cast.repository, [task.pk], lambda: repository_cells(cast.repository), "resolved")
    assert later.values == ((1.0,),)
