"""Success against what it takes, with the front of those whom nobody beats in both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runs.reports.canvas import ACCENT, INK, MOST_AGENTS, drawn, logarithmic, name, rate_axis
from runs.reports.found import Estimate, Front, Plan
from runs.reports.gather import Material

OFFSETS = (4, -11, 14, -21, 24, -31)


def front(material: Material) -> str:
    """Success against the first resource that agents differ in: dollars, else tokens, else seconds."""
    found, singles = material.found.fronts, material.found.cascades.singles
    resources: tuple[tuple[str, Front, Callable[[Plan], Estimate]], ...] = (
        ("US dollars for a task", found.cost_usd, lambda plan: plan.cost_usd),
        ("tokens for a task", found.tokens, lambda plan: plan.tokens),
        ("seconds for a task", found.seconds, lambda plan: plan.seconds),
    )
    for label, members, amount in resources:
        points = [
            (plan.name, expense, plan.rate.value)
            for plan in singles
            if (expense := amount(plan).value) is not None and plan.rate.value is not None
        ]
        if len({expense for _, expense, _ in points if expense > 0}) > 1:
            return _front(material, label, members, points[:MOST_AGENTS])
    return ""


def _front(material: Material, label: str, members: Front, points: Sequence[tuple[str, float, float]]) -> str:
    def draw(axes: Any) -> None:
        best = sorted((point.expense, point.rate) for point in members.members if point.expense is not None)
        axes.plot(
            [x for x, _ in best],
            [y for _, y in best],
            drawstyle="steps-post",
            color="#7b8794",
            linestyle="--",
            zorder=1,
        )
        for agent, expense, rate in points:
            hollow = material.head.calibrates(agent)
            axes.plot(
                expense, rate, "o", markersize=7, color=ACCENT, markerfacecolor="white" if hollow else ACCENT
            )
        for agent, expense, rate, offset in _apart(points):
            axes.annotate(
                name(agent),
                (expense, rate),
                xytext=(7, offset),
                textcoords="offset points",
                fontsize=8,
                color=INK,
            )
        if (least := min(expense for _, expense, _ in points)) > 0:
            logarithmic(axes, least, max(expense for _, expense, _ in points))
        axes.set_xlabel(f"{label} (dashed: the front; hollow: calibration agent)")
        axes.margins(x=0.15)
        rate_axis(axes, "y", "share of attempts that resolve, mean of tasks")

    return drawn(7.2, 4.2, draw)


def _apart(points: Sequence[tuple[str, float, float]]) -> list[tuple[str, float, float, int]]:
    """Each point with an offset of its label, in typographic points: the first at which it covers nothing.

    Labels stand to the right of their points, ten points high on axes of about 230.
    """
    taken = [(expense, rate * 230, 7) for _, expense, rate in points]
    placed = []
    for agent, expense, rate in sorted(points, key=lambda point: (-point[2], point[1], point[0])):
        own = (expense, rate * 230, 7)
        near = [
            (height, room)
            for other, height, room in taken
            if _close(expense, other) and (other, height, room) != own
        ]
        free = (
            offset
            for offset in OFFSETS
            if all(abs(rate * 230 + offset - height) >= room for height, room in near)
        )
        offset = next(free, OFFSETS[0])
        taken.append((expense, rate * 230 + offset, 10))
        placed.append((agent, expense, rate, offset))
    return placed


def _close(expense: float, other: float) -> bool:
    """Whether two points stand so close that the label of one may reach the other, on either kind of axis."""
    return min(expense, other) >= 0.6 * max(expense, other)
