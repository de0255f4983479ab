"""Sections of the tasks topic: gaps between agents of similar rank, and success by stack or language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from runs.analysis.tasks.rank_gaps import AdjacentPair, RankGaps, TaskGap
from runs.analysis.tasks.spreads import TaskSpread
from runs.analysis.tasks.stacks import AgentInBucket, Bucket, BucketRate, StackTable
from runs.presentation.charts.axis import linear_axis, share_axis
from runs.presentation.charts.bars import Bar, Bars
from runs.presentation.charts.dots import Dot, Dots
from runs.presentation.formatting.numbers import counted, percent, plain
from runs.reporting.topics.section_parts import Columns, Field, matrix, one_picture, table_of
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import ResultSection, ResultTable, TableColumn

MAX_TASKS = 20
BEST = 3  # agents of each stack in the chart


class _GapRow(NamedTuple):
    """One task with a gap between two agents."""

    pair: AdjacentPair
    task: TaskGap


_TASKS: Columns[_GapRow] = (
    Field("task", "Task", "task", lambda it: it.task.task),
    Field("rank", "Rank", "count", lambda it: it.pair.rank),
    Field("first", "Agent of this rank", "agent", lambda it: it.pair.first),
    Field("first_rate", "Its rate", "percent", lambda it: it.task.first_rate),
    Field("second", "Agent of the next rank", "agent", lambda it: it.pair.second),
    Field("second_rate", "Its rate", "percent", lambda it: it.task.second_rate),
    Field("gap", "Gap in points", "points", lambda it: it.task.gap, "rank-gaps"),
)
_PAIRS: Columns[AdjacentPair] = (
    Field("first", "Agent", "agent", lambda it: it.first),
    Field("rank", "Rank", "count", lambda it: it.rank),
    Field("second", "Agent of the next rank", "agent", lambda it: it.second),
    Field("difference", "Difference of solved per attempt, points", "points", lambda it: it.difference),
    Field("gains", "Tasks with a gap, first better", "count", lambda it: it.gains, "rank-gaps"),
    Field("losses", "Tasks with a gap, next better", "count", lambda it: it.losses, "rank-gaps"),
    Field("compared", "Compared tasks", "count", lambda it: it.compared),
)


def gaps_section(data: TopicData, found: RankGaps) -> ResultSection:
    """Tasks at which agents of adjacent ranks differ by 100 points."""
    pairs = [pair for pair in found.pairs if pair.compared]
    rows = [_GapRow(pair, task) for pair in pairs for task in pair.gaps]
    return ResultSection(
        "gaps",
        "Gaps between adjacent ranks",
        "Tasks that all attempts of one agent resolve, and no attempt of the agent of the next rank, or the reverse. "
        "Ranks are by pass@1. Tasks at which one of the two has a single attempt are not compared.",
        ("rank-gaps",),
        one_picture(
            "gaps-chart",
            "Number of tasks with a gap of 100 points between each agent (with its rank) and that of the next rank.",
            _chart(data, pairs) if rows else None,
        ),
        (
            *table_of("gap-pairs", "Agents of adjacent ranks", _PAIRS, pairs),
            *table_of("gaps", "Tasks with a gap of 100 points", _TASKS, rows),
        ),
        "No two agents of adjacent ranks have two attempts at the same task.",
    )


def _chart(data: TopicData, pairs: Sequence[AdjacentPair]) -> Bars:
    return Bars(
        tuple(
            Bar(
                f"{pair.rank}: {data.name(pair.first)}",
                (float(pair.gains), float(pair.losses)),
                (str(pair.gains), str(pair.losses)),
                f"of {counted(pair.compared, 'task')}",
            )
            for pair in pairs
        ),
        linear_axis("tasks", [len(pair.gaps) for pair in pairs], plain, whole=True),
        ("only the higher rank resolves it", "only the lower rank resolves it"),
    )


def rates_table(data: TopicData, tasks: Sequence[TaskSpread]) -> tuple[ResultTable, ...]:
    """The item–rest correlation of each of the first tasks, with the rate of each agent beside it."""
    chosen = tasks[:MAX_TASKS]
    agents = [one.agent for one in data.outcomes.agents if any(one.agent in task.rates for task in chosen)]
    if not chosen:
        return ()
    columns = (
        TableColumn("task", "Task", "task"),
        TableColumn("item_rest", "r", "number", "item-rest"),
        *(TableColumn(agent, data.chart_name(agent), "shade") for agent in agents),
    )
    rows = tuple(
        (one.task, one.item_rest.value, *(one.rates.get(agent) for agent in agents)) for one in chosen
    )
    title = f"Success rate of each agent at the {counted(len(chosen), 'task')} with the highest item–rest correlation"
    return (ResultTable("rates", title, columns, rows, matrix=True),)


class _AgentRow(NamedTuple):
    """One agent in one stack or language."""

    bucket: Bucket
    agent: AgentInBucket


def stack_section(data: TopicData, by: str, found: StackTable) -> ResultSection:
    """Success by stack or by language (`by`), over tasks and over repositories."""
    k = found.k
    return ResultSection(
        f"by-{by}",
        f"Success by {by}",
        f"Solved per attempt (pass@1) over the tasks of each {by}; n counts tasks."
        + (
            " A task with several languages counts in each of them. Means and ranges are those of stacks."
            if by == "language"
            else " Means over repositories weight repositories equally, whatever their number of tasks. Ranges are "
            "from the lowest to the highest mean of a repository: they are not confidence intervals."
        ),
        ("stack-table",),
        one_picture(
            f"by-{by}-chart",
            f"pass@{k} of the best agents of each {by}: mean over its repositories, and the range from the lowest to "
            "the highest repository.",
            _ranges(data, found) if found.buckets else None,
        ),
        (*_matrix(data, by, found), *_repositories(by, found)),
        f"No task has a {by}.",
    )


def _matrix(data: TopicData, by: str, found: StackTable) -> tuple[ResultTable, ...]:
    rates = {
        (one.agent, bucket.label): one.pass_1.over_tasks for bucket in found.buckets for one in bucket.agents
    }
    agents = [one.agent for one in data.outcomes.agents if any(agent == one.agent for agent, _ in rates)]
    return matrix(
        f"by-{by}",
        f"Solved per attempt, by agent and {by}",
        agents,
        [(bucket.label, bucket.label) for bucket in found.buckets],
        lambda agent, label: rates.get((agent, label)),
        head=TableColumn("agent", "Agent", "agent"),
        shown=bool(found.buckets),
    )


def _repositories(by: str, found: StackTable) -> tuple[ResultTable, ...]:
    """Means over repositories with their ranges, by stack, the best agents first."""
    k = found.k
    columns: Columns[_AgentRow] = (
        Field(by, by.capitalize(), "text", lambda it: it.bucket.label),
        Field("agent", "Agent", "agent", lambda it: it.agent.agent),
        *_fields("pass_1", "Solved per attempt", lambda it: it.agent.pass_1),
        *(_fields("pass_k", f"pass@{k}", lambda it: it.agent.pass_k) if k > 1 else ()),
        Field("repositories", "Repositories", "count", lambda it: len(it.bucket.repositories)),
        Field("tasks", "Tasks", "count", lambda it: it.agent.pass_1.over_tasks.n),
    )
    rows = [_AgentRow(bucket, agent) for bucket in found.buckets for agent in bucket.agents]
    return table_of(
        f"by-{by}-repositories", f"Mean over the repositories of each {by}, by agent", columns, rows
    )


def _fields(name: str, title: str, rate: Callable[[_AgentRow], BucketRate]) -> Columns[_AgentRow]:
    return (
        Field(
            name,
            f"{title}, mean of repositories",
            "percent",
            lambda it: rate(it).over_repositories,
            "stack-table",
        ),
        Field(
            f"{name}_lowest",
            "Lowest repository",
            "percent",
            lambda it: e.low if (e := rate(it).range) else None,
        ),
        Field(
            f"{name}_highest",
            "Highest repository",
            "percent",
            lambda it: e.high if (e := rate(it).range) else None,
        ),
    )


def _ranges(data: TopicData, found: StackTable) -> Dots:
    return Dots(
        tuple(
            _range(f"{bucket.label}: {data.name(one.agent)}", one.pass_k)
            for bucket in found.buckets
            # By pass@k: agents are ordered by pass@1.
            for one in sorted(bucket.agents, key=lambda each: -(each.pass_k.over_repositories.value or 0.0))[
                :BEST
            ]
        ),
        share_axis(f"pass@{found.k}, mean of repositories"),
    )


def _range(name: str, rate: BucketRate) -> Dot:
    mean = rate.over_repositories
    if mean.value is None:
        return Dot(name, None, mean.reason)
    note = f"{percent(mean.value, 0)}, {counted(mean.n, 'repository', 'repositories')}"
    if rate.range is None:
        return Dot(name, mean.value, note)
    ends = f"{percent(rate.range.low, 0)} to {percent(rate.range.high, 0)}"
    return Dot(name, mean.value, note, rate.range.low, rate.range.high, hover=(note, ends))
