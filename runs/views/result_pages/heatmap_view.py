"""The heatmap of one repository, prepared for its template: texts and numbers of every cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal
from urllib.parse import urlencode

from django.urls import reverse

from runs.analysis.estimate import Estimate
from runs.analysis.outcomes.cell_counts import mean_test_rate
from runs.analysis.outcomes.standings import CellFacts
from runs.analysis.tasks.grid import GridLine, TaskGrid, grid
from runs.formatting.numbers import heat
from runs.models import Agent
from runs.queries import parameters
from tasks.models import Repository, Task

SHOWS: Mapping[Literal["resolved", "tests"], str] = {"resolved": "attempts resolved", "tests": "tests passed"}
ORDERS = {
    "difficulty": "stated difficulty",
    "measured": "measured difficulty",
    "name": "name",
    "clustered": "likeness (clustered)",
}
_GRADES: Mapping[str, int] = {
    Task.Difficulty.EASY: 0,
    Task.Difficulty.MEDIUM: 1,
    Task.Difficulty.HARD: 2,
    "": 3,
}


@dataclass(frozen=True, slots=True)
class HeatmapQuery:
    """The parameters of the heatmap; '' means all tasks."""

    show: Literal["resolved", "tests"]
    order: str
    difficulty: str
    category: str

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> HeatmapQuery:
        """Raises BadParameter for an invalid value."""
        return cls(
            show="tests" if parameters.choice(query, "show", SHOWS) == "tests" else "resolved",
            order=parameters.choice(query, "order", ORDERS, "difficulty"),
            difficulty=parameters.choice(query, "difficulty", Task.Difficulty.values),
            category=parameters.choice(query, "category", Task.Category.values),
        )

    def tasks(self, tasks: Sequence[Task]) -> list[Task]:
        """The tasks that match."""
        return [
            task
            for task in tasks
            if self.difficulty in ("", task.difficulty) and self.category in ("", task.category)
        ]

    def query(self) -> str:
        """The parameters as a query string, without defaults."""
        usual = {"show": "resolved", "order": "difficulty"}
        return urlencode(
            {name: value for name, value in asdict(self).items() if value not in ("", usual.get(name))}
        )


@dataclass(frozen=True, slots=True)
class HeatmapCell:
    """One cell, with its label and its tooltip. `href` is '' if the agent has no run at the task."""

    label: str
    heat: str
    hint: str
    href: str


@dataclass(frozen=True, slots=True)
class HeatmapRow:
    """One task with its rate over the competing agents."""

    task: Task
    rate: Estimate
    cells: tuple[HeatmapCell, ...]


@dataclass(frozen=True, slots=True)
class Heatmap:
    """Rows and columns in display order. A column is an agent with its rate. `rate`: the mean of the tasks' rates."""

    columns: tuple[tuple[Agent, Estimate], ...]
    rows: tuple[HeatmapRow, ...]
    rate: Estimate


def heatmap(
    repository: Repository,
    tasks: Sequence[Task],
    agents: Mapping[int, Agent],
    cells: Sequence[CellFacts],
    query: HeatmapQuery,
) -> Heatmap:
    """The heatmap of a repository. `agents`: all agents with a cell."""
    wanted = {task.pk: task for task in query.tasks(tasks)}
    calibrating = {agent.pk for agent in agents.values() if agent.is_calibration}
    made = _ordered(grid(cells, list(wanted), calibrating, query.show), wanted, query.order)
    by_pair = {(cell.task, cell.agent): cell for cell in cells}
    runs = reverse("runs")
    rows = []
    for line, values in zip(made.tasks, made.values, strict=True):
        task = wanted[line.name]
        shown = tuple(
            _cell(
                by_pair.get((task.pk, column.name)),
                value,
                query.show,
                f"{agents[column.name].name}, {task.title}",
                f"{runs}?agent={agents[column.name].slug}&task={repository.slug}/{task.slug}",
            )
            for column, value in zip(made.agents, values, strict=True)
        )
        rows.append(HeatmapRow(task, line.rate, shown))
    columns = tuple((agents[line.name], line.rate) for line in made.agents)
    return Heatmap(columns, tuple(rows), made.overall)


def _cell(cell: CellFacts | None, value: Estimate, show: str, who: str, href: str) -> HeatmapCell:
    if cell is None:
        return HeatmapCell("–", "h-none", f"{who}: no run", "")
    lost = f"; {cell.infrastructure_failed} lost to the infrastructure" if cell.infrastructure_failed else ""
    if not cell.attempts:
        return HeatmapCell("lost", "h-none", f"{who}: no graded attempt{lost}", href)
    tests = mean_test_rate(cell).value
    passed = "no tests known" if tests is None else f"{tests:.0%} of tests passed"
    hint = f"{who}: {cell.resolved} of {cell.attempts} attempts resolved, {passed}{lost}"
    share = "–" if tests is None else f"{tests:.0%}"
    label = share if show == "tests" else f"{cell.resolved}/{cell.attempts}"
    return HeatmapCell(label, heat(value.value), hint, href)


def _ordered(made: TaskGrid, tasks: Mapping[int, Task], order: str) -> TaskGrid:
    if order == "clustered":
        return made.clustered()

    def place(row: int) -> tuple[float, ...] | tuple[str, ...]:
        line = made.tasks[row]
        if order == "name":
            return (tasks[line.name].title.casefold(),)
        hardness = _hardness(line)
        grade = _GRADES[tasks[line.name].difficulty]
        return (hardness,) if order == "measured" else (grade, hardness)

    return made.arranged(sorted(range(len(made.tasks)), key=place))


def _hardness(line: GridLine) -> float:
    """Easiest first, untried last."""
    return 1.0 if line.rate.value is None else -line.rate.value
