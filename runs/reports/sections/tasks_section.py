"""Which tasks tell agents apart, which nobody solves, and what stands in the way."""

from __future__ import annotations

from runs.formatting.markdown_text import text
from runs.formatting.numbers import decimal
from runs.reports.found import BucketRate, StackTable
from runs.reports.pen import Pen, Section
from runs.reports.report_tables import Table
from runs.reports.words import ReportCell, counted, number, percent, some, span

MOST_COLUMNS = 8


def tasks(pen: Pen) -> Section:
    """Spreads, tiers, near misses, stacks and languages."""
    found = pen.material.found
    return Section(
        "Tasks",
        f"σ is the standard deviation over agents of their success rates at a task; from {found.spreads.threshold} on "
        "a task is called discriminative. “By chance” is the σ that equally good agents would show with so few "
        f"attempts: a σ near it says little. Tiers: solved within {found.tiers.k} attempts by all agents (easy), by "
        "none (hard), by some (medium).",
        [
            pen.plot("heatmap", "Share of attempts that resolved each task, by agent."),
            _spreads(pen),
            _tiers(pen),
            _near_misses(pen),
            f"### By stack\n\n{_stacks(pen, found.stacks, 'tasks.stacks')}",
            f"### By language\n\n{_stacks(pen, found.languages, 'tasks.languages')}",
        ],
        (
            "task-sigma",
            "task-sigma-by-chance",
            "discriminative-tasks",
            "difficulty-tiers",
            "near-misses",
            "stack-table",
        ),
    )


def _spreads(pen: Pen) -> str:
    spreads = pen.material.found.spreads
    table = Table(
        "task",
        "resolved, mean of agents",
        "σ",
        "σ by chance",
        "discriminative",
        of="tasks",
        where="tasks.spreads.tasks",
    )
    words = {True: "yes", False: "no", None: "undefined"}
    for one in spreads.tasks:
        table.row(
            pen.task(one.task),
            percent(one.mean_rate),
            number(one.sigma, 3),
            number(one.by_chance, 3),
            words[one.discriminative],
        )
    told = f"{len(spreads.discriminative):,} of {counted(len(spreads.tasks), 'task')} discriminate."
    return f"### What tells agents apart\n\n{told}\n\n{table.markdown('No task was tried.')}"


def _tiers(pen: Pen) -> str:
    tiers = pen.material.found.tiers
    lines = []
    for tier, told in (("easy", "solved by all"), ("medium", "solved by some"), ("hard", "solved by nobody")):
        ours = tiers.of(tier)
        unsure = sum(not one.complete for one in ours)
        note = f" ({unsure:,} of them not known of every agent)" if unsure else ""
        names = some([pen.task(one.task) for one in ours], 10)
        lines.append(f"- {tier}, {told}: {len(ours):,}{note}{f': {names}' if ours else ''}")
    if tiers.undecided:
        names = some([pen.task(task) for task in tiers.undecided], 10)
        lines.append(f"- undecided, with too few attempts: {len(tiers.undecided):,}: {names}")
    for agent, alone in tiers.alone.items():
        if alone:
            names = some([pen.task(task) for task in alone], 5)
            lines.append(f"- solved by {pen.agent(agent)} alone: {len(alone):,}: {names}")
    return "### Tiers\n\n" + "\n".join(lines)


def _near_misses(pen: Pen) -> str:
    misses = pen.material.found.near_misses
    table = Table(
        "agent",
        "task",
        "tests passed, mean",
        "best",
        "tests between (failed in)",
        of="near misses",
        where="tasks.near_misses.misses",
    )
    for one in misses.misses:
        between = [f"{text(each.test)} ({each.failed} of {each.attempts})" for each in one.between]
        unread = f"{one.unread} of {one.attempts} attempts not known" if one.unread else ""
        table.row(
            pen.agent(one.agent),
            pen.task(one.task),
            percent(one.rate),
            f"{decimal(one.best * 100, 1)} %",
            "; ".join(part for part in (some(between, 3), unread) if part),
        )
    return (
        f"### Near misses\n\nNo attempt resolved the task, and yet at least {decimal(misses.threshold * 100, 0)} % of "
        f"its tests passed on average: {len(misses.misses):,} of {misses.cells:,} pairs of agent and task.\n\n"
        + table.markdown()
    )


def _stacks(pen: Pen, stacks: StackTable, where: str) -> str:
    """pass@1 of agents (down) by label (across)."""
    buckets = stacks.buckets[:MOST_COLUMNS]
    rates = {(one.agent, bucket.label): one.pass_1 for bucket in buckets for one in bucket.agents}
    table = Table(
        "agent",
        *(f"{text(bucket.label, 30)}, {counted(bucket.tasks, 'task')}" for bucket in buckets),
        of="agents",
        where=where,
    )
    for one in pen.material.found.outcomes.agents:
        cells = [rates.get((one.agent, bucket.label)) for bucket in buckets]
        if any(cells):
            table.row(pen.agent(one.agent), *(_in_bucket(cell) if cell else "not tried" for cell in cells))
    left = len(stacks.buckets) - len(buckets)
    return (
        "pass@1 over tasks, with its 95 % interval; beside it, what the least and the best repository have."
        + (f" {left:,} more are in `report.json` under `{where}`." if left else "")
        + f"\n\n{table.markdown('No task names one.')}"
    )


def _in_bucket(rate: BucketRate) -> ReportCell:
    cell = percent(rate.over_tasks)
    repositories = f"; repositories {span(rate.range, 100, 1)} %" if rate.range else ""
    return ReportCell(f"{cell.shown}{repositories}", cell.reason)
