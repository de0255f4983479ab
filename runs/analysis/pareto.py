"""Which agents nobody beats on success and on expense at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from runs.analysis.amounts import Amounts
from runs.analysis.cost import Effort
from runs.analysis.method import Method


@dataclass(frozen=True, slots=True)
class Point:
    """One agent: what it reaches (more is better) and what that takes (less is better; None: not known)."""

    name: str
    rate: float
    expense: float | None


@dataclass(frozen=True, slots=True)
class Dominated:
    """An agent that others beat, and all of those, by name."""

    name: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Front:
    """`members` are dominated by nobody: the cheapest first. `unknown`: left out, their expense is not known."""

    members: tuple[Point, ...]
    dominated: tuple[Dominated, ...]
    unknown: tuple[str, ...]

    @property
    def n(self) -> int:
        """How many points were compared."""
        return len(self.members) + len(self.dominated)


def pareto(points: Sequence[Point]) -> Front:
    """The points that are worth choosing, whatever a success is worth; and for each other one who beats it.

    Formula: a dominates b if a's rate is at least b's and its expense at most b's, and one of the two strictly.
    Equal points dominate neither each other, so twins are on the front together. Points are compared as they are:
    that two rates may not be told apart by the data is not looked at.

    Source: IDE-Bench, figures 21 to 23 plot these pairs and name leaders by eye; dominance is the textbook's
    (Pareto 1906).

    Units: those of the points; rates and expenses are never added.

    Small n: no point with a known expense gives an empty front; one is the front. ValueError for NaN or infinite
    numbers, and for a name that comes twice.
    """
    names = [point.name for point in points]
    if len(set(names)) < len(names):
        raise ValueError("a name comes twice: expected one point for each agent")
    for point in points:
        if not math.isfinite(point.rate) or not math.isfinite(point.expense or 0.0):
            raise ValueError(f"{point}: expected finite numbers, or None for an expense that is not known")
    known = [(point, point.rate, point.expense) for point in points if point.expense is not None]
    beaten = {
        point.name: tuple(
            sorted(
                other.name
                for other, its_rate, its_expense in known
                if its_rate >= rate and its_expense <= expense and (its_rate > rate or its_expense < expense)
            )
        )
        for point, rate, expense in known
    }
    members = [(expense, point.name, point) for point, _, expense in known if not beaten[point.name]]
    return Front(
        members=tuple(point for _, _, point in sorted(members, key=lambda member: member[:2])),
        dominated=tuple(Dominated(name, by) for name, by in sorted(beaten.items()) if by),
        unknown=tuple(sorted(point.name for point in points if point.expense is None)),
    )


@dataclass(frozen=True, slots=True)
class Fronts:
    """Resolved share of attempts against what an attempt takes on average, in three currencies."""

    tokens: Front
    cost_usd: Front
    seconds: Front


def fronts(agents: Sequence[Effort]) -> Fronts:
    """The Pareto fronts of the success rate against tokens, dollars and seconds.

    Formula: rate = mean over tasks of resolved ÷ graded attempts (pass@1); expense = mean by attempt. An agent with
    an attempt of unknown expense is left out of that front, and named.

    Source: IDE-Bench, figures 21 (tokens), 22 (duration) and 23 (cost). The paper's rate is pass@5; an attempt's
    expense buys one attempt, so pass@1 is the rate that belongs to it.

    Units: rate from 0 to 1; tokens, US dollars, seconds by attempt.

    Small n: no agent gives empty fronts; one agent is every front that its expense is known for.
    """
    return Fronts(
        tokens=pareto([_point(effort, effort.tokens) for effort in agents]),
        cost_usd=pareto([_point(effort, effort.cost_usd) for effort in agents]),
        seconds=pareto([_point(effort, effort.seconds) for effort in agents]),
    )


def _point(effort: Effort, amounts: Amounts) -> Point:
    rate = effort.pass_1.value
    assert rate is not None, "an agent is listed for its graded attempts"
    return Point(effort.agent, rate, None if amounts.total.unknown else amounts.per_run.mean.value)


METHODS = (
    Method("pareto", "Pareto front", pareto),
    Method("pareto-fronts", "Success against tokens, dollars and time", fronts),
)
