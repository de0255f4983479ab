"""The sentence above the table: which agents are at the top, and whether their lead is more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runs.analysis.outcomes.standings import Standings
from runs.data.queries.competitors import Competitor
from runs.rankings.leaderboard.column import BoardRow

MAX_NAMES = 5


@dataclass(frozen=True, slots=True)
class Headline:
    """The competitors that no other one is significantly better than, by pass@1, the leader among them.

    `rate`: the leader's. `next` has the highest pass@1 among the others, None without one; `points` is the leader's
    lead over it in percentage points, each agent over its own tasks.
    """

    top: tuple[Competitor, ...]
    rate: float
    next: Competitor | None
    points: float

    @property
    def leader(self) -> Competitor:
        """The agent with the highest pass@1."""
        return self.top[0]

    @property
    def named(self) -> tuple[Competitor, ...]:
        """Those of the top that the sentence names."""
        return self.top[:MAX_NAMES]

    @property
    def more(self) -> int:
        """How many of the top it does not name."""
        return len(self.top) - len(self.named)


def headline(rows: Sequence[BoardRow], standings: Standings) -> Headline | None:
    """From the rows of competitors, in any order; None without one."""
    ranks = {row.agent: rank for rank, row in enumerate(standings.rows)}
    ours = sorted(rows, key=lambda row: ranks[row.standing.agent])
    if not ours:
        return None
    beaten = {worse for better, worse in standings.better if better == ours[0].standing.agent}
    top = [row for row in ours if row.standing.agent not in beaten]
    behind = next((row for row in ours if row.standing.agent in beaten), None)
    rate = ours[0].standing.pass_1.value
    return Headline(
        top=tuple(row.agent for row in top),
        rate=rate,
        next=behind.agent if behind else None,
        points=(rate - behind.standing.pass_1.value) * 100 if behind else 0.0,
    )
