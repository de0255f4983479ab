"""How the score of an agent changed, for its page."""

from __future__ import annotations

from django import template

from runs.analysis.outcomes.standings import Standing
from runs.data.cells.boards import BoardEntry
from runs.models import Agent
from runs.rankings.history.score_history import history_chart, score_history

register = template.Library()


@register.inclusion_tag("runs/changes/_history.html")
def score_over_time(agent: Agent, board: BoardEntry | None, standing: Standing | None) -> dict[str, object]:
    """The chart and the table of an agent's score on a board, where it has changed, and links to follow the agent."""
    points = score_history(agent, board, standing) if board and standing else ()
    return {
        "agent": agent,
        "dataset": board.dataset if board and standing else "",
        "points": points,
        "chart": history_chart(points) if points else None,
    }
