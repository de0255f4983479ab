"""Topic: how far agents differ at each task, and which agents solve it."""

from __future__ import annotations

from collections.abc import Sequence

from runs.analysis.outcomes.solved import solved_within
from runs.analysis.statistics.correlations import MIN_COUNT
from runs.analysis.tasks.rank_gaps import rank_gaps
from runs.analysis.tasks.spreads import FALSE_SHARE, TaskSpread, TaskSpreads, task_spreads
from runs.analysis.tasks.stacks import languages_of, stack_table
from runs.analysis.tasks.tiers import Solvers, Tiers, tiers
from runs.presentation.charts.axis import linear_axis, share_axis
from runs.presentation.charts.bars import Bar, Bars
from runs.presentation.charts.scatter import Scatter, ScatterPoint
from runs.presentation.formatting.numbers import any_of_first, correlation, counted, p_value, percent, plain
from runs.reporting.topics.section_parts import Columns, Field, one_picture, one_table, table_of
from runs.reporting.topics.sections.repository_sections import repositories_section
from runs.reporting.topics.sections.task_sections import gaps_section, rates_table, stack_section
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import ResultSection, TableColumn

NAMED = 5


def sections(data: TopicData) -> tuple[str, tuple[ResultSection, ...]]:
    """Which tasks tell agents apart, who solves what, and success by stack and language."""
    spreads = task_spreads(data.runs, seed=data.seed)
    found = tiers(solved_within(data.runs, data.k))
    return _summary(spreads, found), (
        _spreads(data, spreads),
        gaps_section(data, rank_gaps(data.runs)),
        repositories_section(data),
        _tiers(data, found),
        _alone(data, found),
        stack_section(data, "stack", stack_table(data.runs, k=data.k)),
        stack_section(data, "language", stack_table(data.runs, languages_of, data.k)),
    )


def _summary(spreads: TaskSpreads, found: Tiers) -> str:
    if not spreads.tasks:
        return "No task was tried."
    hard, easy = len(found.of("hard")), len(found.of("easy"))
    within = counted(found.k, "attempt")
    are = "is" if hard == 1 else "are"
    return f"{_apart(spreads)}. Within {within}, {hard:,} {are} solved by no agent, {easy:,} by every agent that tried."


def _apart(spreads: TaskSpreads) -> str:
    """How many tasks tell better agents from worse ones."""
    compared = spreads.compared
    agents = max(len(one.rates) for one in spreads.tasks)
    if agents < MIN_COUNT:
        tried = f"{counted(agents, 'agent')} tried a task, and a correlation needs {MIN_COUNT}"
        return f"Which tasks tell agents apart is unknown: {tried}"
    if not compared:
        return "No task is solved by some agents and not by others"
    few, most = min(one.item_rest.n for one in compared), max(one.item_rest.n for one in compared)
    over = counted(most, "agent") if few == most else f"{few:,} to {counted(most, 'agent')}"
    against = sum(one.is_reversed for one in compared)
    reversed_ones = f", {against:,} the other way round" if against else ""
    return (
        f"Of {counted(len(compared), 'task')} that some agents solve and others do not, "
        f"{len(spreads.discriminative):,} tell better agents from worse ones{reversed_ones} "
        f"(item–rest correlation over {over}, at most {percent(FALSE_SHARE, 0)} of them by chance)"
    )


_SPREADS: Columns[TaskSpread] = (
    Field("task", "Task", "task", lambda it: it.task),
    Field("item_rest", "Item–rest correlation", "number", lambda it: it.item_rest, "item-rest"),
    Field("p", "p", "number4", lambda it: it.p.value),
    Field("p_corrected", "Corrected p", "number4", lambda it: it.corrected.value, "false-discoveries"),
    Field("tells_apart", "Tells agents apart", "flag", lambda it: it.tells_apart, "discriminative-tasks"),
    Field("mean_rate", "Resolved, mean of agents", "percent", lambda it: it.mean_rate),
)
_SIGMAS: Columns[TaskSpread] = (
    Field("sigma", "Variation between agents (σ)", "number3", lambda it: it.sigma, "task-sigma"),
    Field("by_chance", "Variation by chance (σ)", "number3", lambda it: it.by_chance, "task-sigma-by-chance"),
)


