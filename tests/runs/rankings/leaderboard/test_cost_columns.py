"""Columns of tokens, dollars and time."""

from __future__ import annotations

from runs.presentation.formatting.numbers import DASH
from runs.rankings.leaderboard.column import NO_MODEL, CellText
from runs.rankings.leaderboard.cost_columns import (
    COST_PER_ATTEMPT,
    COST_PER_SUCCESS,
    TIME,
    TOKENS_PER_SUCCESS,
)
from tests.runs.rankings.leaderboard.made_standings import board_row, cell


def test_failures_are_part_of_what_a_success_takes() -> None:
    row = board_row([cell(1, 0, attempts=4, resolved=2)])

    assert TOKENS_PER_SUCCESS.cell(row) == CellText("200")
    assert COST_PER_SUCCESS.cell(row) == CellText("$1.00")
    assert COST_PER_ATTEMPT.cell(row) == CellText("$0.50")
    assert TIME.cell(row) == CellText("10\N{NO-BREAK SPACE}s")


def test_what_no_attempt_says_is_unknown_and_never_0() -> None:
    row = board_row([cell(1, 0, resolved=1, cost_usd=None, timed=0)])

    assert COST_PER_ATTEMPT.cell(row).text == "unknown"
    assert TIME.cell(row).text == DASH


def test_without_a_success_or_a_model_there_is_no_amount_and_the_reason_is_said() -> None:
    assert COST_PER_SUCCESS.cell(board_row([cell(1, 0)])).title == "no attempt resolved a task"
    assert COST_PER_SUCCESS.cell(board_row([cell(1, 0, resolved=1)], has_model=False)).title == NO_MODEL
