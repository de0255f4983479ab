"""Sections of the iterations topic on how long runs are."""

from __future__ import annotations

from runs.analysis.iterations.lengths import Distribution, LengthOutcomes, Lengths
from runs.charts.axis import linear_axis, share_axis
from runs.charts.bars import Bar, Bars
from runs.charts.dots import Dot, Dots
from runs.formatting.numbers import percent, plain
from runs.topics.section_parts import one_picture, one_table
from runs.topics.topic_data import TopicData
from runs.topics.topic_result import ResultSection, TableColumn

ALL_AGENTS = "all agents"


def agent_or_all(data: TopicData, agent: str | None) -> str:
    """The name of an agent; None stands for all of them."""
    return ALL_AGENTS if agent is None else data.name(agent)


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
    columns = (
        TableColumn("agent", "Agent", "agent"),
        TableColumn("median", "Median", "number1", "iteration-counts"),
        TableColumn("q1", "Lower quartile", "number1"),
        TableColumn("q3", "Upper quartile", "number1"),
        TableColumn("mean", "Mean", "number1"),
        TableColumn("resolved_median", "Median, resolved", "number1"),
        TableColumn("unresolved_median", "Median, not resolved", "number1"),
        TableColumn("limited", "Ended by the limit", "percent", "iteration-counts"),
    )
    return ResultSection(
        "lengths",
        "How long runs are",
        "Iterations of a run, resolved or not: an iteration is one reply of the model. The chart has the median and "
        "the middle half of the runs, which is no interval.",
        ("iteration-counts",),
        one_picture(
            "lengths-chart",
            "Median and middle half of the iterations of runs, by agent.",
            chart if order else None,
        ),
        one_table(
            "lengths",
            "Iterations of runs by agent",
            columns,
            [
                (
                    *(one.agent, one.all.median, one.all.q1, one.all.q3, one.all.mean),
                    *(one.resolved.median, one.unresolved.median, one.limited),
                )
                for one in order
            ],
        ),
        "No run has a number of iterations.",
    )


def _middle(one: Lengths) -> str:
    median = one.all.median
    return median.reason if median.value is None else f"{plain(median.value)}, n {median.n:,}"


def success_by_length_section(found: LengthOutcomes) -> ResultSection:
    """Success by number of iterations."""
    chart = Bars(
        tuple(
            Bar(
                _span(one.low, one.high),
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
        "Runs of similar length and the share of them that resolved their task. A short run is not the same experiment "
        "as a long one cut short, and attempts at one task are alike: there is no interval.",
        ("iterations-and-success",),
        one_picture(
            "by-length-chart",
            "Share of resolved runs by number of iterations.",
            chart if found.bins else None,
        ),
        one_table(
            "by-length",
            "Success by number of iterations",
            (
                TableColumn("iterations", "Iterations", "text"),
                TableColumn("rate", "Resolved", "percent", "iterations-and-success"),
                TableColumn("resolved", "Resolved runs", "count"),
                TableColumn("runs", "Runs", "count"),
            ),
            [(_span(one.low, one.high), one.rate, one.resolved, one.runs) for one in found.bins],
        ),
        "No run has a number of iterations.",
    )


def _span(low: int, high: int) -> str:
    return f"{low}–{high}" if high > low else str(low)
