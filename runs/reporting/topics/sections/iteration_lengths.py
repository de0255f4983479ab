"""Sections of the iterations topic on how long runs are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runs.analysis.iterations.lengths import Distribution, LengthBin, LengthOutcomes, Lengths
from runs.analysis.statistics.summaries import BoxSummary
from runs.presentation.charts.axis import linear_axis, share_axis
from runs.presentation.charts.bars import Bar, Bars
from runs.presentation.charts.boxes import MAX_POINTS, Boxes, BoxRow
from runs.presentation.formatting.numbers import percent, plain
from runs.reporting.topics.section_parts import Columns, Field, box_row, one_picture, table_of
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import Picture, ResultSection

ALL_AGENTS = "all agents"


def agent_or_all(data: TopicData, agent: str | None) -> str:
    """The name of an agent; None stands for all of them."""
    return ALL_AGENTS if agent is None else data.name(agent)


_LENGTHS: Columns[Lengths] = (
    Field("agent", "Agent", "agent", lambda it: it.agent),
    Field("median", "Median", "number1", lambda it: it.all.median, "iteration-counts"),
    Field("q1", "Lower quartile", "number1", lambda it: it.all.q1),
    Field("q3", "Upper quartile", "number1", lambda it: it.all.q3),
    Field("mean", "Mean", "number1", lambda it: it.all.mean),
    Field("resolved_median", "Median, resolved", "number1", lambda it: it.resolved.median),
    Field("unresolved_median", "Median, not resolved", "number1", lambda it: it.unresolved.median),
    Field("limited", "Ended by the limit", "percent", lambda it: it.limited, "iteration-counts"),
)


def lengths_section(data: TopicData, found: Distribution) -> ResultSection:
    """Iterations of runs by agent: of all runs, and of resolved ones."""
    order = sorted(found.agents, key=lambda one: (one.all.median.value or 0.0, one.agent or ""))
    rows = [found.overall, *order] if len(order) > 1 else order
    return ResultSection(
        "lengths",
        "How long runs are",
        "Iterations of a run: an iteration is one response of the model. A box is the middle half of the runs, its "
        "line the median. Whiskers end at the outermost values within 1.5 box lengths; dots are runs beyond them. They "
        "are not confidence intervals.",
        ("iteration-counts", "box"),
        (
            *_boxes(data, "lengths", "Iterations of runs, by agent.", [(one.agent, one.all) for one in rows]),
            *_boxes(
                data,
                "resolved-lengths",
                "Iterations of resolved runs, by agent.",
                [(one.agent, one.resolved) for one in rows],
            ),
        ),
        table_of("lengths", "Iterations of runs by agent", _LENGTHS, order),
        "No run has a number of iterations.",
    )


def _boxes(
    data: TopicData, name: str, title: str, boxes: Sequence[tuple[str | None, BoxSummary]]
) -> tuple[Picture, ...]:
    """No chart without a value."""
    rows = tuple(box_row(agent_or_all(data, agent), each, plain) for agent, each in boxes)
    axis = linear_axis(title.partition(",")[0].lower(), list(_values(rows)), plain, whole=True)
    return one_picture(f"{name}-chart", title, Boxes(rows, axis) if any(row.box for row in rows) else None)


def _values(rows: Sequence[BoxRow]) -> Iterator[float]:
    for row in rows:
        yield from row.points
        yield row.box.high if row.box else 0.0


def _span(one: LengthBin) -> str:
    return f"{one.low}–{one.high}" if one.high > one.low else str(one.low)


_BY_LENGTH: Columns[LengthBin] = (
    Field("iterations", "Iterations", "text", _span),
    Field("rate", "Resolved", "percent", lambda it: it.rate, "iterations-and-success"),
    Field("resolved", "Resolved runs", "count", lambda it: it.resolved),
    Field("runs", "Runs", "count", lambda it: it.runs),
)


def _strip(found: LengthOutcomes, lengths: Lengths) -> Boxes:
    rows = (
        box_row("resolved", lengths.resolved, plain, points=found.resolved),
        box_row("not resolved", lengths.unresolved, plain, points=found.unresolved),
    )
    longest = max((*found.resolved, *found.unresolved), default=1)
    return Boxes(rows, linear_axis("iterations of a run", [longest], plain, whole=True), strip=True)


def success_by_length_section(found: LengthOutcomes, lengths: Lengths) -> ResultSection:
    """Success by number of iterations; `lengths` of all runs."""
    chart = Bars(
        tuple(
            Bar(
                _span(one),
                (one.rate.value or 0.0,),
                note=f"{percent(one.rate.value, 0)}, n {one.runs:,}",
            )
            for one in found.bins
        ),
        share_axis("resolved"),
        ("resolved",),
    )
    return ResultSection(
        "by-length",
        "Success by length",
        "Runs of similar length, and the share of them that resolved their task. There is no interval: a short run "
        "differs from the start of a long one, and attempts at one task are not independent. In the second chart each "
        "dot is a run; its height has no meaning."
        + (
            f" Of more than {MAX_POINTS} runs, some at even distances are drawn."
            if lengths.all.n > MAX_POINTS
            else ""
        ),
        ("iterations-and-success", "box"),
        (
            *one_picture(
                "by-length-chart",
                "Share of resolved runs by number of iterations.",
                chart if found.bins else None,
            ),
            *one_picture(
                "run-lengths-chart",
                "Iterations of each resolved run and of each run that is not resolved.",
                _strip(found, lengths) if found.bins else None,
            ),
        ),
        table_of("by-length", "Success by number of iterations", _BY_LENGTH, found.bins),
        "No run has a number of iterations.",
    )
