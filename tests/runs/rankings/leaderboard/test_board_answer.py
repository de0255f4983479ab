"""The answer of a board in one sentence."""

from __future__ import annotations

import pytest

from runs.rankings.leaderboard.board import Board, board
from runs.rankings.leaderboard.board_answer import board_answer, board_size
from runs.rankings.leaderboard.board_source import BoardSource
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def shown(cast: Cast) -> Board:
    cast.settle()
    return board({}, BoardSource())


def test_a_leader_that_is_ahead_of_all_others_is_named_with_its_lead() -> None:
    cast = Cast()
    alice, bob = cast.alice(), cast.bob()
    for task in cast.add_tasks(20):
        cast.add_cell(alice, task, [5])
        cast.add_cell(bob, task, [0])

    found = shown(cast)

    assert (
        board_answer(found).replace("\u00a0", " ")
        == "Alice leads: it solves 100.0 % per attempt, 100.0 points more than Bob"
    )
    assert board_size(found) == "2 agents on 20 tasks"


def test_agents_that_tie_are_counted() -> None:
    cast = Cast()
    agents = [cast.alice(), cast.bob(), cast.add_agent("Carol")]
    for task in cast.add_tasks(3):
        for agent in agents:
            cast.add_cell(agent, task, [5])

    assert board_answer(shown(cast)).endswith(" per attempt, but 2 others tie with it")


def test_one_competitor_and_none() -> None:
    cast = Cast()
    assert board_answer(shown(cast)) == ""
    (task,) = cast.add_tasks(1)
    cast.add_cell(cast.alice(), task, [5])
    assert (
        board_answer(shown(cast)).replace("\u00a0", " ")
        == "Alice is the only competitor: it solves 100.0 % per attempt"
    )