def _spreads(data: TopicData, spreads: TaskSpreads) -> ResultSection:
    repeated = any(one.sigma.value is not None for one in spreads.tasks)
    return ResultSection(
        "spreads",
        "Which tasks tell agents apart",
        "The item–rest correlation is that of the agents' rates at a task and at all other tasks: near 1 better agents "
        "solve it and weaker ones do not, near 0 the task says nothing about agents, below 0 weaker agents solve it "
        "more often. A task tells agents apart if its correlation is above 0 and p, corrected for all tasks, is at "
        f"most {FALSE_SHARE}: at most {percent(FALSE_SHARE, 0)} of these tasks are expected to be wrong. In the chart "
        "they are filled." + (_ABOUT_SIGMA if repeated else ""),
        ("item-rest", "false-discoveries", "discriminative-tasks", *(_SIGMA_METHODS if repeated else ())),
        one_picture(
            "spreads-chart",
            "Each task by the share of attempts that resolve it and by its item–rest correlation.",
            _chart(spreads.compared) if spreads.compared else None,
        ),
        (
            *rates_table(data, spreads.compared),
            *table_of(
                "spreads",
                "Tasks by item–rest correlation",
                (*_SPREADS, *(_SIGMAS if repeated else ())),
                spreads.tasks,
            ),
        ),
        "No task was tried.",
    )


_SIGMA_METHODS = ("task-sigma", "task-sigma-by-chance")
_ABOUT_SIGMA = (
    " σ is the standard deviation over agents of the share of attempts that resolve the task; “by chance” is that "
    "expected of equally good agents with so few attempts: a σ near it means little."
)


def _chart(known: Sequence[TaskSpread]) -> Scatter:
    return Scatter(
        tuple(
            ScatterPoint(
                one.task.partition("/")[2],
                one.mean_rate.value or 0.0,
                one.item_rest.value or 0.0,
                hollow=not one.tells_apart,
                named=place < NAMED,
                hover=(
                    f"r {correlation(one.item_rest.value or 0.0)}, p {p_value(one.p.value or 0.0)}",
                    f"resolved {percent(one.mean_rate.value)}, n {one.item_rest.n}",
                ),
            )
            for place, one in enumerate(known)
        ),
        share_axis("resolved, mean of agents"),
        linear_axis("item–rest correlation", [one.item_rest.value or 0.0 for one in known], correlation),
    )


def _tiers(data: TopicData, found: Tiers) -> ResultSection:
    most = max(found.solved_by, default=0)
    chart = Bars(
        tuple(
            Bar(
                f"by {counted(agents, 'agent')}" if agents else "by no agent",
                (count,),
                note=counted(count, "task"),
            )
            for agents, count in enumerate(found.solved_by)
        ),
        linear_axis("tasks", [most], plain, whole=True),
        ("tasks",),
    )
    columns: Columns[Solvers] = (
        Field("task", "Task", "task", lambda it: it.task),
        Field("tier", "Tier", "text", lambda it: it.tier, "difficulty-tiers"),
        Field("solvers", "Solved by", "count", lambda it: len(it.by)),
        Field("decided", "Decided agents", "count", lambda it: it.decided),
        Field("complete", "All decided", "flag", lambda it: it.complete),
        Field("who", "Who", "text", lambda it: data.names(it.by) or "nobody"),
    )
    order = sorted(found.tasks, key=lambda one: (len(one.by), one.task))
    undecided = (
        f" Undecided for all agents: {counted(len(found.undecided), 'task')}." if found.undecided else ""
    )
    return ResultSection(
        "tiers",
        "Who solves what",
        f"A task is solved if {any_of_first(found.k, 'attempt')} resolved it; with too few attempts and no "
        f"success it is undecided. Easy: solved by all decided agents; hard: by none; medium: by some.{undecided}",
        ("difficulty-tiers", "solved-within-k"),
        one_picture(
            "tiers-chart",
            "Number of tasks by the number of agents that solve them.",
            chart if order else None,
        ),
        table_of("tiers", "Tasks by number of solvers, the hardest first", columns, order),
        "No task was tried.",
    )


def _alone(data: TopicData, found: Tiers) -> ResultSection:
    rows = sorted(
        ((agent, tasks) for agent, tasks in found.alone.items() if tasks),
        key=lambda row: (-len(row[1]), row[0]),
    )
    several = len(found.alone) > 1
    return ResultSection(
        "alone",
        "Which tasks only one agent solves",
        "Tasks that exactly one agent solves, if this is known for all agents.",
        ("difficulty-tiers",),
        (),
        one_table(
            "alone",
            "Tasks solved by one agent alone",
            (
                TableColumn("agent", "Agent", "agent"),
                TableColumn("tasks", "Tasks", "count"),
                TableColumn("which", "Which", "text"),
            ),
            [(agent, len(tasks), ", ".join(tasks)) for agent, tasks in rows],
        )
        if several
        else (),
        "No task is solved by one agent alone."
        if several
        else f"There is no agent besides {data.names(found.alone)}."
        if found.alone
        else "No agent has a graded attempt.",
    )
