"""The list of runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import parse_qsl

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from harness.limits import Ending
from harness.records import Outcome
from runs.data.cache.page_cache import shown_version
from runs.data.cache.reading_once import reading_once
from runs.data.cache.results import cached, datasets_version
from runs.data.cells.boards import all_boards
from runs.data.queries import parameters
from runs.data.queries.board_names import BoardName
from runs.data.queries.exploit_filter import EXPLOITS
from runs.data.queries.filters import ORIGINS, RunFilter
from runs.data.queries.replay_filter import REPLAYS
from runs.data.queries.run_list import MAX_COUNT, MAX_PAGES, SIGNS, RunListQuery, page_of
from runs.data.queries.visibility import (
    Reader,
    visible_agents,
    visible_evaluations,
    visible_repositories,
    visible_tasks,
)
from runs.models import Run
from runs.presentation.formatting.text import words
from runs.views.result_pages.test_matrix import matrix, stripes_of

MAX_TASKS = 200  # of a list to choose from
# Filters that are seldom used.
_FOLDED = frozenset(
    {
        "repository",
        "task",
        "evaluation",
        "ending",
        "state",
        "origin",
        "listed",
        "sign",
        "exploit",
        "since",
        "until",
    }
)


@require_safe
@vary_on_headers("X-Partial")
@reading_once()
def runs(request: HttpRequest) -> HttpResponse:
    """Runs that match the filters of the URL, newest first by default.

    If the filters select one cell, each run shows its tests, and their matrix is below the list.
    """
    query = RunListQuery.from_query(request.GET)
    number = parameters.whole(request.GET, "page", 1, least=1, most=MAX_PAGES)
    page = page_of(query, request.user, number, on_boards=_on_boards)
    cell = query.cell(request.user)
    graded = _graded(page.runs, query.filter)
    names = {}
    if query.filter.agent and page.runs:
        names["agent"] = page.runs[0].agent.name
    if query.filter.evaluation and page.runs:
        names["evaluation"] = page.runs[0].evaluation.title
    if query.filter.repository and page.runs:
        names["repository"] = page.runs[0].task.repository.title
    if query.filter.dataset and (board := all_boards().of(query.filter.dataset)):
        names["dataset"] = board.title
    context: dict[str, object] = {
        "section": "runs",
        "selection": query,
        "chips": list(query.chips(names)),
        "page": page,
        "query": query.query(),
        "newest": query.query(sort=""),
        "sorting": query.sorting(),
        "most": MAX_COUNT,
        "cell": cell,
        "one_repository": bool(query.filter.repository or query.filter.task),
        "strips": stripes_of(graded) if cell else {},
        "matrix": matrix(graded, page.count) if cell else None,
    }
    if request.headers.get("X-Partial"):
        return render(request, "runs/list/_list.html", context)
    more = sum(name in _FOLDED for name, _ in parse_qsl(query.query()))
    return render(request, "runs/list/page.html", {**context, **_choices(request.user, query), "more": more})


def _on_boards() -> int:
    """How many runs the boards count: each of them is a run that everybody may see and that is over."""
    return sum(board.attempts for board in all_boards().entries)


def _graded(shown: Iterable[Run], chosen: RunFilter) -> list[Run]:
    """The runs with a verdict, by attempt: those that count, unless the filter names trials or an evaluation."""
    every = bool(chosen.listed or chosen.evaluation)
    graded = (run for run in shown if run.outcome in Run.VERDICTS and (every or run.evaluation.listed))
    return sorted(graded, key=lambda run: (run.attempt, run.pk))


def _choices(reader: Reader, query: RunListQuery) -> dict[str, object]:
    """The choices of the filter form."""
    names, chosen = _names(reader), query.filter
    some = chosen.repository or chosen.dataset
    boards = {board.dataset: board.title for board in all_boards().entries}
    return {
        # The name of a dataset without a board, or of all its boards, stays chosen.
        "datasets": boards | {name: boards.get(name, name) for name in filter(None, [chosen.dataset])},
        "evaluations": names.evaluations,
        "agents": names.agents,
        "repositories": names.repositories,
        "tasks": _fitting(_tasks(reader, chosen) if some else names.tasks, chosen.task),
        "outcomes": [(outcome, words(outcome)) for outcome in Outcome],
        "endings": [(ending, words(ending)) for ending in Ending],
        "states": Run.State.values,
        "origins": ORIGINS,
        "replay_choices": REPLAYS,
        "publications": (("yes", "yes"), ("no", "no: trials")),
        "signs": SIGNS,
        "exploits": EXPLOITS,
    }


class NameChoices(NamedTuple):
    """What a reader can choose by its name: evaluations, agents and repositories, each as slug and name.

    `tasks`: those of all repositories, as of `_tasks`.
    """

    evaluations: list[tuple[str, str]]
    agents: list[tuple[str, str]]
    repositories: list[tuple[str, str]]
    tasks: list[str]


def _names(reader: Reader) -> NameChoices:
    """Those of everybody are cached until one of them changes; else four queries.

    A run that settles changes none of them: the page that follows takes 5 ms of CPU time less.
    """

    def read() -> NameChoices:
        return NameChoices(
            list(visible_evaluations(reader).values_list("slug", "title")),
            list(visible_agents(reader).values_list("slug", "name")),
            list(visible_repositories(reader).order_by("title").values_list("slug", "title")),
            _tasks(reader, RunFilter()),
        )

    if reader.is_authenticated:
        return read()
    return cached("names of runs", "", read, lambda: shown_version(datasets_version()))


def _tasks(reader: Reader, chosen: RunFilter) -> list[str]:
    """The tasks of the chosen repository or board, or all; one more than MAX_TASKS where there are more. One query."""
    tasks = visible_tasks(reader).order_by("repository__slug", "slug")
    if chosen.repository:
        tasks = tasks.filter(repository__slug=chosen.repository)
    if chosen.dataset:
        tasks = tasks.filter(**BoardName.of(chosen.dataset).lookups())
    return ["/".join(pair) for pair in tasks.values_list("repository__slug", "slug")[: MAX_TASKS + 1]]


def _fitting(tasks: list[str], chosen: str) -> list[str]:
    """These tasks; none where they are too many for a list, or where the chosen one is not among them.

    A hidden field keeps the chosen one then. The search box finds any task by its name.
    """
    return tasks if len(tasks) <= MAX_TASKS and (not chosen or chosen in tasks) else []
