"""The list of all tasks, with filters, and the same rows as a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from runs.data.cells.boards import all_boards
from runs.data.lists.task_list import (
    SHARES,
    TaskEvidence,
    TaskLine,
    TaskListQuery,
    evidence_of,
    share_counts,
    task_choices,
    task_lines,
)
from runs.data.queries import parameters
from runs.data.queries.visibility import sees_hidden
from runs.views.result_pages.list_exports import list_response
from runs.views.result_pages.share_bars import share_bars
from tasks.models import Task

PAGE = 50
_ORIGINS: Mapping[str, str] = {
    Task.Origin.HAND_MADE: "by hand",
    Task.Origin.REMOVED: "from a removed function",
    Task.Origin.CORRUPTED: "from a corrupted function",
    Task.Origin.MULTIPLE: "from several functions",
    Task.Origin.PULL_REQUEST: "from a pull request",
    Task.Origin.RELEASE: "from a release",
}
_FOLDED = ("language", "difficulty", "category", "origin")  # filters that are seldom used
TASK_COLUMNS = (
    *("dataset", "repository", "task", "title", "languages", "difficulty", "category", "origin"),
    *("agents_tried", "agents_solved", "share_solved", "attempts", "near_misses", "replays_here", "url"),
)


class ShownTask(NamedTuple):
    """A row of the list."""

    line: TaskLine
    evidence: TaskEvidence


class TaskColumns(NamedTuple):
    """The columns of the list that say something: what was chosen, or is of no task, has none."""

    repository: bool
    board: bool
    solved: bool
    attempts: bool
    near: bool
    replays: bool


@require_safe
@vary_on_headers("X-Partial")
def tasks(request: HttpRequest) -> HttpResponse:
    """Tasks that match the filters of the address, the hardest first by default."""
    query = TaskListQuery.from_query(request.GET)
    boards = all_boards()
    every = task_lines(query, request.user, boards)
    lines = _chosen(every, query)
    page = parameters.page_of(request, lines, PAGE)
    evidence = evidence_of([line.pk for line in page.object_list], request.user)
    choices = task_choices(query, request.user)
    rows = [ShownTask(line, evidence.get(line.pk, TaskEvidence())) for line in page.object_list]
    repositories = len({line.repository_pk for line in lines})
    texts = {
        "dataset": {**dict(choices["datasets"]), **{one.dataset: one.title for one in boards.entries}},
        "repository": dict(choices["repositories"]),
        "share": SHARES,
        "origin": _ORIGINS,
    }
    context = {
        "section": "tasks",
        "selection": query,
        "query": query.query(),
        "chips": list(query.chips(texts)),
        "sorting": query.sorting(),
        "page": page,
        "rows": rows,
        "columns": TaskColumns(
            repository=not query.repository and not (query.dataset and repositories == 1),
            board=not query.dataset,
            solved=any(row.line.totals.group != "untried" for row in rows),
            attempts=any(row.line.totals.counted for row in rows),
            near=any(row.evidence.near for row in rows),
            replays=any(row.evidence.replays for row in rows),
        ),
        "count": len(lines),
        "tried": sum(line.totals.tried > 0 for line in every),
        "unsolved": sum(line.totals.group == "none" for line in every),
        "repositories": repositories,
        "bars": share_bars(query, share_counts(every)),
    }
    if request.headers.get("X-Partial"):
        return render(request, "runs/tasks/_list.html", context)
    form = {
        **choices,
        "difficulties": Task.Difficulty.values,
        "categories": Task.Category.values,
        "origins": _ORIGINS,
        "shares": {
            value: text for value, text in SHARES.items() if value != "hidden" or sees_hidden(request.user)
        },
    }
    more = query.active(_FOLDED)
    return render(request, "runs/tasks/list.html", {**context, "choices": form, "more": more})


@require_safe
def tasks_export(request: HttpRequest, suffix: str) -> HttpResponse:
    """All tasks that match, as a file."""
    query = TaskListQuery.from_query(request.GET)
    lines = _chosen(task_lines(query, request.user, all_boards()), query)
    evidence = evidence_of(None, request.user)
    rows = [_record(request, line, evidence.get(line.pk, TaskEvidence())) for line in lines]
    return list_response(rows, TASK_COLUMNS, "tasks", suffix)


def _chosen(lines: Sequence[TaskLine], query: TaskListQuery) -> list[TaskLine]:
    return [line for line in lines if query.share in {"", line.totals.group}]


def _record(request: HttpRequest, line: TaskLine, evidence: TaskEvidence) -> dict[str, Any]:
    return {
        "dataset": line.dataset,
        "repository": line.repository,
        "task": line.slug,
        "title": line.title,
        "languages": list(line.languages),
        "difficulty": line.difficulty or None,
        "category": line.category or None,
        # How the tasks of others were made is unknown, and is stored as if it were known.
        "origin": None if line.reported_by else line.origin,
        "agents_tried": line.totals.tried if line.totals.counted else None,
        "agents_solved": line.totals.solved if line.totals.tried else None,
        "share_solved": line.totals.share,
        "attempts": line.totals.attempts if line.totals.counted else None,
        "near_misses": evidence.near if line.totals.counted else None,
        "replays_here": evidence.replays,
        "url": request.build_absolute_uri(line.get_absolute_url()),
    }
