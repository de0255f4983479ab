"""Topic: how long runs are, and what iterations are spent on."""

from __future__ import annotations

from collections.abc import Sequence

from runs.analysis.iterations.budgets import iteration_budgets
from runs.analysis.iterations.lengths import (
    Curve,
    Curves,
    cumulative_first_edit,
    cumulative_success,
    distribution,
    success_by_length,
)
from runs.analysis.iterations.shares import IterationMix, IterationMixes, iteration_mixes
from runs.analysis.iterations.syntax_totals import AgentSyntax, SyntaxTotals, syntax_totals
from runs.analysis.metrics.first_correct_edit import EditBin, first_correct_edit_bins
from runs.analysis.prediction.early import early_prediction
from runs.presentation.charts.axis import linear_axis, share_axis
from runs.presentation.charts.bars import Bar, Bars
from runs.presentation.charts.line_chart import Lines, Series
from runs.presentation.formatting.numbers import counted, percent, plain
from runs.reporting.topics.section_parts import Columns, Field, one_picture, one_table, table_of
from runs.reporting.topics.sections.iteration_sections import (
    ALL_AGENTS,
    agent_or_all,
    budgets_section,
    clusters_section,
    early_section,
    lengths_section,
    success_by_length_section,
    unusual_section,
)
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import ResultSection, TableColumn

SHOWN_AT = (10, 25, 50, 100, 200)


def sections(data: TopicData) -> tuple[str, tuple[ResultSection, ...]]:
    """Lengths, cumulative success, and what iterations are spent on."""
    resolved = cumulative_success(data.runs)
    lengths = distribution(data.runs)
    mixes = iteration_mixes(data.runs)
    return _summary(resolved.overall), (
        _reached(
            data,
            resolved,
            name="resolved",
            title="Cumulative success",
            intro="The share of all runs that resolved their task within the given number of iterations.",
            methods=("cumulative-success",),
        ),
        lengths_section(data, lengths),
        success_by_length_section(success_by_length(data.runs), lengths.overall),
        _spent(data, mixes),
        _syntax(syntax_totals(data.runs)),
        unusual_section(data, mixes),
        clusters_section(data, mixes),
        _reached(
            data,
            cumulative_first_edit(data.runs),
            name="first-edit",
            title="Cumulative first edit",
            intro="The share of runs that changed the workspace within the given number of iterations, among those "
            "that ever did.",
            methods=("cumulative-first-edit", "iteration-kinds"),
        ),
        _first_right(data),
        budgets_section(iteration_budgets(data.runs)),
        early_section(early_prediction(data.runs, seed=data.seed)),
    )


def _summary(curve: Curve) -> str:
    if not curve.at:
        return f"No task was resolved in {counted(curve.n, 'run')}." if curve.n else "No run was counted."
    half = next(at for at, reached in zip(curve.at, curve.runs, strict=True) if 2 * reached >= curve.runs[-1])
    return (
        f"{percent(curve.shares[-1], 0)} of {counted(curve.n, 'run')} are resolved; half of these within "
        f"{half:,} iterations, the last one at {curve.at[-1]:,}."
    )


def _reached(
    data: TopicData, curves: Curves, *, name: str, title: str, intro: str, methods: tuple[str, ...]
) -> ResultSection:
    known = [curve for curve in curves.agents if curve.at]
    ends = sorted({at for at in SHOWN_AT if at <= max((curve.at[-1] for curve in known), default=0)})
    columns = [
        TableColumn("agent", "Agent", "agent"),
        *(TableColumn(f"by_{at}", f"By {at}", "percent") for at in ends),
        TableColumn("in_the_end", "At the end", "percent"),
        TableColumn("last", "Last at", "count"),
        TableColumn("runs", "Runs", "count"),
    ]
    rows = tuple(
        (
            curve.agent or ALL_AGENTS,
            *(curve.share_at(at) for at in ends),
            curve.share_at(curve.at[-1] if curve.at else 0),
            curve.at[-1] if curve.at else None,
            curve.n,
        )
        for curve in curves.agents
    )
    chart = _curves(data, known)
    return ResultSection(
        name,
        title,
        intro,
        methods,
        one_picture(
            f"{name}-chart", f"{title}, by agent and number of iterations.", chart if known else None
        ),
        one_table(name, f"{title}, by agent", tuple(columns), rows),
        "No run was counted, or none reached this.",
    )


def _curves(data: TopicData, curves: Sequence[Curve]) -> Lines:
    longest = max((curve.at[-1] for curve in curves), default=1)
    return Lines(
        tuple(
            Series(
                agent_or_all(data, curve.agent),
                ((0, 0.0), *zip(curve.at, curve.shares, strict=True), (longest, curve.shares[-1])),
                (
                    "0: none",
                    *(f"{at}: {percent(share)}" for at, share in zip(curve.at, curve.shares, strict=True)),
                    f"{longest}: {percent(curve.shares[-1])}, n {curve.n:,}",
                ),
            )
            for curve in sorted(curves, key=lambda curve: (-curve.shares[-1], curve.agent or ""))
        ),
        linear_axis("iterations", [longest], plain, whole=True),
        share_axis("share of runs"),
        steps=True,
    )


