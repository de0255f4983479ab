"""Near misses: which cells they are, in which order, and their attempts."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from runs.data.queries.board_names import BoardName
from runs.data.queries.near_miss_query import (
    MAX_ATTEMPTS,
    attempts_of,
    choices,
    close_cells_of,
    counts_of,
    near_miss_cells,
)
from runs.models import CLOSE, Run
from tasks.loading import hide
from tasks.models import Task
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def test_unresolved_cells_are_ordered_by_missing_tests(cast: Cast) -> None:
    near, far, done, untested = cast.add_tasks(4)
    alice = cast.alice()
    cast.add_cell(alice, far, [3, 3])
    cast.add_cell(alice, near, [1, 4])
    cast.add_cell(alice, done, [4, 5])
    cast.add_run(alice, untested, passed=0, tests_total=0)
    cast.settle()

    def tasks(threshold: float, by: str = "best") -> list[str]:
        return [cell.task.slug for cell in near_miss_cells(threshold, by=by)]

    assert tasks(0.6) == [near.slug, far.slug]
    assert tasks(0.8) == [near.slug]
    assert tasks(0.81) == []
    # means: (1/5 + 4/5) / 2 = 0.5 and (3/5 + 3/5) / 2 = 0.6
    assert tasks(0.6, "mean") == [far.slug]
    assert tasks(0.5, "mean") == [near.slug, far.slug]


def test_the_list_can_be_filtered(cast: Cast) -> None:
    task = cast.add_tasks(1)[0]
    elsewhere = cast.add_tasks(1, cast.add_repository("canal", "Canal"))[0]
    alice, bob = cast.alice(), cast.bob()
    for agent, where in ((alice, task), (bob, task), (bob, elsewhere)):
        cast.add_cell(agent, where, [4])
    cast.settle()

    def found(**chosen: str) -> list[tuple[str, str]]:
        return [(cell.agent.slug, str(cell.task)) for cell in near_miss_cells(0.8, **chosen)]

    assert found(agent="alice") == [("alice", "harbour/tide-1")]
    assert found(repository="canal") == [("bob", "canal/tide-1")]
    assert found(task="harbour/tide-1", agent="bob") == [("bob", "harbour/tide-1")]
    assert found(task="no slash") == []


def test_the_close_cells_of_an_agent_on_a_board_are_those_of_the_list(cast: Cast) -> None:
    near, nearer, far, removed = cast.add_tasks(4)
    Task.objects.filter(pk=removed.pk).update(origin=Task.Origin.REMOVED)
    alice, bob = cast.alice(), cast.bob()
    cast.add_cell(alice, near, [4])
    cast.add_run(alice, nearer, passed=9, tests_total=10)
    cast.add_cell(alice, far, [1])
    cast.add_cell(alice, removed, [4])
    cast.add_cell(bob, far, [4])
    cast.settle()
    slug = cast.dataset.slug
    boards = (slug, str(BoardName(slug, Task.Origin.REMOVED)), str(BoardName(slug, near.origin)), "none")

    def listed(agent: str, board: str) -> list[int]:
        return list(near_miss_cells(CLOSE, agent=agent, dataset=board).values_list("pk", flat=True))

    for agent in ("alice", "bob", "nobody"):
        for board in boards:
            assert close_cells_of(agent, board) == listed(agent, board), (agent, board)
    assert [len(close_cells_of("alice", board)) for board in boards] == [3, 1, 2, 0]


def test_a_cell_whose_attempts_passed_no_test_is_no_near_miss(cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [0, 0])
    cast.settle()

    assert list(near_miss_cells(0)) == []


def test_of_equally_few_missing_tests_the_higher_rate_comes_first(cast: Cast) -> None:
    small, large = cast.add_tasks(2)
    alice = cast.alice()
    cast.add_run(alice, small, passed=1, tests_total=2)
    cast.add_run(alice, large, passed=9, tests_total=10)
    cast.settle()

    assert [cell.task for cell in near_miss_cells(0.5)] == [large, small]


def test_near_misses_and_those_that_lack_a_single_test_are_counted(cast: Cast) -> None:
    alice = cast.alice()
    for task, passed in zip(cast.add_tasks(3), (4, 4, 3), strict=True):
        cast.add_cell(alice, task, [passed])
    cast.settle()

    assert counts_of(near_miss_cells(0.5)) == {"all": 3, "one_away": 2, "tasks": 3}
    assert counts_of(near_miss_cells(0.5, agent="nobody")) == {"all": 0, "one_away": 0, "tasks": 0}


def test_attempts_are_those_that_were_graded_in_one_query(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    near, other = cast.add_tasks(2)
    alice = cast.alice()
    cast.add_cell(alice, near, [4, 3])
    cast.add_run(alice, near, 3, passed=0, outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    cast.add_cell(alice, other, [4])
    cast.settle()
    cells = list(near_miss_cells(0.8, task="harbour/tide-1"))

    with django_assert_num_queries(1):
        theirs = attempts_of(cells)
        shown = {pair: [(run.attempt, run.agent.name) for run in runs] for pair, runs in theirs.items()}

    assert shown == {(alice.pk, near.pk): [(1, "Alice"), (2, "Alice")]}


def test_of_many_attempts_the_first_are_shown(cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4] * (MAX_ATTEMPTS + 1))
    cast.settle()

    (theirs,) = attempts_of(list(near_miss_cells(0.8))).values()

    assert [run.attempt for run in theirs] == list(range(1, MAX_ATTEMPTS + 1))


def test_no_cells_have_no_attempts_and_ask_nothing(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        assert attempts_of([]) == {}


def test_what_is_hidden_is_neither_found_nor_offered(cast: Cast) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4])
    cast.settle()
    offered = {
        "agents": [("alice", "Alice")],
        "repositories": [("harbour", "Harbour master")],
        "tasks": [("harbour/tide-1", "harbour: Tide 1")],
    }
    assert choices("ports") == offered

    hide(cast.dataset, hidden=True)

    assert list(near_miss_cells(0)) == []
    assert choices("ports") == {"agents": [], "repositories": [], "tasks": []}
