"""Standings from a few words, without a database."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from runs.analysis.outcomes.standings import CellFacts, Standings, standings
from runs.data.queries.competitors import Competitor, ModelName
from runs.rankings.leaderboard.column import BoardRow


def cell(agent: int, task: int, *, attempts: int = 1, resolved: int = 0, **more: Any) -> CellFacts:
    """One cell, whose attempts take 100 tokens, 0.5 dollars and 10 seconds each, and pass what they resolve."""
    values: dict[str, Any] = {
        "repository": "harbour",
        "infrastructure_failed": 0,
        "test_rate_sum": float(resolved),
        "test_rate_squares": float(resolved),
        "tokens": 100 * attempts,
        "cost_usd": 0.5 * attempts,
        "seconds": 10.0 * attempts,
        "tested": attempts,
        "timed": attempts,
    }
    return CellFacts(agent=agent, task=task, attempts=attempts, resolved=resolved, **{**values, **more})


def made_standings(resolved: Mapping[int, Sequence[int]], unplaced: Collection[int] = ()) -> Standings:
    """Agents with one attempt at each task: 1 where it resolved the task."""
    cells = (
        cell(agent, task, resolved=won) for agent, tasks in resolved.items() for task, won in enumerate(tasks)
    )
    return standings(cells, unplaced)


def rows_of(found: Standings, agents: Mapping[int, Competitor]) -> list[BoardRow]:
    """The rows of a leaderboard."""
    return [BoardRow(agents[row.agent], row, found.k) for row in found.rows]


def board_row(cells: Sequence[CellFacts], *, has_model: bool = True) -> BoardRow:
    """The row of Ada, who is agent 1."""
    model = ModelName("Countess", "Ada Works", open_weights=False) if has_model else None
    (row,) = rows_of(standings(cells, ()), {1: Competitor("ada", "Ada", "ide", model)})
    return row
