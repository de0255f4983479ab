"""Columns that count attempts."""

from __future__ import annotations

from dataclasses import replace

from runs.rankings.leaderboard.column import CellText
from runs.rankings.leaderboard.count_columns import EXCLUDED, FLAGGED, NO_FLAGS, N
from tests.runs.rankings.leaderboard.made_standings import board_row, cell


def test_attempts_that_the_infrastructure_lost_are_excluded_and_lead_to_their_runs() -> None:
    row = board_row([cell(1, 0, attempts=3, resolved=1, infrastructure_failed=2)])
    runs = "agent=ada&outcome=infrastructure_failed"

    assert N.cell(row) == CellText("1 × 3", "2 not counted", "1 of 3 attempts resolved", runs=runs)
    assert EXCLUDED.cell(row) == CellText(
        "2", "20.0\N{NO-BREAK SPACE}% with them", "Solved per attempt if they counted as failures", runs=runs
    )


def test_without_such_attempts_nothing_is_said_of_them() -> None:
    row = board_row([cell(1, 0, attempts=3, resolved=1), cell(1, 1, attempts=1)])

    assert N.cell(row) == CellText("2 × 1–3", title="1 of 4 attempts resolved")
    assert EXCLUDED.cell(row) == CellText("0", muted=True)


def test_flagged_attempts_are_unknown_without_trajectories() -> None:
    row = board_row([cell(1, 0, attempts=4, resolved=1)])

    assert FLAGGED.cell(row).title == NO_FLAGS
    assert FLAGGED.cell(replace(row, flagged=0)) == CellText("0", muted=True)
    assert FLAGGED.cell(replace(row, flagged=1)) == CellText(
        "1", "25.0\N{NO-BREAK SPACE}%", "of 4 attempts", runs="agent=ada&exploit=flagged"
    )
