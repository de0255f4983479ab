"""The answer of a board in one sentence of plain text, for cards, badges, descriptions and programs."""

from __future__ import annotations

from runs.models.agent import plain_name
from runs.presentation.formatting.numbers import percent
from runs.presentation.formatting.text import one_line
from runs.rankings.leaderboard.board import Board

MAX_NAME_LENGTH = 60


def board_answer(board: Board) -> str:
    """Who leads, and whether that is more than chance; '' for a board without competitors that have a rank."""
    head = board.headline
    if head is None:
        return ""
    leader, rate = shown_name(head.leader.name), percent(head.rate)
    if len(head.top) > 1:
        others = len(head.top) - 1
        tied = "another one ties" if others == 1 else f"{others} others tie"
        return f"Rank undecided: {leader} solves most, {rate} per attempt, but {tied} with it"
    if head.next is None:
        return f"{leader} is the only competitor: it solves {rate} per attempt"
    ahead = f"{head.points:.1f} points more than {shown_name(head.next.name)}"
    return f"{leader} leads: it solves {rate} per attempt, {ahead}"


def board_size(board: Board) -> str:
    """How many agents and tasks it has."""
    agents, tasks = len(board.shown), board.most_tasks
    return f"{agents:,} agent{'' if agents == 1 else 's'} on {tasks:,} task{'' if tasks == 1 else 's'}"


def shown_name(name: str) -> str:
    """The name of an agent on one line, without the mark of reported ones."""
    return one_line(plain_name(name), MAX_NAME_LENGTH)
