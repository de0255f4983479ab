"""A site that is upgraded has the groups of the cells that it has."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from runs.data.cells.open_cells import open_facts
from runs.data.cells.recompute import rebuild_cells
from runs.models import Cell, CellGroup
from runs.intake.reported.storing import store
from tests.runs.cast import Cast
from tests.runs.intake.reported.made_results import reported, two_agents

pytestmark = pytest.mark.django_db


def test_each_agent_gets_a_group_in_each_dataset_with_cells() -> None:
    cast = Cast()
    alice = cast.alice()
    for task in cast.add_tasks(2):
        cast.add_cell(alice, task, [5, 0])
    cast.settle()
    rebuild_cells()
    store(reported(two_agents()))
    facts, groups = sorted(open_facts()), set(CellGroup.objects.values_list("agent", "dataset"))
    CellGroup.objects.all().delete()
    assert open_facts() == []

    import_module("runs.migrations.0023_cell_groups").fill(apps, None)

    assert sorted(open_facts()) == facts
    assert set(CellGroup.objects.values_list("agent", "dataset")) == groups
    group = CellGroup.objects.get(agent=alice)
    first, last = Cell.objects.filter(agent=alice).order_by("updated_at")
    assert (group.revision, group.changed_at) == (first.revision + last.revision, last.updated_at)
    assert str(group) == "alice × ports"
