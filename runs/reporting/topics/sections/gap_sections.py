"""Sections of the tasks topic on tasks at which agents of similar rank differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runs.analysis.tasks.rank_gaps import AdjacentPair, RankGaps, TaskGap
from runs.analysis.tasks.spreads import TaskSpread
from runs.presentation.charts.axis import linear_axis
from runs.presentation.charts.bars import Bar, Bars
from runs.presentation.formatting.numbers import counted, plain
from runs.reporting.topics.section_parts import Columns, Field, one_picture, table_of
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import ResultSection, ResultTable, TableColumn

MAX_TASKS = 20


@dataclass(frozen=True, slots=True)
class _GapRow:
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
    Field("difference", "Difference of pass@1, points", "points", lambda it: it.difference),
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
    """σ of each of the first tasks, with the rate of each agent beside it."""
    chosen = [one for one in tasks if one.sigma.value][:MAX_TASKS]
    agents = [one.agent for one in data.outcomes.agents if any(one.agent in task.rates for task in chosen)]
    if not chosen:
        return ()
    columns = (
        TableColumn("task", "Task", "task"),
        TableColumn("sigma", "σ", "number3", "task-sigma"),
        *(TableColumn(agent, data.name(agent), "shade") for agent in agents),
    )
    rows = tuple((one.task, one.sigma.value, *(one.rates.get(agent) for agent in agents)) for one in chosen)
    title = f"Success rate of each agent at the {counted(len(chosen), 'task')} with the largest σ"
    return (ResultTable("rates", title, columns, rows, matrix=True),)
