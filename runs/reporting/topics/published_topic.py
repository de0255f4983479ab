"""Topic: our order of agents compared with those of published tables."""

from __future__ import annotations

from collections.abc import Sequence

from runs.analysis.scores.rankings import Agreement, rank_correlation
from runs.analysis.statistics.correlations import MIN_COUNT, SPEARMAN, CorrelationMatrix, correlations
from runs.data.published.model_measures import PublishedMeasure, boards, model_key
from runs.data.published.tables import IDE_BENCH
from runs.presentation.charts.axis import Axis, Tick, share_axis
from runs.presentation.charts.dots import Dot, Dots
from runs.presentation.charts.scatter import Scatter, ScatterPoint
from runs.presentation.formatting.numbers import bounds, correlation_with_interval, counted, percent, signed
from runs.reporting.topics.section_parts import Columns, Field, matrix, one_picture, table_of
from runs.reporting.topics.topic_data import TopicData, joined
from runs.reporting.topics.topic_result import ResultSection, TableColumn

_FRACTION = 100.0  # rates are printed in percent
MIN_POINTS = 3  # of a chart: two models say nothing of an order


def sections(data: TopicData) -> tuple[str, tuple[ResultSection, ...]]:
    """Rank correlations with each board, and of the boards of one paper among themselves."""
    ours = {row.agent: row.pass_1.value for row in data.outcomes.agents}
    found = []
    for board in boards():
        if board.better:
            # Negated if less is better.
            printed = {agent: _printed(data, board, agent) for agent in ours}
            theirs = {agent: board.better * value for agent, value in printed.items() if value is not None}
            found.append((board, rank_correlation(ours, theirs)))
    return _summary(found), (_ours(data, found), _theirs())


def _printed(data: TopicData, board: PublishedMeasure, agent: str) -> float | None:
    """The value of an agent, which papers name after its model or itself."""
    named = data.agents.get(agent)
    names = map(model_key, (named.model, named.name) if named else ())
    return next((board.values[name] for name in names if name and name in board.values), None)


def _summary(found: Sequence[tuple[PublishedMeasure, Agreement]]) -> str:
    known = [(board, one.rho) for board, one in found if one.rho.value is not None]
    if known:
        most = max(rho.n for _, rho in known)
        named: dict[str, list[str]] = {}
        for board, rho in sorted(known, key=lambda each: each[1].value or 0.0):
            if rho.n == most:
                named.setdefault(correlation_with_interval(rho), []).append(board.name)
        (least, low), *_ = named.items()
        *_, (highest, high) = named.items()
        if len(named) == 1:
            return f"Our order has a rank correlation of {least} with {_measures(low)}."
        first, last = f"{least}, of {_measures(low)}", f"{highest}, of {_measures(high)}"
        return f"Rank correlations with our order are from {first}, to {last}."
    common = max((len(one.common) for _, one in found), default=0)
    if not common:
        return "Unknown: none of our agents runs a model that a published table names."
    needed = f"and a rank correlation needs {MIN_COUNT}"
    return f"Unknown: our agents and a published table share {counted(common, 'model')} at most, {needed}."


def _measures(names: Sequence[str]) -> str:
    """One or two measures by name, or how many there are."""
    return joined(names) if len(names) < 3 else f"{len(names)} published measures"


def _ours(data: TopicData, found: Sequence[tuple[PublishedMeasure, Agreement]]) -> ResultSection:
    columns: Columns[tuple[PublishedMeasure, Agreement]] = (
        Field("board", "Published measure", "text", lambda it: it[0].name),
        Field("rho", "Rank correlation with ours", "number", lambda it: it[1].rho, "rank-correlation"),
        Field("common", "Models in common", "count", lambda it: len(it[1].common)),
        Field("there", "Models there", "count", lambda it: len(it[0].values)),
        Field("better", "Better is", "text", lambda it: "more" if it[0].better > 0 else "less"),
        Field("who", "Who", "text", lambda it: data.names(it[1].common) or None),
    )
    return ResultSection(
        "ours",
        "Our order compared with theirs",
        "Spearman's rank correlation between solved per attempt here (pass@1) and what was printed, over agents whose "
        "model the table names. "
        "Their tasks, prompts and limits differ from ours: agreement proves nothing, and disagreement is not an error.",
        ("rank-correlation",),
        (
            *one_picture(
                "agreement-chart",
                "Rank correlation of each published measure with solved per attempt here, with 95 % intervals.",
                _agreement(found),
            ),
            *one_picture(
                "ours-chart",
                f"Solved per attempt here and as printed, of common models.{data.chart_note}",
                _printed_chart(data, found),
            ),
        ),
        table_of("ours", "Published measures and ours", columns, found),
        "No table was published.",
    )


def _printed_chart(data: TopicData, found: Sequence[tuple[PublishedMeasure, Agreement]]) -> Scatter | None:
    """Rates here against printed ones; None for too few models in common."""
    rate = next(board for board, _ in found if board.measure == "pass_at_1_pct")
    points = tuple(
        ScatterPoint(
            data.chart_name(one.agent),
            printed / _FRACTION,
            one.pass_1.value,
            *bounds(one.pass_1),
            hover=(f"{percent(printed / _FRACTION)} printed, {percent(one.pass_1.value)} here",),
        )
        for one in data.outcomes.agents
        if one.pass_1.value is not None and (printed := _printed(data, rate, one.agent)) is not None
    )
    if len(points) < MIN_POINTS:
        return None
    return Scatter(
        points,
        share_axis(f"solved per attempt, as printed in {rate.paper.title}"),
        share_axis("solved per attempt, here"),
    )


def _agreement(found: Sequence[tuple[PublishedMeasure, Agreement]]) -> Dots | None:
    """The rank correlation of each measure; None if none is known."""
    known = [(board, one.rho) for board, one in found if one.rho.value is not None]
    if not known:
        return None
    return Dots(
        tuple(
            Dot(board.name, rho.value, f"{signed(rho.value or 0.0, 2)}, n {rho.n}", *bounds(rho))
            for board, rho in sorted(known, key=lambda each: -(each[1].value or 0.0))
        ),
        Axis(
            "rank correlation with the order here",
            -1.0,
            1.0,
            tuple(Tick(at / 2, signed(at / 2, 1)) for at in range(-2, 3)),
        ),
        reference=0.0,
    )


def _theirs() -> ResultSection:
    among = [board for board in boards() if board.paper == IDE_BENCH]
    models = sorted({model for board in among for model in board.values})
    found: CorrelationMatrix = correlations(
        {board.title: [board.values.get(model) for model in models] for board in among}, SPEARMAN
    )
    return ResultSection(
        "theirs",
        "How the measures of one paper agree",
        f"Rank correlations between the measures that {IDE_BENCH.title} prints of {counted(len(models), 'model')}, as "
        "printed: if less is better in one of them, agreement is a negative correlation. The other papers each print "
        "one table of too few models.",
        ("correlations",),
        (),
        matrix(
            "theirs",
            f"Rank correlation of the measures of {IDE_BENCH.title}",
            [board.title for board in among],
            [(board.title, board.title) for board in among],
            lambda one, other: None if one == other else found.of(one, other),
            head=TableColumn("measure", "Measure", "text"),
            form="correlation",
        ),
        "No table was published.",
    )
