"""The table of tasks × agents for the heatmap."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method
from runs.analysis.outcomes.cell_counts import (
    mean_test_rate,
    reports_tests,
    scores_by_task,
    tests_passed,
)
from runs.analysis.outcomes.passes import TaskScore, pass_rate
from runs.analysis.outcomes.standings import CellFacts, by_agent
from runs.analysis.statistics.intervals import clustered
from runs.analysis.statistics.means import of_shares
from runs.analysis.statistics.summaries import mean_of
from runs.analysis.tasks.likeness import by_likeness

Shown = Literal["resolved", "tests"]
NO_AGENT = "no competing agent has a graded attempt"


@dataclass(frozen=True, slots=True)
class GridLine:
    """One row or column with its overall rate. A calibrating agent is not part of the rates of tasks."""

    name: int
    rate: Estimate
    calibrates: bool = False


@dataclass(frozen=True, slots=True)
class TaskGrid:
    """`values[i][j]` for task i and agent j: a share from 0 to 1, None without a graded attempt or its tests.

    Competing agents come first, best first; then calibrating ones, in the same order. `overall`: the mean of the
    tasks' rates.
    """

    tasks: tuple[GridLine, ...]
    agents: tuple[GridLine, ...]
    values: tuple[tuple[float | None, ...], ...]
    overall: Estimate

    def arranged(self, tasks: Sequence[int], agents: Sequence[int] | None = None) -> TaskGrid:
        """The grid with tasks, and agents if given, in the order of these indices."""
        columns = range(len(self.agents)) if agents is None else agents
        return TaskGrid(
            tuple(self.tasks[row] for row in tasks),
            tuple(self.agents[column] for column in columns),
            tuple(tuple(self.values[row][column] for column in columns) for row in tasks),
            self.overall,
        )

    def clustered(self) -> TaskGrid:
        """The grid with similar tasks, and similar agents, next to each other: see `by_likeness`."""
        columns = [[row[column] for row in self.values] for column in range(len(self.agents))]
        return self.arranged(by_likeness(self.values), by_likeness(columns))


@method(
    "task-rate",
    "Success rate of a task",
    Section.TASKS,
    1,
    short="Success rate of a task: the share of attempts that resolve it, averaged over agents.",
    example="One agent with 2 of 2 and one with 0 of 5: 50 %.",
)
def task_rate(scores: Sequence[TaskScore]) -> Estimate:
    """The success rate of one task: the mean over agents of the share of their attempts that resolve it.

    It measures the difficulty of the task; agents that know the reference patch are excluded. `scores` has one entry
    for each agent.

    Formula: `Σ rⱼ ÷ m` over m agents with `rⱼ = resolved ÷ attempts`, with the interval of a mean over tasks, applied
    to agents.

    Source: IDE-Bench, E.1 and table 9 (mean over agents); the interval is ours, for the population of such agents.

    Units: a share from 0 to 1; n counts agents.

    Small n: no agent gives no value; one agent gives its own rate and a very wide interval.
    """
    tried = [score for score in scores if score.attempts]
    rates = [score.resolved / score.attempts for score in tried]
    return mean_of(rates, NO_AGENT, clustered(rates, [score.attempts for score in tried]))


@method(
    "task-test-rate",
    "Test pass rate of a task",
    Section.TASKS,
    2,
    short="The share of a task’s hidden tests that pass, averaged over attempts, then over agents.",
    example="Agents with 90 and 70 % of the tests: 80 %.",
)
def task_test_rate(rates: Sequence[float]) -> Estimate:
    """The test pass rate of one task: the mean over agents of the mean test pass rate of their attempts.

    Agents that know the reference patch are excluded.

    Formula: `Σ tⱼ ÷ m` over m agents, with the interval of a mean share over agents.

    Source: IDE-Bench F.3.3 (Test Pass Rate) of one run; the mean over agents is ours.

    Units: shares from 0 to 1; n counts agents.

    Small n: no agent with tests gives no value; one gives its own rate and a very wide interval.
    """
    if not rates:
        return Estimate.unknown("no competing agent has a test pass rate")
    return Estimate(min(1.0, math.fsum(rates) / len(rates)), len(rates), interval=of_shares(rates))


def grid(
    cells: Iterable[CellFacts],
    tasks: Sequence[int],
    calibrating: Collection[int] = (),
    show: Shown = "resolved",
) -> TaskGrid:
    """All `tasks`, in the given order, and every agent with a cell at one of them; other cells are ignored."""
    wanted = set(tasks)
    made = by_agent(cell for cell in cells if cell.task in wanted)
    scores = scores_by_task(made)
    rates = {
        agent: tests_passed(theirs.values(), reported=reports_tests(theirs.values()))
        if show == "tests"
        else pass_rate(list(scores.get(agent, {}).values()))
        for agent, theirs in made.items()
    }
    agents = sorted(
        (GridLine(agent, rate, agent in calibrating) for agent, rate in rates.items()),
        key=lambda line: (line.calibrates, -1 if line.rate.value is None else -line.rate.value, line.name),
    )
    values = [
        _test_rates(made[agent.name]) if show == "tests" else _shares(scores.get(agent.name, {}))
        for agent in agents
    ]
    competing = [place for place, agent in enumerate(agents) if not agent.calibrates]
    if show == "tests":
        lines = _test_lines(tasks, [values[place] for place in competing])
    else:
        lines = _lines(tasks, [scores.get(agents[place].name, {}) for place in competing])
    known = [line.rate.value for line in lines if line.rate.value is not None]
    columns = [map(theirs.get, tasks) for theirs in values]
    return TaskGrid(
        tuple(lines),
        tuple(agents),
        tuple(zip(*columns, strict=True)) if columns else ((),) * len(tasks),
        mean_of(known, NO_AGENT),
    )


def _shares(scores: Mapping[int, TaskScore]) -> dict[int, float | None]:
    """Of one agent: task → the share of its attempts that resolved it."""
    shares = {score: score.resolved / score.attempts for score in set(scores.values())}
    return {task: shares[score] for task, score in scores.items()}


def _test_rates(cells: Mapping[int, CellFacts]) -> dict[int, float | None]:
    """Of one agent: task → its mean test pass rate, without cells that have no graded attempt."""
    reported = reports_tests(cells.values())
    return {
        task: mean_test_rate(cell, reported=reported).value for task, cell in cells.items() if cell.attempts
    }


def _lines(tasks: Sequence[int], agents: Sequence[Mapping[int, TaskScore]]) -> list[GridLine]:
    """The tasks with their rates over these agents. Many tasks have the same scores, of whichever agents."""
    rates: dict[frozenset[tuple[TaskScore, int]], Estimate] = {}
    lines = []
    for task in tasks:
        counts = Counter([theirs[task] for theirs in agents if task in theirs])
        scores = frozenset(counts.items())
        if scores not in rates:
            rates[scores] = task_rate(list(counts.elements()))
        lines.append(GridLine(task, rates[scores]))
    return lines


def _test_lines(tasks: Sequence[int], agents: Sequence[Mapping[int, float | None]]) -> list[GridLine]:
    """The tasks with their test pass rates over these agents."""
    return [
        GridLine(task, task_test_rate([rate for theirs in agents if (rate := theirs.get(task)) is not None]))
        for task in tasks
    ]
