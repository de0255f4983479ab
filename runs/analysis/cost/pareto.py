"""Which agents and plans nobody beats on success and on expense at once."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from runs.analysis.estimate import Estimate
from runs.analysis.method import Method
from runs.analysis.portfolios.cascades import Plan
from runs.analysis.statistics.digits import leading


@dataclass(frozen=True, slots=True)
class ParetoPoint:
    """One agent or plan: what it reaches (more is better) and what that takes (less is better; None: not known)."""

    name: str
    rate: float
    expense: float | None


@dataclass(frozen=True, slots=True)
class Dominated:
    """A point that others beat, and those of them that are on the front, by name: there is one at least."""

    name: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Front:
    """`members` are dominated by nobody: the cheapest first. `unknown`: left out, their expense is not known."""

    members: tuple[ParetoPoint, ...]
    dominated: tuple[Dominated, ...]
    unknown: tuple[str, ...]

    @property
    def n(self) -> int:
        """How many points were compared."""
        return len(self.members) + len(self.dominated)


def pareto(points: Sequence[ParetoPoint]) -> Front:
    """The points that are worth choosing, whatever a success is worth; and for each other one who beats it.

    Formula: a dominates b if a's rate is at least b's and its expense at most b's, and one of the two strictly.
    Equal points dominate neither each other, so twins are on the front together. Numbers that agree in twelve
    digits are equal; that two rates may not be told apart by the data is not looked at. Of those who beat a point,
    the ones on the front are named: whoever else beats it is beaten by one of them, too.

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
    known = sorted(
        (
            _Place(leading(point.expense), -leading(point.rate), point.name, point)
            for point in points
            if point.expense is not None
        ),
        key=lambda place: place[:3],
    )
    front, beaten = _parted(known)
    return Front(
        members=tuple(place.point for place in front),
        dominated=_beaten_by(front, beaten),
        unknown=tuple(sorted(point.name for point in points if point.expense is None)),
    )


class _Place(NamedTuple):
    """A point with what it is compared by, less being better in both."""

    expense: float
    minus_rate: float
    name: str
    point: ParetoPoint


def _parted(known: Sequence[_Place]) -> tuple[list[_Place], list[_Place]]:
    """The front and the rest, in the order given: the cheapest first, of equally cheap ones the best first."""
    front: list[_Place] = []
    beaten: list[_Place] = []
    for place in known:
        # Nobody on the front so far is dearer, and the last of them has the highest rate.
        worth = not front or place.minus_rate < front[-1].minus_rate or place[:2] == front[-1][:2]
        (front if worth else beaten).append(place)
    return front, beaten


def _beaten_by(front: Sequence[_Place], beaten: Sequence[_Place]) -> tuple[Dominated, ...]:
    """Along the front expense and rate rise together, so those who beat a point stand side by side."""
    expenses = [place.expense for place in front]
    falling = [place.minus_rate for place in reversed(front)]
    return tuple(
        Dominated(
            place.name,
            tuple(
                sorted(
                    other.name
                    for other in front[
                        len(front) - bisect_right(falling, place.minus_rate) : bisect_right(
                            expenses, place.expense
                        )
                    ]
                )
            ),
        )
        for place in sorted(beaten, key=lambda place: place.name)
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


def _point(plan: Plan, expense: Estimate) -> ParetoPoint:
    assert plan.rate.value is not None, "plans are made where there are tasks"
    return ParetoPoint(plan.name, plan.rate.value, expense.value)


METHODS = (
    Method("pareto", "Pareto front", pareto),
    Method("pareto-fronts", "Success against tokens, dollars and time", fronts),
)
