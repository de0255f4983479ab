"""A row of the leaderboard as data."""

from __future__ import annotations

import pytest

from runs.analysis_docs import titles
from runs.cells.open_cells import all_standings
from runs.leaderboard.column import NO_MODEL, BoardRow
from runs.leaderboard.columns import FIGURES, NO_PRICE
from runs.queries.competitors import competitors
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def test_every_figure_has_a_method() -> None:
    assert {column.method for column in FIGURES} <= titles().keys()


def test_a_figure_without_a_value_says_why() -> None:
    cast = Cast()
    first, second = cast.add_tasks(2)
    alice, bob, oracle = cast.alice(), cast.bob(), cast.oracle()
    cast.add_cell(alice, first, [5, 0])
    cast.add_cell(alice, second, [0, 0])
    cast.add_cell(bob, first, [3])
    cast.add_cell(oracle, first, [5])
    cast.settle()
    found = all_standings()
    agents = competitors(row.agent for row in found.rows)
    rows = {
        agents[row.agent].slug: {
            figure.name: figure.estimate(BoardRow(agents[row.agent], row, found.k)) for figure in FIGURES
        }
        for row in found.rows
    }

    assert rows["alice"]["pass_at_1"].value == 0.25
    assert rows["alice"]["pass_at_1"].interval is not None
    assert (rows["alice"]["tokens_per_success"].value, rows["alice"]["tokens_per_success"].n) == (4000, 4)
    assert rows["bob"]["tokens_per_success"].reason == "no attempt resolved a task"
    assert rows["bob"]["cost_usd_per_attempt"].reason == NO_PRICE
    assert rows["bob"]["pass_at_k"].reason == "not every task has k attempts"
    assert rows["oracle"]["cost_usd_per_attempt"].reason == NO_MODEL
