"""A task: what it asks, why it may be asked, and who can do it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from harness.dataset import Strength
from runs.models import Run
from runs.queries import visible_runs
from runs.views.prose import blocks
from runs.views.trajectory import cached_tests
from runs.visibility import visible_tasks
from tasks.models import Task

COLUMNS = 40


@dataclass(frozen=True, slots=True)
class Matrix:
    """Tests against attempts; a status is '' where an attempt's report does not name the test."""

    runs: tuple[Run, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    left_out: int


@require_safe
def task(request: HttpRequest, repository: str, task: str) -> HttpResponse:
    """One task across agents."""
    found = get_object_or_404(
        visible_tasks(request.user),
        repository__slug=repository,
        slug=task,
    )
    runs = visible_runs(request.user).filter(
        task=found, state=Run.State.FINISHED, evaluation__listed=True, tests_total__gt=0
    )
    cells = found.cells.select_related("agent", "agent__model").order_by("-resolved", "agent__name")
    context = {
        "section": "repositories",
        "task": found,
        "description": blocks(found.description),
        "proof": found.proof,
        "strength": strength(found),
        "cells": cells,
        "matrix": matrix(list(runs.order_by("agent__name", "attempt", "pk")), COLUMNS),
    }
    return render(request, "runs/task.html", context)


def strength(task: Task) -> list[str]:
    """What is known of how strong its tests are; nothing where its proof does not say."""
    match task.proof:
        case {"strength": dict(stored)}:
            return Strength.from_json(stored).sentences(task.tests_total)
    return []


def matrix(runs: Sequence[Run], columns: int) -> Matrix | None:
    """The tests of at most `columns` attempts whose run directories are here; hardest test first. None without any."""
    reports = [(run, cached_tests(run.path)) for run in runs[:columns]]
    known = [(run, {test.id: test.status.value for test in tests}) for run, tests in reports if tests]
    if not known:
        return None
    ids = dict.fromkeys(test for _, statuses in known for test in statuses)
    rows = [(test, tuple(statuses.get(test, "") for _, statuses in known)) for test in ids]
    rows.sort(key=lambda row: row[1].count("passed"))
    return Matrix(tuple(run for run, _ in known), tuple(rows), len(runs) - len(known))
