"""Sections of the iterations topic on how long runs are."""

from __future__ import annotations

from runs.analysis.iterations.lengths import Distribution, LengthBin, LengthOutcomes, Lengths
from runs.charts.axis import linear_axis, share_axis
from runs.charts.bars import Bar, Bars
from runs.charts.dots import Dot, Dots
from runs.formatting.numbers import percent, plain
from runs.topics.section_parts import Columns, Field, one_picture, table_of
from runs.topics.topic_data import TopicData
from runs.topics.topic_result import ResultSection

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
    """Iterations of runs by agent."""
    order = sorted(found.agents, key=lambda one: (one.all.median.value or 0.0, one.agent or ""))
    rows = [found.overall, *order] if len(order) > 1 else order
    chart = Dots(
        tuple(
            Dot(
                agent_or_all(data, one.agent),
                one.all.median.value,
                _middle(one),
                one.all.q1.value,
                one.all.q3.value,
                hollow=one.agent is None,
            )
            for one in rows
        ),
        linear_axis("iterations of a run", [one.all.q3.value or 0.0 for one in rows], plain, whole=True),
    )
    return ResultSection(
        "lengths",
        "How long runs are",
        "Iterations of a run, resolved or not: an iteration is one response of the model. The chart shows the median "
        "and the middle half of the runs, which is not a confidence interval.",
        ("iteration-counts",),
        one_picture(
            "lengths-chart",
            "Median and middle half of the iterations of runs, by agent.",
            chart if order else None,
        ),
        table_of("lengths", "Iterations of runs by agent", _LENGTHS, order),
        "No run has a number of iterations.",
    )


def _middle(one: Lengths) -> str:
    median = one.all.median
    return median.reason if median.value is None else f"{plain(median.value)}, n {median.n:,}"


def _span(one: LengthBin) -> str:
    return f"{one.low}–{one.high}" if one.high > one.low else str(one.low)


_BY_LENGTH: Columns[LengthBin] = (
    Field("iterations", "Iterations", "text", _span),
    Field("rate", "Resolved", "percent", lambda it: it.rate, "iterations-and-success"),
    Field("resolved", "Resolved runs", "count", lambda it: it.resolved),
    Field("runs", "Runs", "count", lambda it: it.runs),
)


def success_by_length_section(found: LengthOutcomes) -> ResultSection:
    """Success by number of iterations."""
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
        "differs from the start of a long one, and attempts at one task are not independent.",
        ("iterations-and-success",),
        one_picture(
            "by-length-chart",
            "Share of resolved runs by number of iterations.",
            chart if found.bins else None,
        ),
        table_of("by-length", "Success by number of iterations", _BY_LENGTH, found.bins),
        "No run has a number of iterations.",
    )
