"""What success takes: tokens, dollars, seconds."""

from __future__ import annotations

from runs.formatting.markdown_text import text
from runs.formatting.numbers import decimal
from runs.reports.found import Estimate, Front
from runs.reports.pen import Pen, Section
from runs.reports.report_tables import Table
from runs.reports.words import ReportCell, dollars, number, percent, share, some


def effort(pen: Pen) -> Section:
    """Totals, per run and per success, and the fronts."""
    found = pen.material.found
    table = Table(
        "agent",
        "US$ in all",
        "US$ per success",
        "tokens per success",
        "seconds per run",
        "tokens cached",
        "efficiency score",
        of="agents",
        where="cost.effort.agents",
    )
    for one in found.effort.agents:
        table.row(
            pen.agent(one.agent),
            _total(one.cost_usd.total.figure, one.cost_usd.total.at_least),
            dollars(one.cost_usd.per_success),
            number(one.tokens.per_success, 0),
            number(one.seconds.per_run.mean, 1),
            percent(one.cached_share),
            number(one.efficiency, 3),
        )
    return Section(
        "Cost and effort",
        "Per success is everything spent ÷ resolved runs, failures' expense included. An unknown cost makes a total "
        "unknown; what is known of it stands as “at least”. The efficiency score is IDE-Bench's: pass@k in percent ÷ "
        "thousand tokens of a success. Runs that the infrastructure failed are in none of it.",
        [
            table.markdown("No agent made a graded run."),
            _fronts(pen),
            pen.plot("front", "Success rate against what a task takes; the front is joined by a line."),
            _durations(pen),
        ],
        ("effort", "per-success", "efficiency-score", "pareto", "pareto-fronts", "durations"),
    )


def _total(figure: Estimate, at_least: float) -> ReportCell:
    if figure.value is None and at_least > 0:
        return ReportCell(f"at least {decimal(at_least, 4 if at_least < 1 else 2)}", figure.reason)
    return dollars(figure)


def _fronts(pen: Pen) -> str:
    fronts = pen.material.found.fronts
    named: tuple[tuple[str, Front], ...] = (
        ("tokens", fronts.tokens),
        ("US dollars", fronts.cost_usd),
        ("seconds", fronts.seconds),
    )
    lines = [f"- {name}: {_front(pen, front)}" for name, front in named]
    pairs = pen.material.found.fronts_with_pairs
    lines.append(
        f"- tokens, with every “A, then B if A fails” beside the agents alone: {_front(pen, pairs.tokens)}"
    )
    ground = pen.material.found.cascades.ground
    left = some([pen.agent(agent) for agent in ground.agents_left_out], 8)
    note = f" Left out, for too few common tasks: {left}." if left else ""
    return (
        "### Pareto fronts\n\nAgents whom nobody beats in both success and expense, the cheapest first, over the "
        f"{len(ground.tasks):,} tasks that all compared agents tried.{note} Whether two rates are told apart is not "
        "looked at.\n\n" + "\n".join(lines)
    )


def _front(pen: Pen, front: Front) -> str:
    members = [
        f"{_plan(pen, point.name)} ({share(point.rate)} for {_expense(point.expense)})"
        for point in front.members
    ]
    unknown = (
        f"; expense unknown: {some([_plan(pen, name) for name in front.unknown], 8)}" if front.unknown else ""
    )
    beaten = f"; {len(front.dominated)} of {front.n} are beaten" if front.n else ""
    return f"{some(members, 10) or 'nobody'}{beaten}{unknown}"


def _plan(pen: Pen, name: str) -> str:
    return pen.agent(name) if pen.material.head.agent(name) else text(name)


def _expense(expense: float | None) -> str:
    return "an unknown expense" if expense is None else decimal(expense, 2 if expense < 100 else 0)


def _durations(pen: Pen) -> str:
    table = Table(
        "repository",
        "mean",
        "median",
        "middle half",
        "longest",
        "n",
        of="repositories",
        where="cost.durations",
    )
    for one in pen.material.found.durations.repositories:
        seconds = one.seconds
        table.row(
            text(one.of),
            *(_seconds(figure) for figure in (seconds.mean, seconds.median)),
            f"{_seconds(seconds.p25)} to {_seconds(seconds.p75)}",
            _seconds(seconds.maximum),
            f"{seconds.n:,}",
        )
    return f"### Seconds of a run, by repository\n\n{table.markdown('No run has a duration.')}"


def _seconds(figure: Estimate) -> str:
    return "—" if figure.value is None else decimal(figure.value, 1)
