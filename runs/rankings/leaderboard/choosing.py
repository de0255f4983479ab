"""Which agent to choose within the limits of a reader: the best one, and all that cannot be told apart from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runs.analysis.outcomes.standings import Standings
from runs.rankings.leaderboard.column import BoardRow

SECONDS = 60  # in a minute
MAX_NAMED = 4  # agents that cannot be told apart


@dataclass(frozen=True, slots=True)
class Limits:
    """What an attempt may take: US dollars and minutes; None for no limit. `issues`: how many there are in a month."""

    budget: float | None = None
    minutes: float | None = None
    issues: int | None = None

    @property
    def are_set(self) -> bool:
        """Whether an agent can miss one of them."""
        return self.budget is not None or self.minutes is not None


@dataclass(frozen=True, slots=True)
class AgentChoice:
    """The answer: `best` and `tied`, those within the limits that no agent within them is significantly better than.

    So no two of them differ significantly. `beats_all`: whether `best` is significantly better than each other one.

    `within`: how many competitors are within the limits. `over`: how many are not. `cost_unknown` and `time_unknown`:
    those that are left out because nobody knows whether they are. `cheapest`: of several at the top, the one whose
    attempt costs least; None for one agent, and where the cost of one of them is unknown.
    """

    best: BoardRow | None
    tied: tuple[BoardRow, ...]
    within: int
    over: int
    cost_unknown: tuple[BoardRow, ...]
    time_unknown: tuple[BoardRow, ...]
    cheapest: BoardRow | None
    beats_all: bool = True

    @property
    def named(self) -> tuple[BoardRow, ...]:
        """The first ones at the top, which are named; the cheapest of all among them."""
        first = self.top[:MAX_NAMED]
        if self.cheapest is None or self.cheapest in first:
            return first
        return (*first[:-1], self.cheapest)

    @property
    def more(self) -> int:
        """How many at the top are not named."""
        return len(self.top) - len(self.named)

    @property
    def others(self) -> int:
        """How many competitors within the limits are behind the top."""
        return self.within - len(self.top)

    @property
    def top(self) -> tuple[BoardRow, ...]:
        """The best and those tied with it."""
        return (self.best, *self.tied) if self.best else ()


def choose(rows: Sequence[BoardRow], standings: Standings, limits: Limits) -> AgentChoice:
    """The choice among rows with a rank. No test is made here: who is significantly better is what ranks say."""
    ranks = {row.agent: rank for rank, row in enumerate(standings.rows)}
    rows = sorted(rows, key=lambda row: ranks[row.standing.agent])
    cost_unknown = tuple(row for row in rows if limits.budget is not None and _cost(row) is None)
    rest = [row for row in rows if row not in cost_unknown]
    time_unknown = tuple(row for row in rest if limits.minutes is not None and _seconds(row) is None)
    known = [row for row in rest if row not in time_unknown]
    within = [row for row in known if _fits(row, limits)]
    present = {row.standing.agent for row in within}
    beaten = {worse for better, worse in standings.better if better in present}
    # Agents that share few tasks may beat each other in a circle: then the first one is the answer.
    top = [row for row in within if row.standing.agent not in beaten] or within[:1]
    best = top[0] if top else None
    tied = tuple(top[1:])
    beats = {worse for better, worse in standings.better if best and better == best.standing.agent}
    return AgentChoice(
        best=best,
        tied=tied,
        within=len(within),
        over=len(known) - len(within),
        cost_unknown=cost_unknown,
        time_unknown=time_unknown,
        cheapest=_cheapest((best, *tied) if best and tied else ()),
        beats_all=best is not None and present - {best.standing.agent} <= beats,
    )


def monthly_cost(row: BoardRow, issues: int) -> float | None:
    """US dollars for one attempt at each of so many issues; None where the cost of an attempt is unknown."""
    cost = _cost(row)
    return None if cost is None else cost * issues


def _fits(row: BoardRow, limits: Limits) -> bool:
    cost, seconds = _cost(row), _seconds(row)
    dear = limits.budget is not None and (cost is None or cost > limits.budget)
    slow = limits.minutes is not None and (seconds is None or seconds > limits.minutes * SECONDS)
    return not dear and not slow


def _cheapest(rows: Sequence[BoardRow]) -> BoardRow | None:
    costs = [(cost, place) for place, row in enumerate(rows) if (cost := _cost(row)) is not None]
    return rows[min(costs)[1]] if costs and len(costs) == len(rows) else None


def _cost(row: BoardRow) -> float | None:
    """US dollars of an attempt. An agent without a model has no price, which is not the price 0."""
    return row.standing.cost_per_attempt.value if row.agent.model else None


def _seconds(row: BoardRow) -> float | None:
    return row.standing.seconds_per_attempt.value
