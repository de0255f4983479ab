"""Which agents and plans nobody beats on success and on expense at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from runs.analysis.figure import Figure
from runs.analysis.method import Method
from runs.analysis.portfolios.cascades import Plan
from runs.analysis.statistics.digits import leading


@dataclass(frozen=True, slots=True)
class Point:
    """One agent or plan: what it reaches (more is better) and what that takes (less is better; None: not known)."""

    name: str
    rate: float
    expense: float | None


@dataclass(frozen=True, slots=True)
class Dominated:
    """A point that others beat, and all of those, by name."""

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
    Equal points dominate neither each other, so twins are on the front together. Numbers that agree in twelve
    digits are equal; that two rates may not be told apart by the data is not looked at.

    Source: IDE-Bench, figures 21 to 23 plot these pairs and name leaders by eye; dominance is the textbook's
    (Pareto 1906).

    Units: those of the points; rates and expenses are never added.

    Small n: no point with a known expense gives an empty front; one is the front. ValueError for NaN or infinite
    numbers, and for a name that comes twice.
    """
    names = [point.name for point in points]
    if len(set(names)) < len(names):
        raise ValueError("a name comes twice: expected one point for each")
    for point in points:
        if not math.isfinite(point.rate) or not math.isfinite(point.expense or 0.0):
            raise ValueError(f"{point}: expected finite numbers, or None for an expense that is not known")
    known = [
        (point, leading(point.rate), leading(point.expense)) for point in points if point.expense is not None
    ]
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
    """Success against what a task takes on average, in three currencies."""

    tokens: Front
    cost_usd: Front
    seconds: Front


def fronts(plans: Sequence[Plan]) -> Fronts:
    """The Pareto fronts of the success rate against tokens, dollars and seconds.

    Give `Cascades.singles` to compare agents, `Cascades.plans` to have pairs ("A, then B") among them: all are
    measured on the same tasks. A plan of unknown expense is left out of that front, and named. ValueError for a
    plan that comes twice.

    Formula: rate and expense are means over tasks for one try of the plan at each; see the front and the cascades.

    Source: IDE-Bench, figures 21 (tokens), 22 (duration) and 23 (cost). The paper's rate is pass@5; what one
    attempt takes buys one attempt, so pass@1 is the rate that belongs to it.

    Units: rate from 0 to 1; tokens, US dollars and seconds by task.

    Small n: no plan gives empty fronts; one is every front that its expense is known for.
    """
    return Fronts(
        tokens=pareto([_point(plan, plan.tokens) for plan in plans]),
        cost_usd=pareto([_point(plan, plan.cost_usd) for plan in plans]),
        seconds=pareto([_point(plan, plan.seconds) for plan in plans]),
    )


def _point(plan: Plan, expense: Figure) -> Point:
    assert plan.rate.value is not None, "plans are made where there are tasks"
    return Point(plan.name, plan.rate.value, expense.value)


METHODS = (
    Method("pareto", "Pareto front", pareto),
    Method("pareto-fronts", "Success against tokens, dollars and time", fronts),
)
