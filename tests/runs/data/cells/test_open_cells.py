"""The open cells that a process stores equal those in the database after every change."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from runs.data.cells import open_cells
from runs.data.cells.open_cells import agent_cells_version, dataset_version, open_facts
from runs.data.cells.recompute import recompute_cells
from runs.data.queries.filters import CellFilter, cell_facts
from runs.intake.reported.storing import store
from runs.models import Agent, Run
from tasks.loading import hide
from tasks.models import Task
from tests.runs.cast import Cast
from tests.runs.intake.reported.made_results import reported, two_agents

pytestmark = pytest.mark.django_db(transaction=True)

VERSION_QUERIES = 1  # of all groups of cells


@pytest.fixture
def cast() -> Cast:
    """Two agents with two tasks each, read once."""
    cast = Cast()
    tasks = cast.add_tasks(2)
    for agent in (cast.alice(), cast.bob()):
        for task in tasks:
            cast.add_cell(agent, task, [5, 2])
    cast.settle()
    open_facts()
    return cast


def fail_everything(agent: str) -> None:
    """Makes all runs of an agent unresolved, and recomputes its cells."""
    runs = Run.objects.filter(agent__slug=agent)
    with transaction.atomic():
        runs.update(outcome=Run.Outcome.UNRESOLVED)
        recompute_cells(runs.values_list("agent_id", "task_id"))


def add_an_agent(cast: Cast) -> None:
    cast.add_cell(cast.oracle(), Task.objects.earliest("pk"), [5])
    cast.settle()


def queries_of(work: Callable[[], object]) -> list[str]:
    """The SQL of some work, without quotes."""
    with CaptureQueriesContext(connection) as captured:
        work()
    return [query["sql"].replace('"', "") for query in captured]


@pytest.mark.parametrize(
    "change",
    [
        lambda _: fail_everything("alice"),
        add_an_agent,
        lambda cast: hide(cast.dataset, hidden=True),
        lambda _: Run.objects.filter(agent__slug="bob").delete(),
        lambda cast: cast.evaluation.delete(),
    ],
    ids=["an agent's runs", "a new agent", "a hidden dataset", "an agent without runs", "no evaluation"],
)
def test_stored_cells_equal_the_database(cast: Cast, change: Callable[[Cast], object]) -> None:
    before = sorted(open_facts())
    change(cast)

    after = sorted(open_facts())

    assert after == sorted(cell_facts(CellFilter().cells()))
    assert sorted(open_facts()) == after != before


def test_only_the_cells_of_groups_that_changed_are_read_again(cast: Cast) -> None:
    assert len(queries_of(open_facts)) == VERSION_QUERIES

    fail_everything("alice")

    groups, cells = queries_of(open_facts)
    alice = cast.evaluation.runs.filter(agent__slug="alice").earliest("pk").agent_id
    assert "FROM runs_cellgroup" in groups
    assert f"runs_cell.agent_id = {alice} AND" in cells
    assert len(queries_of(open_facts)) == VERSION_QUERIES

    fail_everything("alice")
    fail_everything("bob")

    assert len(queries_of(open_facts)) == VERSION_QUERIES + 1
    assert len(queries_of(open_facts)) == VERSION_QUERIES


def test_a_rolled_back_change_is_not_stored(cast: Cast) -> None:
    before = sorted(open_facts())

    with transaction.atomic():
        fail_everything("alice")
        assert sorted(open_facts()) != before
        transaction.set_rollback(True)

    assert sorted(open_facts()) == before
    fail_everything(
        "bob"
    )  # has the version that alice's change would have had, were all cells counted together
    assert sorted(open_facts()) == sorted(cell_facts(CellFilter().cells())) != before


def test_too_many_cells_are_read_each_time(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_cells, "MAX_STORED", 3)
    fail_everything("alice")

    for _ in range(2):
        assert len(queries_of(open_facts)) == VERSION_QUERIES + 1
        assert sorted(open_facts()) == sorted(cell_facts(CellFilter().cells()))


def test_the_version_of_a_dataset_changes_with_its_own_agents_only(cast: Cast) -> None:
    store(reported(two_agents()))
    ports, lab = dataset_version("ports"), dataset_version("lab-bench")

    fail_everything("alice")

    assert dataset_version("lab-bench") == lab
    assert dataset_version("ports") != ports
    store(reported(two_agents(), version="a2"))
    assert dataset_version("lab-bench") != lab


def test_the_version_of_an_agents_cells_changes_with_its_own_cells_and_its_datasets(cast: Cast) -> None:
    store(reported(two_agents()))
    alice, bob = (Agent.objects.get(slug=slug).pk for slug in ("alice", "bob"))
    before = agent_cells_version(alice), agent_cells_version(bob)

    fail_everything("alice")
    after = agent_cells_version(alice), agent_cells_version(bob)
    assert (after[0] != before[0], after[1]) == (True, before[1])
    store(reported(two_agents(), version="a2"))
    assert agent_cells_version(alice) == after[0]
    hide(cast.dataset, hidden=True)
    assert agent_cells_version(alice) == agent_cells_version(0), "it has no open cell"
