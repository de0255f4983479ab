"""The section on budgets: success with more tool uses and submissions, and how difficult the solved tasks are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from runs.analysis.difficulty.budget_scaling import BudgetFamily, BudgetStep, budget_scaling
from runs.analysis.difficulty.hard_set import AXES
from runs.analysis.difficulty.solved_difficulty import SolvedDifficulty, solved_difficulty
from runs.analysis.difficulty.task_shares import resolved, task_share
from runs.analysis.facts import RunFacts, by_agent, sift
from runs.presentation.charts.axis import linear_axis, share_axis
from runs.presentation.charts.line_chart import Lines, Series
from runs.presentation.formatting.numbers import percent, plain
from runs.reporting.topics.section_parts import Columns, Field, one_picture, table_of
from runs.reporting.topics.sections.function_sections import title_of
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import ResultSection, Term

Step = tuple[str, BudgetStep]
_STEPS: Columns[Step] = (
    Field("agent", "Agent", "agent", lambda it: it[1].agent),
    Field("origin", "Origin", "text", lambda it: it[0]),
    Field("tool_uses", "Tool uses", "count", lambda it: it[1].tool_uses),
    Field("submissions", "Submissions", "count", lambda it: it[1].submissions),
    Field("rate", "Resolved", "percent", lambda it: it[1].rate, "budget-scaling"),
    Field("gain", "Points above the smaller budget", "points", lambda it: it[1].gain, "budget-scaling"),
)
Solved = tuple[str, SolvedDifficulty]
_SOLVED: Columns[Solved] = (
    Field("first", "Agent", "agent", lambda it: it[1].first),
    Field("second", "Other agent", "agent", lambda it: it[1].second),
    Field("origin", "Origin", "text", lambda it: it[0]),
    Field("measure", "Measure", "text", lambda it: Term(it[1].measure, title_of(it[1].measure))),
    Field("first_median", "Median", "number1", lambda it: it[1].first_values.median, "quantiles"),
    Field(
        "second_median", "Median of the other", "number1", lambda it: it[1].second_values.median, "quantiles"
    ),
    Field("u", "U", "number1", lambda it: it[1].u, "solved-difficulty"),
    Field("p", "p", "number4", lambda it: it[1].p, "solved-difficulty"),
    Field("d", "Cohen's d", "number", lambda it: it[1].d, "solved-difficulty"),
)


def budget_section(data: TopicData, generated: Mapping[str, Sequence[RunFacts]]) -> ResultSection:
    """Families of agents by budget, and pairs of agents by the difficulty of the tasks that they solved."""
    found = {origin: budget_scaling(runs, data.settings).families for origin, runs in generated.items()}
    steps: list[Step] = [
        (origin, step) for origin, families in found.items() for family in families for step in family.steps
    ]
    solved = [row for origin, runs in generated.items() for row in _solved(data, origin, runs, found[origin])]
    return ResultSection(
        "budgets",
        "Budgets, and what their successes are",
        "Agents that differ only in how many tools they may use and how often they may submit, at the tasks that all "
        "of them tried. The other table compares the tasks that two agents solved: the budgets above, else neighbours "
        "by success. A difference says along which measure the further successes lie; p treats tasks as independent.",
        ("budget-scaling", "solved-difficulty"),
        one_picture(
            "budgets-chart",
            "Success by the number of tool uses, for agents that differ in their budgets only, by origin of tasks.",
            _chart(data, found),
        ),
        (
            *table_of("budgets", "Success by budget", _STEPS, steps),
            *table_of(
                "solved-difficulty", "How difficult the tasks are that two agents solved", _SOLVED, solved
            ),
        ),
        "No two agents differ in their budgets only, and no two agents solved tasks whose measures are known.",
    )


def _chart(data: TopicData, found: Mapping[str, Sequence[BudgetFamily]]) -> Lines | None:
    series = []
    for origin, family in ((origin, family) for origin, families in found.items() for family in families):
        known = [
            (step.tool_uses, step) for step in family.steps if step.tool_uses and step.rate.value is not None
        ]
        if len(known) > 1:
            series.append(
                Series(
                    f"{data.name(known[-1][1].agent)}, {origin}",
                    tuple((uses, step.rate.value or 0.0) for uses, step in known),
                    tuple(
                        f"{uses} tool uses: {percent(step.rate.value)}, n {step.rate.n}"
                        for uses, step in known
                    ),
                )
            )
    if not series:
        return None
    uses = [x for each in series for x, _ in each.points]
    return Lines(tuple(series), linear_axis("tool uses", uses, plain, whole=True), share_axis("resolved"))


def _solved(
    data: TopicData, origin: str, runs: Sequence[RunFacts], families: Sequence[BudgetFamily]
) -> Iterator[Solved]:
    for first, second in _pairs(runs, families):
        for measure in AXES:
            found = solved_difficulty(runs, data.measures, measure, first, second)
            if found.u.n:
                yield origin, found


def _pairs(runs: Sequence[RunFacts], families: Sequence[BudgetFamily]) -> Sequence[tuple[str, str]]:
    """The largest and the smallest budget of each family; without a family, agents with neighbouring success."""
    if families:
        return [(family.steps[-1].agent, family.steps[0].agent) for family in families]
    rates = {
        agent: task_share(theirs, resolved).value or 0.0
        for agent, theirs in by_agent(sift(runs).usable).items()
    }
    return list(pairwise(sorted(rates, key=lambda agent: (-rates[agent], agent))))
