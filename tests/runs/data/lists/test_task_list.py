"""The list of tasks: what came of each, filters, orders, and what a reader may see."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser, User
from pytest_django import DjangoAssertNumQueries

from runs.data.cells.boards import all_boards
from runs.data.lists.task_list import (
    TaskEvidence,
    TaskListQuery,
    TaskTotals,
    evidence_of,
    share_counts,
    task_choices,
    task_lines,
)
from tasks.models import Dataset, Repository
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db
READER = AnonymousUser()


def listed(**query: str) -> list[str]:
    """The tasks of a list, in its order."""
    return [line.key for line in task_lines(TaskListQuery.from_query(query), READER, all_boards())]


@pytest.fixture
def tides(cast: Cast) -> Cast:
    """Tide 1 is solved by both agents, 2 by one of two, 3 by none, 4 is tried by the oracle alone."""
    one, two, three, four = cast.add_tasks(4)
    alice, bob = cast.alice(), cast.bob()
    for task, of_alice, of_bob in ((one, [5, 5], [5]), (two, [4, 5], [4]), (three, [4, 1], [0])):
        cast.add_cell(alice, task, of_alice)
        cast.add_cell(bob, task, of_bob)
    cast.add_cell(cast.oracle(), four, [5])
    cast.settle()
    return cast


def test_a_task_has_the_share_of_competing_agents_that_solved_it_once(tides: Cast) -> None:
    totals = {line.slug: line.totals for line in task_lines(TaskListQuery(), READER, all_boards())}

    assert totals == {
        "tide-1": TaskTotals(2, 2, 3),
        "tide-2": TaskTotals(2, 1, 3),
        "tide-3": TaskTotals(2, 0, 3),
        "tide-4": TaskTotals(0, 0, 0),
    }
    assert [totals[f"tide-{number}"].group for number in (1, 2, 3, 4)] == ["all", "most", "none", "untried"]
    assert totals["tide-4"].share is None
    lines = task_lines(TaskListQuery(), READER, all_boards())
    assert share_counts(lines) == {"none": 1, "most": 1, "all": 1, "untried": 1}


def test_the_hardest_tasks_come_first_and_untried_ones_last_in_every_order_by_share(tides: Cast) -> None:
    names = [f"harbour/tide-{number}" for number in (1, 2, 3, 4)]
    one, two, three, four = names

    assert listed() == listed(sort="solved") == [three, two, one, four]
    assert listed(sort="-solved") == [one, two, three, four]
    assert listed(sort="-attempts")[-1] == listed(sort="attempts")[0] == four
    assert listed(sort="task") == names
    assert listed(sort="-task") == names[::-1]


def test_filters_select_tasks(tides: Cast) -> None:
    tides.add_tasks(1, tides.add_repository("dock", "Dry dock"), difficulty="hard", start=9)

    assert listed(repository="dock") == listed(difficulty="hard") == listed(q="DOCK tide") == ["dock/tide-9"]
    assert listed(dataset="nowhere") == listed(language="Rust") == listed(category="feature") == []
    assert len(listed(dataset="ports", language="Python", category="bug", origin="hand-made")) == 5
    tides.dataset.reported_by = "The Lab"
    tides.dataset.save()
    assert listed(origin="hand-made") == []  # how others made their tasks is unknown


def test_near_misses_and_replays_are_counted(tides: Cast) -> None:
    lines = {line.slug: line.pk for line in task_lines(TaskListQuery(), READER, all_boards())}

    evidence = evidence_of(None, READER)

    assert evidence[lines["tide-3"]] == TaskEvidence(near=1, replays=3)  # Alice passed four of five tests
    assert evidence[lines["tide-2"]] == TaskEvidence(near=1, replays=3)
    assert evidence_of([lines["tide-1"]], READER) == {lines["tide-1"]: TaskEvidence(0, 3)}


def test_hidden_tasks_are_listed_for_operators_only(tides: Cast) -> None:
    tides.add_hidden_task()
    operator = User.objects.create_superuser("op")

    assert "cellar/tide-7" not in listed()
    assert [each[0] for each in task_choices(TaskListQuery(), READER)["datasets"]] == ["ports"]
    lines = task_lines(TaskListQuery(repository="cellar"), operator, all_boards())
    assert [(line.key, line.totals.group) for line in lines] == [("cellar/tide-7", "hidden")]


def test_the_choices_are_those_of_the_chosen_dataset(tides: Cast) -> None:
    tides.add_repository("quay", "Harbour master")
    lakes = Dataset.objects.create(slug="lakes", title="Lakes")
    Repository.objects.create(slug="lock", title="Harbour master", dataset=lakes)

    choices = task_choices(TaskListQuery(dataset="ports"), READER)

    assert choices["repositories"] == [
        ("harbour", "Harbour master (harbour)"),
        ("quay", "Harbour master (quay)"),
    ]
    assert choices["languages"] == [("Python", "Python")]
    assert ("lock", "Harbour master (Lakes)") in task_choices(TaskListQuery(), READER)["repositories"]
    assert task_choices(TaskListQuery(dataset="nowhere"), READER)["repositories"] == []


def test_a_list_takes_the_same_number_of_queries_however_long_it_is(
    tides: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    boards = all_boards()
    with django_assert_num_queries(5):
        task_lines(TaskListQuery(), READER, boards)
    tides.add_tasks(20, start=20)
    with django_assert_num_queries(5):
        task_lines(TaskListQuery(), READER, boards)
