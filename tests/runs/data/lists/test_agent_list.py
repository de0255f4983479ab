"""The list of agents: scores on each board, filters and orders."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from pytest_django import DjangoAssertNumQueries

from runs.data.cells.boards import all_boards
from runs.data.lists.agent_list import AgentListQuery, agent_choices, agent_lines
from runs.intake.reported.storing import store
from runs.models import Agent
from tests.runs.cast import Cast
from tests.runs.intake.reported.made_results import reported, result

pytestmark = pytest.mark.django_db
READER = AnonymousUser()


def listed(**query: str) -> list[str]:
    """The agents of a list, in its order."""
    return [line.slug for line in AgentListQuery.from_query(query).of(agent_lines(READER, all_boards()))]


@pytest.fixture
def agents(cast: Cast) -> Cast:
    """Alice solves one of two tasks, Bob none, the oracle both."""
    one, two = cast.add_tasks(2)
    alice, bob, oracle = cast.alice(), cast.bob(), cast.oracle()
    Agent.objects.filter(pk=bob.pk).update(harness="Dockyard")
    for task, passed in ((one, 5), (two, 4)):
        cast.add_cell(alice, task, [passed])
        cast.add_cell(bob, task, [1])
        cast.add_cell(oracle, task, [5])
    cast.settle()
    return cast


def test_an_agent_has_its_score_with_n_and_its_cost_on_each_board(agents: Cast) -> None:
    lines = {line.slug: line for line in agent_lines(READER, all_boards())}
    alice = lines["alice"]

    assert alice.first is not None
    assert (alice.first.board, alice.first.board_title) == ("ports", "Ports")
    assert (alice.first.rate.value, alice.first.tasks, alice.first.attempts) == (0.5, 2, 2)
    assert (alice.first.cost, lines["bob"].scores[0].cost) == (0.25, None)
    assert (alice.harness, alice.model, alice.weights) == ("BenchBench", "analytical", "closed")
    assert (lines["oracle"].model, lines["oracle"].weights, lines["oracle"].competes) == ("", "", False)


def test_the_best_comes_first_and_calibration_last(agents: Cast) -> None:
    agents.add_agent("Zoe")

    assert listed() == listed(sort="-score") == ["alice", "bob", "zoe", "oracle"]
    assert listed(sort="score") == ["bob", "alice", "zoe", "oracle"]
    assert listed(sort="cost")[0] == "alice"
    assert listed(sort="-agent") == ["zoe", "oracle", "bob", "alice"]


def test_filters_select_agents(agents: Cast) -> None:
    agents.add_agent("Zoe")

    assert listed(harness="Dockyard") == listed(harness="dockyard") == listed(q="bab dock") == ["bob"]
    assert listed(model="analytical") == ["alice"]
    assert listed(kind="oracle") == ["oracle"]
    assert listed(weights="open") == listed(dataset="nowhere") == []
    assert set(listed(dataset="ports")) == {"alice", "bob", "oracle"}  # Zoe has no result there


def test_agents_of_a_second_board_come_after_the_first_and_scores_are_not_mixed(agents: Cast) -> None:
    store(reported([result("Ben", "task-1")]))

    lines = AgentListQuery().of(agent_lines(READER, all_boards()))

    boards = [line.first.board for line in lines if line.first and line.competes]
    assert boards == sorted(boards, key=boards.index)  # each board is together
    (ben,) = [line for line in lines if line.reported_by]
    assert (ben.reported_by, ben.model, ben.first and ben.first.board) == ("The Lab", "", "lab-bench")


def test_choices_are_what_some_agent_has(agents: Cast) -> None:
    choices = agent_choices(agent_lines(READER, all_boards()), all_boards())

    assert choices["harnesses"] == [("BenchBench", "BenchBench"), ("Dockyard", "Dockyard")]
    assert choices["models"] == [("analytical", "Analytical"), ("babbage", "Babbage")]
    assert choices["datasets"] == [("ports", "Ports")]


def test_agents_of_hidden_tasks_are_not_listed(agents: Cast) -> None:
    stranger = agents.add_agent("Stranger")
    agents.add_run(stranger, agents.add_hidden_task())
    agents.settle()

    assert "stranger" not in listed()


def test_a_list_takes_the_same_number_of_queries_however_long_it_is(
    agents: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    boards = all_boards()
    for turn in "ab":
        with django_assert_num_queries(3):
            agent_lines(READER, boards)
        for number in range(10):
            agents.add_agent(f"Zoe-{turn}-{number}")
