"""Columns of resolved attempts."""

from __future__ import annotations

from runs.analysis.outcomes.standings import standings
from runs.data.queries.competitors import Competitor
from runs.rankings.leaderboard.column import CellText
from runs.rankings.leaderboard.rate_columns import CORRECTED, PASS_1, PASS_K
from tests.runs.rankings.leaderboard.made_standings import board_row, cell, rows_of


def test_a_rate_says_what_its_interval_is_about() -> None:
    shown = PASS_1.cell(board_row([cell(1, 0, attempts=2, resolved=1), cell(1, 1, attempts=2, resolved=2)]))

    assert shown.text == "75.0\N{NO-BREAK SPACE}%"
    assert shown.title == (
        "95 % interval on tasks of these repositories; pass@1 on other repositories: none, 1 repository is too few to "
        "say anything about others: 6 are needed"
    )


def test_a_chance_of_several_attempts_needs_them_at_every_task() -> None:
    agents = {number: Competitor(name, name, "ide") for number, name in enumerate(("ada", "ben"), 1)}
    cells = [cell(1, 0, attempts=2, resolved=1), cell(1, 1), cell(2, 0, attempts=2), cell(2, 1, attempts=2)]
    rows = {row.agent.slug: PASS_K.cell(row) for row in rows_of(standings(cells, ()), agents)}

    assert rows["ben"].text == "0.0\N{NO-BREAK SPACE}%"
    assert rows["ada"] == CellText("n too small", "1 of 2 attempts at a task", muted=True)


def test_without_judged_verdicts_there_is_no_corrected_score() -> None:
    assert CORRECTED.cell(board_row([cell(1, 0)])).title == "its verdicts were not judged"
