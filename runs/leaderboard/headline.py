"""The sentence above the table: which agent leads, and whether its lead is more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runs.analysis.outcomes.standings import Standings
from runs.leaderboard.column import BoardRow
from runs.queries.competitors import Competitor


@dataclass(frozen=True, slots=True)
class Headline:
    """The competitor with the highest pass@1. `level`: how many others are not significantly worse.

    Calibration agents know the reference patch, so they are left out. `next` has the second highest pass@1, None where
    the leader is alone; `ahead`: whether the leader is significantly better than it.
    """

    leader: Competitor
    rate: float
    level: int
    next: Competitor | None
    next_rate: float
    ahead: bool

    @property
    def points(self) -> float:
        """The lead in percentage points of pass@1, each agent over its own tasks."""
        return (self.rate - self.next_rate) * 100


def headline(rows: Sequence[BoardRow], standings: Standings) -> Headline | None:
    """From the rows in any order; None without a competitor."""
    ranks = {row.agent: rank for rank, row in enumerate(standings.rows)}
    ours = sorted(
        (row for row in rows if not row.agent.is_calibration), key=lambda row: ranks[row.standing.agent]
    )
    if not ours:
        return None
    first, *others = ours
    worse = {other for better, other in standings.better if better == first.standing.agent}
    second = others[0] if others else None
    return Headline(
        leader=first.agent,
        rate=first.standing.pass_1.value,
        level=sum(row.standing.agent not in worse for row in others),
        next=second.agent if second else None,
        next_rate=second.standing.pass_1.value if second else 0.0,
        ahead=second is not None and second.standing.agent in worse,
    )
