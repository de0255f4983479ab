"""What a report draws. Colour never carries a meaning alone: a shape, a hatching or a number says the same."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from typing import Any

from runs.reports.canvas import ACCENT, MOST_AGENTS, drawn, matrix, name, rate_axis
from runs.reports.front_plot import front
from runs.reports.gather import Material

MOST_TOLD = 400  # cells with a number in them
MOST_TASKS = 120
MARKS = "osD^vP*Xp<>hd8"
DASHES = ("-", "--", "-.", ":")
COLOURS = ("#0b6bcb", "#b4530a", "#1a7f4b", "#8a3fb0", "#a3273d", "#51606e", "#0b7d8a", "#7a6a00")


def plots(material: Material) -> dict[str, str]:
    """Name → SVG. What there is nothing to draw of is left out."""
    makers: dict[str, Callable[[Material], str]] = {
        "leaderboard": leaderboard,
        "front": front,
        "heatmap": heatmap,
        "cumulative": cumulative,
        "shares": shares,
        "failures": failures,
        "jaccard": jaccard,
    }
    found = {each: make(material) for each, make in makers.items()}
    return {each: svg for each, svg in found.items() if svg}


def leaderboard(material: Material) -> str:
    """pass@1 with intervals, best on top; calibration agents are hollow."""
    rows = [one for one in material.found.outcomes.agents if one.pass_1.value is not None][:MOST_AGENTS]
    if not rows:
        return ""

    def draw(axes: Any) -> None:
        for place, one in enumerate(rows):
            value, interval = one.pass_1.value, one.pass_1.interval
            hollow = material.head.calibrates(one.agent)
            if interval is not None:
                axes.hlines(place, interval.low, interval.high, color=ACCENT, linewidth=2)
                for end in (interval.low, interval.high):
                    axes.vlines(end, place - 0.15, place + 0.15, color=ACCENT, linewidth=1)
            axes.plot(
                value, place, "o", markersize=8, color=ACCENT, markerfacecolor="white" if hollow else ACCENT
            )
        axes.set_yticks(range(len(rows)), [name(one.agent) for one in rows])
        axes.invert_yaxis()
        rate_axis(axes, "x", "pass@1, with its 95 % interval (hollow: calibration agent)")

    return drawn(7.2, 0.9 + 0.32 * len(rows), draw)


def heatmap(material: Material) -> str:
    """Tasks × agents, shades and counts."""
    cells = {(cell.agent, cell.task): cell for cell in material.found.outcomes.cells}
    agents = [one.agent for one in material.found.outcomes.agents][:MOST_AGENTS]
    tasks = sorted({task for _, task in cells})[:MOST_TASKS]
    if not agents or not tasks:
        return ""
    values: list[list[float | None]] = []
    told: list[list[str]] = []
    for task in tasks:
        row = [cells.get((agent, task)) for agent in agents]
        values.append([cell.resolved / cell.attempts if cell and cell.attempts else None for cell in row])
        told.append([f"{cell.resolved}/{cell.attempts}" if cell and cell.attempts else "–" for cell in row])
    few = len(agents) * len(tasks) <= MOST_TOLD
    return drawn(
        2.2 + 0.55 * len(agents),
        1.4 + (0.3 if few else 0.17) * len(tasks),
        lambda axes: matrix(
            axes,
            tasks,
            agents,
            values,
            told if few else [],
            label="attempts that resolved",
            hatched="no attempt was graded",
        ),
    )


def cumulative(material: Material) -> str:
    """Share of runs resolved by iteration, a line with marks of its own for each agent."""
    curves = [curve for curve in material.found.cumulative_success.agents if curve.n][:MOST_AGENTS]
    longest = max((curve.at[-1] for curve in curves if curve.at), default=0)
    if not longest:
        return ""

    def draw(axes: Any) -> None:
        styles = zip(cycle(COLOURS), cycle(MARKS), cycle(DASHES), strict=False)
        for curve, (colour, mark, dash) in zip(curves, styles, strict=False):
            at, reached = [0, *curve.at, longest], [0.0, *curve.shares, curve.shares[-1] if curve.at else 0.0]
            axes.plot(
                at,
                reached,
                drawstyle="steps-post",
                color=colour,
                linestyle=dash,
                marker=mark,
                markersize=4,
                markevery=max(1, len(at) // 8),
                linewidth=1.4,
                label=f"{name(curve.agent or '')} (n {curve.n})",
            )
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=8)
        axes.set_xlabel("iterations")
        rate_axis(axes, "y", "runs resolved by then")

    return drawn(7.2, max(3.6, 0.2 * len(curves)), draw)


def shares(material: Material) -> str:
    """Bars of three parts for each agent, each part with its hatching."""
    rows = [one for one in material.found.shares.agents if one.iterations][:MOST_AGENTS]
    if not rows:
        return ""

    def draw(axes: Any) -> None:
        left = [0.0] * len(rows)
        parts = (
            ("productive", "#1a7f4b", ""),
            ("exploration", "#9ec5ea", "..."),
            ("non_productive", "#d98a5b", "///"),
        )
        for part, colour, hatch in parts:
            width = [float(getattr(one, part).pooled.value or 0.0) for one in rows]
            label = {"non_productive": "failing", "exploration": "exploring"}.get(part, part)
            axes.barh(
                range(len(rows)),
                width,
                left=left,
                color=colour,
                hatch=hatch,
                edgecolor="white",
                height=0.7,
                label=label,
            )
            left = [start + more for start, more in zip(left, width, strict=True)]
        axes.set_yticks(range(len(rows)), [f"{name(one.agent or '')} (n {one.iterations:,})" for one in rows])
        axes.invert_yaxis()
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize=8)
        rate_axis(axes, "x", "share of iterations")

    return drawn(7.2, 1.1 + 0.32 * len(rows), draw)


def failures(material: Material) -> str:
    """Modes × agents: the share of failed runs that show each."""
    report = material.found.failures
    agents = [one for one in report.by_agent if one.failed][:MOST_AGENTS]
    modes = [one.mode for one in report.modes if one.runs]
    if not agents or not modes:
        return ""
    figures = [[one.prevalence.get(mode.slug) for one in agents] for mode in modes]
    values = [[figure.value if figure else None for figure in row] for row in figures]
    told = [["–" if value is None else f"{value * 100:.0f}" for value in row] for row in values]
    return drawn(
        2.6 + 0.55 * len(agents),
        1.4 + 0.26 * len(modes),
        lambda axes: matrix(
            axes,
            [mode.title for mode in modes],
            [f"{one.name} (n {one.failed})" for one in agents],
            values,
            told,
            label="share of failed runs (numbers: %)",
            hatched="cannot be told",
        ),
    )


def jaccard(material: Material) -> str:
    """Agents × agents."""
    found = material.found.similarity
    agents = list(found.agents)[:MOST_AGENTS]
    if len(agents) < 2:
        return ""
    values = [
        [None if one == other else found.of(one, other).jaccard.value for other in agents] for one in agents
    ]
    told = [["–" if value is None else f"{value:.2f}" for value in row] for row in values]
    size = 2.2 + 0.5 * len(agents)
    return drawn(
        size + 0.8,
        size,
        lambda axes: matrix(
            axes,
            agents,
            agents,
            values,
            told,
            label="Jaccard index",
            hatched="undefined, or the agent itself",
        ),
    )