_SHARES: Columns[IterationMix] = (
    Field("agent", "Agent", "agent", lambda it: it.agent),
    Field("productive", "Productive", "percent", lambda it: it.productive.pooled, "iteration-shares"),
    Field("exploration", "Exploring", "percent", lambda it: it.exploration.pooled, "iteration-shares"),
    Field("non_productive", "Failing", "percent", lambda it: it.non_productive.pooled, "iteration-shares"),
    Field(
        "productive_if_rejected",
        "Productive, syntax errors rejected",
        "percent",
        lambda it: it.productive_if_rejected.pooled,
        "iteration-shares",
    ),
    Field(
        "non_productive_if_rejected",
        "Failing, syntax errors rejected",
        "percent",
        lambda it: it.non_productive_if_rejected.pooled,
        "iteration-shares",
    ),
    Field("first_edit", "First edit at, median", "number1", lambda it: it.first_edit.median),
    Field(
        "first_edit_mean", "First edit at, mean", "number1", lambda it: it.first_edit.mean, "iteration-shares"
    ),
    Field("never_edited", "Runs without an edit", "count", lambda it: it.first_edit.never),
    Field("iterations", "Iterations", "count", lambda it: it.iterations),
    Field("runs", "Runs", "count", lambda it: it.runs),
)


def _spent(data: TopicData, found: IterationMixes) -> ResultSection:
    known = sorted(
        (mix for mix in found.agents if mix.iterations),
        key=lambda mix: (-(mix.productive.pooled.value or 0.0), mix.agent or ""),
    )
    bars = []
    for mix in known:
        kinds = (mix.productive, mix.exploration, mix.non_productive)
        parts = tuple(share.pooled.value or 0.0 for share in kinds)
        written = tuple(percent(part, 0) for part in parts)
        bars.append(Bar(agent_or_all(data, mix.agent), parts, written, f"n {mix.iterations:,}"))
    chart = Bars(
        tuple(bars),
        share_axis("share of iterations"),
        ("productive", "exploring", "failing"),
    )
    return ResultSection(
        "shares",
        "What iterations are spent on",
        "Productive: the workspace changed. Failing: an edit was attempted, but nothing changed. Exploring: all "
        "others. Shares are of all iterations together, so long runs have more weight. Syntax errors rejected: as if "
        "no edit had been made that leaves Python files with syntax errors, as in IDE-Bench.",
        ("iteration-kinds", "iteration-shares"),
        one_picture(
            "shares-chart",
            "Productive, exploring and failing iterations of each agent.",
            chart if known else None,
        ),
        table_of("shares", "Iterations by kind and agent", _SHARES, found.agents),
        "No trajectory was counted.",
    )


_SYNTAX: Columns[AgentSyntax] = (
    Field("agent", "Agent", "agent", lambda it: it.agent),
    Field("introduced", "Introduced", "count", lambda it: it.introduced, "syntax-errors"),
    Field("blocked", "Blocked", "count", lambda it: it.blocked, "syntax-errors"),
    Field("fixed", "Fixed", "count", lambda it: it.fixed, "syntax-errors"),
    Field("fixed_share", "Share fixed", "percent", lambda it: it.fixed_share, "syntax-errors"),
    Field("affected", "Runs with one", "percent", lambda it: it.affected, "syntax-errors"),
    Field("runs", "Runs", "count", lambda it: it.runs),
)


def _syntax(found: SyntaxTotals) -> ResultSection:
    return ResultSection(
        "syntax-errors",
        "Python syntax errors",
        "Introduced: an edit after which a Python file does not parse. Blocked: the editing tool refused such an edit, "
        "which agents with the setting reject_syntax_errors have. Fixed: a later edit after which the file parses.",
        ("syntax-errors",),
        (),
        table_of("syntax-errors", "Python syntax errors by agent", _SYNTAX, found.agents),
        "No trajectory was counted.",
    )


_FIRST_RIGHT: Columns[EditBin] = (
    Field("iterations", "Iterations", "text", lambda it: it.label),
    Field("rate", "Resolved", "percent", lambda it: it.rate, "first-correct-edit"),
    Field("tasks", "Tasks", "count", lambda it: it.tasks),
    Field("runs", "Runs", "count", lambda it: it.runs),
)


def _first_right(data: TopicData) -> ResultSection:
    found = first_correct_edit_bins(data.runs)
    return ResultSection(
        "first-correct-edit",
        "When the right file was first changed",
        "A right file is one that the reference patch changes; other solutions may change other files. Intervals are "
        "based on the number of tasks, not of runs.",
        ("first-correct-edit",),
        (),
        table_of(
            "first-correct-edit",
            "Success by when the first right file was changed",
            _FIRST_RIGHT,
            found.bins if any(each.runs for each in found.bins) else (),
        ),
        "No run of a task with a reference patch has a counted trajectory.",
    )
