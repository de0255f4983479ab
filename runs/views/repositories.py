"""A repository: its tasks against all agents."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from runs.analysis.outcomes.passes import mean
from runs.models import Agent, Cell
from runs.queries import repositories_with_counts
from runs.views import asking
from runs.visibility import visible_repositories
from tasks.models import Task

SHOWS = {"resolved": "attempts resolved", "tests": "tests passed"}
ORDERS = {"difficulty": "difficulty", "measured": "measured difficulty", "name": "name"}
_GRADES = {Task.Difficulty.EASY: 0, Task.Difficulty.MEDIUM: 1, Task.Difficulty.HARD: 2}


@dataclass(frozen=True, slots=True)
class Square:
    """One cell of the heatmap; `value` None: no settled attempt. `label` says it without colour."""

    agent: Agent
    cell: Cell | None
    value: float | None
    label: str


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One task against all agents. `measured`: mean pass@1 of agents that were tried on it, None without."""

    task: Task
    squares: tuple[Square, ...]
    measured: float | None


@require_safe
def repositories(request: HttpRequest) -> HttpResponse:
    """All repositories, by dataset."""
    context = {"section": "repositories", "repositories": repositories_with_counts(request.user)}
    return render(request, "runs/repositories.html", context)


@require_safe
def repository(request: HttpRequest, slug: str) -> HttpResponse:
    """The heatmap of one repository."""
    found = get_object_or_404(visible_repositories(request.user), slug=slug)
    show = asking.choice(request.GET, "show", SHOWS, "resolved")
    order = asking.choice(request.GET, "order", ORDERS, "difficulty")
    cells = list(Cell.objects.filter(task__repository=found).select_related("agent", "agent__model"))
    agents = _best_first(cells)
    by_pair = {(cell.task_id, cell.agent_id): cell for cell in cells}
    rows = [
        _row(task, agents, {agent.pk: by_pair.get((task.pk, agent.pk)) for agent in agents}, show)
        for task in found.tasks.all()
    ]
    context = {
        "section": "repositories",
        "repository": found,
        "agents": agents,
        "rows": _ordered(rows, order),
        "show": show,
        "order": order,
        "shows": SHOWS,
        "orders": ORDERS,
    }
    template = "runs/_heatmap.html" if request.headers.get("X-Partial") else "runs/repository.html"
    return render(request, template, context)


def _best_first(cells: list[Cell]) -> list[Agent]:
    agents = {cell.agent_id: cell.agent for cell in cells}
    rates: dict[int, list[float]] = {pk: [] for pk in agents}
    for cell in cells:
        if cell.attempts:
            rates[cell.agent_id].append(cell.resolved / cell.attempts)
    return sorted(agents.values(), key=lambda agent: (-sum(rates[agent.pk]), agent.name.casefold()))


def _row(task: Task, agents: list[Agent], cells: dict[int, Cell | None], show: str) -> TaskRow:
    squares = tuple(_square(agent, cells[agent.pk], show) for agent in agents)
    rates = [cell.resolved / cell.attempts for cell in cells.values() if cell and cell.attempts]
    return TaskRow(task, squares, mean(rates))


def _square(agent: Agent, cell: Cell | None, show: str) -> Square:
    if cell is None or not cell.attempts:
        return Square(agent, cell, None, "no run" if cell is None else "failed")
    if show == "tests":
        value = cell.test_rate_sum / cell.tested if cell.tested else None
        return Square(agent, cell, value, "no tests" if value is None else f"{value:.0%}")
    return Square(agent, cell, cell.resolved / cell.attempts, f"{cell.resolved}/{cell.attempts}")


def _ordered(rows: list[TaskRow], order: str) -> list[TaskRow]:
    if order == "name":
        return sorted(rows, key=lambda row: row.task.title.casefold())
    if order == "measured":
        return sorted(rows, key=_hardness)
    return sorted(rows, key=lambda row: (_GRADES[Task.Difficulty(row.task.difficulty)], _hardness(row)))


def _hardness(row: TaskRow) -> float:
    """Easiest first, untried last."""
    return 1.0 if row.measured is None else -row.measured
