"""Pareto fronts of agents and plans by success and expense."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method
from runs.analysis.portfolios.cascades import Plan
from runs.analysis.statistics.digits import leading


@dataclass(frozen=True, slots=True)
class ParetoPoint:
    """One agent or plan: its success rate (more is better) and its expense (less is better; None: unknown)."""

    name: str
    rate: float
    expense: float | None


@dataclass(frozen=True, slots=True)
class Dominated:
    """A dominated point, and the points of the front that dominate it, sorted by name; at least one."""

    name: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Front:
    """`members` are not dominated, cheapest first. `unknown`: points excluded because their expense is unknown."""

    members: tuple[ParetoPoint, ...]
    dominated: tuple[Dominated, ...]
    unknown: tuple[str, ...]

    @property
    def n(self) -> int:
        """The number of compared points."""
        return len(self.members) + len(self.dominated)


@method(
    "pareto",
    "Pareto front",
    Section.COST_AND_EFFORT,
    7,
    short=(
        "Pareto front: the agents for which no other one is at least as good and cheaper, or better "
        "and no dearer."
    ),
    example="60 % for $0.20 dominates 55 % for $0.30.",
)
def pareto(points: Sequence[ParetoPoint]) -> Front:
    """The points that no other point dominates; and for each other point those that dominate it.

    Formula: a dominates b if a's rate is at least b's and its expense at most b's, and one of the two strictly.
    Equal points do not dominate each other, so both are on the front. Numbers that agree in twelve digits are equal;
    whether two rates differ significantly is not considered. Of the points that dominate another, those on the front
    are listed.

    Source: IDE-Bench, figures 21 to 23, which plots these pairs without computing a front; dominance as in textbooks
    (Pareto 1906).

    Units: those of the points.

    Small n: without a known expense the front is empty; one point is the front. ValueError for NaN or infinite
    numbers, and for a repeated name.
    """
    names = [point.name for point in points]
    if len(set(names)) < len(names):
        raise ValueError("a name is repeated: expected one point for each")
    for point in points:
        if not math.isfinite(point.rate) or not math.isfinite(point.expense or 0.0):
            raise ValueError(f"{point}: expected finite numbers, or None for an unknown expense")
    known = sorted(
        (
            _Place(leading(point.expense), -leading(point.rate), point.name, point)
            for point in points
            if point.expense is not None
        ),
        key=lambda place: place[:3],
    )
    front, beaten = _split(known)
    return Front(
        members=tuple(place.point for place in front),
        dominated=_beaten_by(front, beaten),
        unknown=tuple(sorted(point.name for point in points if point.expense is None)),
    )


class _Place(NamedTuple):
    """A point with its sort keys; less is better for both."""

    expense: float
    minus_rate: float
    name: str
    point: ParetoPoint


def _split(known: Sequence[_Place]) -> tuple[list[_Place], list[_Place]]:
    """The front and the rest. `known` is sorted by expense, then by rate, best first."""
    front: list[_Place] = []
    beaten: list[_Place] = []
    for place in known:
        # No point on the front so far is more expensive, and the last one has the highest rate.
        on_front = not front or place.minus_rate < front[-1].minus_rate or place[:2] == front[-1][:2]
        (front if on_front else beaten).append(place)
    return front, beaten


def _beaten_by(front: Sequence[_Place], beaten: Sequence[_Place]) -> tuple[Dominated, ...]:
    """Expense and rate increase along the front, so the points that dominate another are consecutive."""
    expenses = [place.expense for place in front]
    falling = [place.minus_rate for place in reversed(front)]
    rows = []
    for place in sorted(beaten, key=lambda place: place.name):
        first = len(front) - bisect_right(falling, place.minus_rate)
        better = front[first : bisect_right(expenses, place.expense)]
        rows.append(Dominated(place.name, tuple(sorted(other.name for other in better))))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class Fronts:
    """The fronts of success against the mean expense per task, for three resources."""

    tokens: Front
    cost_usd: Front
    seconds: Front


@method("pareto-fronts", "Success against tokens, dollars and time", Section.COST_AND_EFFORT, 8)
def fronts(plans: Sequence[Plan]) -> Fronts:
    """The Pareto fronts of the success rate against tokens, dollars and seconds.

    Use `Cascades.singles` to compare agents, `Cascades.plans` to include pairs ("A, then B"): all are measured on the
    same tasks. A plan of unknown expense is excluded from that front, and listed. ValueError for a repeated plan.

    Formula: rate and expense are means over tasks for one try of the plan at each; see the front and the cascades.

    Source: IDE-Bench, figures 21 (tokens), 22 (duration) and 23 (cost). The paper's rate is pass@5; the expense of one
    attempt corresponds to pass@1, which is used here.

    Units: rate from 0 to 1; tokens, US dollars and seconds per task.

    Small n: no plan gives empty fronts; a single plan is the front wherever its expense is known.
    """
    return Fronts(
        tokens=pareto([_point(plan, plan.tokens) for plan in plans]),
        cost_usd=pareto([_point(plan, plan.cost_usd) for plan in plans]),
        seconds=pareto([_point(plan, plan.seconds) for plan in plans]),
    )


def _point(plan: Plan, expense: Estimate) -> ParetoPoint:
    assert plan.rate.value is not None, "plans are made where there are tasks"
    return ParetoPoint(plan.name, plan.rate.value, expense.value)
