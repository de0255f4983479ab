"""How agents go about it: iterations and tools."""

from __future__ import annotations

from runs.formatting.markdown_text import text
from runs.formatting.numbers import decimal
from runs.reports.found import Estimate
from runs.reports.pen import Pen, Section
from runs.reports.report_tables import Table
from runs.reports.words import ReportCell, counted, number, percent, share


def iterations(pen: Pen) -> Section:
    """Shares, lengths, the limit, strategies."""
    found = pen.material.found
    lengths = {one.agent: one for one in found.distribution.agents}
    table = Table(
        "agent",
        "iterations of a run",
        "productive",
        "exploring",
        "failing",
        "first edit at",
        "never edited",
        "ended by the limit",
        of="agents",
        where="iterations.shares.agents",
    )
    for one in found.shares.agents:
        length = lengths.get(one.agent)
        table.row(
            pen.agent(one.agent or ""),
            number(one.total, 1),
            *(percent(each.pooled) for each in (one.productive, one.exploration, one.non_productive)),
            number(one.first_edit.median, 1),
            f"{one.first_edit.never:,} of {one.runs:,}",
            ReportCell("—", "no run") if length is None else percent(length.limited),
        )
    return Section(
        "Iterations",
        "An iteration is one answer of the agent: productive when the workspace changed, failing when it tried to edit "
        "and nothing changed, else exploring. Shares are of all iterations together (their n), so long runs weigh "
        "more; the first edit is the median over runs that made one.",
        [
            table.markdown("No trajectory was counted."),
            pen.plot("shares", "What the iterations of each agent were spent on."),
            _curve(pen),
            pen.plot(
                "cumulative", "Share of runs that are resolved with at most so many iterations, by agent."
            ),
            _lengths(pen),
            _strategies(pen),
        ],
        (
            "iteration-kinds",
            "iteration-shares",
            "iteration-counts",
            "iterations-and-success",
            "cumulative-success",
            "strategies",
        ),
    )


def _curve(pen: Pen) -> str:
    curve = pen.material.found.cumulative_success.overall
    if not curve.at:
        return ""
    half = next(at for at, reached in zip(curve.at, curve.runs, strict=True) if 2 * reached >= curve.runs[-1])
    return (
        f"Of {counted(curve.n, 'run')}, {share(curve.shares[-1])} are resolved in the end; half of these within "
        f"{half:,} iterations, all within {curve.at[-1]:,}."
    )


def _lengths(pen: Pen) -> str:
    table = Table("iterations", "runs", "resolved", of="bins", where="iterations.success_by_length")
    for one in pen.material.found.success_by_length.bins:
        table.row(f"{one.low}–{one.high}", f"{one.runs:,}", percent(one.rate))
    return (
        "### Success by length\n\nA short run is not the same experiment as a long one cut short, and attempts at one "
        f"task are alike: no interval.\n\n{table.markdown('No run.')}"
    )


def _strategies(pen: Pen) -> str:
    found = pen.material.found.strategies
    if found.reason:
        return f"Agents cannot be grouped by strategy: {text(found.reason)} (n = {found.n})."
    lines = [
        f"- {pen.agents(cluster.agents)}: {share(cluster.exploration)} exploring, {share(cluster.productive)} "
        f"productive, {share(cluster.non_productive)} failing"
        for cluster in found.clusters
    ]
    silhouette = number(found.silhouette).shown
    return f"### Strategies\n\nk-means finds {len(lines)} groups, silhouette {silhouette}.\n\n" + "\n".join(
        lines
    )


def tools(pen: Pen) -> Section:
    """Success and time by tool, habits, transitions."""
    found = pen.material.found
    table = Table(
        "tool",
        "kind",
        "calls",
        "in runs",
        "succeeded",
        "seconds of a call",
        of="tools",
        where="tools.telemetry",
    )
    for one in found.telemetry.overall.tools:
        table.row(
            text(one.tool, 60) + ("" if one.known else " (unknown here)"),
            text(one.kind),
            f"{one.calls:,}",
            f"{one.runs:,}",
            percent(one.success),
            number(one.seconds, 3),
        )
    return Section(
        "Tools",
        "Over all agents. Success is of the answered calls; a command that ran and exited with an error counts as the "
        "tool's record says. Looks for each edit divides calls that read or search by calls that edit.",
        [table.markdown("No tool was called, or no trajectory was counted."), _habits(pen), _rows(pen)],
        ("tool-success", "tool-habits", "read-to-edit", "before-first-edit", "tool-sequences", "workflow"),
    )


def _habits(pen: Pen) -> str:
    table = Table(
        "agent",
        "looks for each edit",
        "calls before the first edit",
        "calls at once",
        "effective number of tools",
        of="agents",
        where="tools.habits.agents",
    )
    for one in pen.material.found.habits.agents:
        table.row(
            pen.agent(one.agent or ""),
            number(one.by_tool.pooled),
            number(one.before_first_edit.mean, 1),
            number(one.parallel.per_step),
            number(one.diversity.effective),
        )
    return f"### Habits\n\n{table.markdown('No trajectory was counted.')}\n\n{_preparation(pen)}"


def _preparation(pen: Pen) -> str:
    found = pen.material.found.preparation
    gain = percent(found.difference)
    if gain.reason:
        return (
            f"Agents that look long before they edit cannot be compared with hasty ones: {text(gain.reason)}."
        )
    return (
        f"Agents with {decimal(found.many, 0)} calls or more before the first edit "
        f"({pen.agents(found.deliberate.agents)}) resolve {percent(found.deliberate.success).shown} of their runs, "
        f"those with fewer than {decimal(found.few, 0)} ({pen.agents(found.hasty.agents)}) "
        f"{percent(found.hasty.success).shown}. They are other agents, too: this is no effect of looking."
    )


def _rows(pen: Pen) -> str:
    found = pen.material.found
    table = Table(
        "first", "then", "times", "share of all pairs", of="pairs of calls", where="tools.bigrams", most=10
    )
    for one in found.bigrams.overall.ranked:
        first, second = one.tools
        table.row(text(first, 60), text(second, 60), f"{one.count:,}", share(one.share))
    loop = found.workflow.overall
    steps: tuple[tuple[str, Estimate], ...] = (
        ("reading leads to an edit", loop.reading_then_edit),
        ("an edit back to reading", loop.edit_then_reading),
        ("an edit to a command", loop.edit_then_run),
        ("a command to an edit", loop.run_then_edit),
    )
    told = "; ".join(f"{what}: {_told(figure)}" for what, figure in steps)
    return f"### What follows what\n\nOf the calls that have a follower, {told}.\n\n" + table.markdown(
        "No two calls follow each other."
    )


def _told(figure: Estimate) -> str:
    if figure.value is None:
        return f"undefined, {text(figure.reason)}"
    return f"{decimal(figure.value * 100, 1)} % (n {figure.n:,})"
