"""An agent: who it is, and how it does where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from runs.analysis.outcomes.cell_counts import CellCount
from runs.analysis.outcomes.standings import Rate, Standing, Standings, rate_of
from runs.analysis.outcomes.table import outcomes_of
from runs.charts import agents as charts
from runs.models import Agent, Cell, Run
from runs.profiles import profile_of
from runs.queries import agents_by_id, all_standings, visible_runs
from runs.templatetags.numbers import duration, percent
from runs.visibility import without_hidden
from tasks.models import Task

LATEST = 20


@dataclass(frozen=True, slots=True)
class Slice:
    """An agent's results on some of the tasks."""

    label: str
    slug: str
    tasks: int
    attempts: int
    resolved: int
    pass_1: Rate
    tests: float | None


@dataclass(frozen=True, slots=True)
class Compared:
    """One agent of the chart, and of the table beside it."""

    agent: Agent
    standing: Standing
    here: bool


@require_safe
def agent(request: HttpRequest, slug: str) -> HttpResponse:
    """Profile, settings, results by repository and difficulty, the latest runs, and where it stands among all."""
    found = get_object_or_404(Agent.objects.select_related("model"), slug=slug)
    cells = list(
        without_hidden(found.cells.filter(attempts__gt=0)).select_related("task", "task__repository")
    )
    everyone = all_standings()
    marks = _marks(everyone, found)
    context = {
        "section": "leaderboard",
        "agent": found,
        "profile": profile_of(found),
        "standing": next((mark.standing for mark in marks if mark.here), None),
        "by_repository": _slices((c.task.repository.title, c.task.repository.slug, c) for c in cells),
        "by_difficulty": _slices((c.task.difficulty, c.task.difficulty, c) for c in cells),
        "by_category": _slices((c.task.category, c.task.category, c) for c in cells),
        "runs": visible_runs(request.user).filter(agent=found, state=Run.State.FINISHED)[:LATEST],
        "marks": marks,
        "chart": charts.time_against_pass_rate(
            [mark for compared in marks if (mark := _mark(compared))], duration, percent
        ),
    }
    return render(request, "runs/agent.html", context)


def _marks(everyone: Standings, here: Agent) -> list[Compared]:
    agents = agents_by_id(row.agent for row in everyone.rows)
    return [Compared(agents[row.agent], row, row.agent == here.pk) for row in everyone.rows]


def _mark(compared: Compared) -> charts.Mark | None:
    """Where an agent is in the chart; nowhere, when none of its records holds a duration."""
    rate, seconds = compared.standing.pass_1, compared.standing.seconds_per_attempt
    if seconds is None:
        return None
    return charts.Mark(
        name=compared.agent.name,
        seconds=seconds,
        pass_1=rate.value,
        low=rate.interval.low,
        high=rate.interval.high,
        calibration=compared.agent.is_calibration,
        here=compared.here,
    )


def _slices(labelled: Iterable[tuple[str, str, Cell]]) -> list[Slice]:
    groups: dict[tuple[str, str], list[Cell]] = defaultdict(list)
    for label, slug, cell in labelled:
        groups[label, slug].append(cell)
    return [_slice(label, slug, groups[label, slug]) for label, slug in sorted(groups, key=_place)]


def _place(name: tuple[str, str]) -> tuple[int, str]:
    """Difficulties from easy to hard, everything else by name."""
    grades = Task.Difficulty.values
    return grades.index(name[0]) if name[0] in grades else 0, name[0]


def _slice(label: str, slug: str, cells: list[Cell]) -> Slice:
    (found,) = outcomes_of(
        CellCount(
            *(cell.agent_id, cell.task_id, cell.attempts, cell.resolved),
            test_rate_sum=cell.test_rate_sum,
            tested=cell.tested,
        )
        for cell in cells
    ).agents
    pass_1 = rate_of(found.pass_1)
    assert pass_1 is not None, "a slice has a cell with an attempt"
    return Slice(label, slug, found.tasks, found.attempts, found.resolved, pass_1, found.tests.value)
