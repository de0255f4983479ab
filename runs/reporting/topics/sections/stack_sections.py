"""Section of the tasks topic on success by stack or language, with the range over repositories."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from runs.analysis.tasks.stacks import AgentInBucket, Bucket, BucketRate, StackTable
from runs.presentation.charts.axis import share_axis
from runs.presentation.charts.dots import Dot, Dots
from runs.presentation.formatting.numbers import counted, percent
from runs.reporting.topics.section_parts import Columns, Field, matrix, one_picture, table_of
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import ResultSection, ResultTable, TableColumn

BEST = 3  # agents of each stack in the chart


@dataclass(frozen=True, slots=True)
class _AgentRow:
    """One agent in one stack or language."""

    bucket: Bucket
    agent: AgentInBucket


def stack_section(data: TopicData, by: str, found: StackTable) -> ResultSection:
    """Success by stack or by language (`by`), over tasks and over repositories."""
    k = found.k
    return ResultSection(
        f"by-{by}",
        f"Success by {by}",
        f"pass@1 over the tasks of each {by}; n counts tasks."
        + (" A task with several languages counts in each of them." if by == "language" else "")
        + " Means over repositories weight repositories equally, whatever their number of tasks. Ranges are from the "
        "lowest to the highest mean of a repository: they are not confidence intervals.",
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
        f"pass@1 by agent and {by}",
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
        *_fields("pass_1", "pass@1", lambda it: it.agent.pass_1),
        *(_fields("pass_k", f"pass@{k}", lambda it: it.agent.pass_k) if k > 1 else ()),
        Field("repositories", "Repositories", "count", lambda it: len(it.bucket.repositories)),
        Field("tasks", "Tasks", "count", lambda it: it.agent.pass_1.over_tasks.n),
    )
    rows = [_AgentRow(bucket, agent) for bucket in found.buckets for agent in bucket.agents]
    return table_of(
        f"by-{by}-repositories", f"Mean over the repositories of each {by}, by agent", columns, rows
    )


def _fields(name: str, title: str, rate: Callable[[_AgentRow], BucketRate]) -> Columns[_AgentRow]:
    def low(row: _AgentRow) -> float | None:
        ends = rate(row).range
        return None if ends is None else ends.low

    def high(row: _AgentRow) -> float | None:
        ends = rate(row).range
        return None if ends is None else ends.high

    return (
        Field(
            name,
            f"{title}, mean of repositories",
            "percent",
            lambda it: rate(it).over_repositories,
            "stack-table",
        ),
        Field(f"{name}_lowest", "Lowest repository", "percent", low),
        Field(f"{name}_highest", "Highest repository", "percent", high),
    )


def _ranges(data: TopicData, found: StackTable) -> Dots:
    return Dots(
        tuple(
            _range(f"{bucket.label}: {data.name(one.agent)}", one.pass_k)
            for bucket in found.buckets
            for one in _best(bucket.agents)
        ),
        share_axis(f"pass@{found.k}, mean of repositories"),
    )


def _best(agents: Sequence[AgentInBucket]) -> list[AgentInBucket]:
    """By pass@k: agents are ordered by pass@1."""
    return sorted(agents, key=lambda one: -(one.pass_k.over_repositories.value or 0.0))[:BEST]


def _range(name: str, rate: BucketRate) -> Dot:
    mean = rate.over_repositories
    if mean.value is None:
        return Dot(name, None, mean.reason)
    note = f"{percent(mean.value, 0)}, {counted(mean.n, 'repository', 'repositories')}"
    if rate.range is None:
        return Dot(name, mean.value, note)
    ends = f"{percent(rate.range.low, 0)} to {percent(rate.range.high, 0)}"
    return Dot(name, mean.value, note, rate.range.low, rate.range.high, hover=(note, ends))
