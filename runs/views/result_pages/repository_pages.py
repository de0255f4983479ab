"""The page of all repositories by agent, and the page of one repository: its tasks by agent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial

from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from runs.analysis.tasks.repositories import RepositoryLine
from runs.data.cells.boards import Boards, all_boards, board_version
from runs.data.cells.heatmap_data import dataset_repositories, repository_cells, repository_grid
from runs.data.lists.task_list import TaskListQuery, share_counts, task_lines
from runs.data.queries import parameters
from runs.data.queries.board_names import BoardName
from runs.data.queries.filters import agents_by_id, counted_runs, repositories_with_counts
from runs.data.queries.replay_filter import with_replay
from runs.data.queries.task_names import NamedTask, tasks_by_id
from runs.data.queries.visibility import Reader, visible, visible_datasets, visible_repositories
from runs.models import Agent
from runs.views.result_pages.heatmap_view import (
    DRAWN,
    NO_REPLAYS,
    ORDERS,
    SHOWS,
    CellReplays,
    HeatmapQuery,
    heatmap,
    heatmap_context,
    replays_of,
)
from runs.views.result_pages.share_bars import share_bars
from tasks.code_origins import code_origin
from tasks.models import Repository, RepositoryMap, Task

HARDEST = 8  # tasks that the page of a repository lists


@dataclass(frozen=True, slots=True)
class Card:
    """One repository. `line`: None if it has no runs, or is hidden and excluded from public numbers."""

    repository: Repository
    line: RepositoryLine | None
    hardest: NamedTask | None


@require_safe
def repositories(request: HttpRequest) -> HttpResponse:
    """A table of the repositories and agents of a dataset, and a card for each of its repositories."""
    boards = all_boards()
    # A source that reports printed numbers only is a dataset without repositories.
    datasets = list(visible_datasets(request.user).filter(repositories__isnull=False).distinct())
    first = boards.default or next((one.slug for one in datasets), "")
    dataset = boards.name(parameters.text(request.GET, "dataset") or first)
    table = dataset_repositories(dataset)
    agents = agents_by_id(line.name for line in table.agents)
    tasks = tasks_by_id(line.hardest.task for line in table.lines if line.hardest)
    cards = []
    shown = repositories_with_counts(request.user).filter(dataset__slug=BoardName.of(dataset).dataset)
    for each in shown:
        line = table.of(each.slug)
        cards.append(Card(each, line, tasks.get(line.hardest.task) if line and line.hardest else None))
    context = {
        "section": "tasks",
        "boards": boards,
        "board": boards.of(dataset),
        "datasets": datasets,
        "dataset": dataset,
        "cards": cards,
        "agents": [(agents[line.name], line) for line in table.agents],
        "rows": [card for card in cards if card.line],
        "rated": any(card.line and card.line.rate.value is not None for card in cards),
    }
    return render(request, "runs/repositories/index.html", context)


def results_version(request: HttpRequest) -> str:
    """The version of the results that the page of this request for a repository shows."""
    slug = request.resolver_match.kwargs["slug"] if request.resolver_match else ""
    dataset = (
        visible_repositories(request.user).filter(slug=slug).values_list("dataset__slug", flat=True).first()
    )
    return board_version(dataset or "")


@require_safe
@vary_on_headers("X-Partial")
def repository(request: HttpRequest, slug: str) -> HttpResponse:
    """One repository: what it is, its hardest tasks, and the heatmap of all of them."""
    maps = visible(RepositoryMap.objects.filter(repository=OuterRef("pk")), request.user)
    found = get_object_or_404(visible_repositories(request.user).annotate(mapped=Exists(maps)), slug=slug)
    tasks = list(visible(found.tasks.only(*DRAWN), request.user))
    origins = sorted({task.origin for task in tasks})
    query = HeatmapQuery.from_query(request.GET).on(origins)
    chosen = query.tasks(tasks)
    cells = cache(partial(repository_cells, found))
    boards = all_boards()
    made = repository_grid(found, [task.pk for task in chosen], cells, query.show)
    agents: Mapping[int, Agent] = agents_by_id(line.name for line in made.agents)
    shown = heatmap(made, chosen, agents, cells(), query, replays=_replays(found, request.user))
    context = {
        "section": "tasks",
        "repository": found,
        "board": boards.of_task(found.dataset.slug, query.made),
        "selection": query,
        **heatmap_context(shown, query),
        "tasks": tasks,
    }
    if request.headers.get("X-Partial"):
        return render(request, "runs/repositories/_heatmap.html", context)
    choices = {
        "shows": SHOWS,
        "orders": ORDERS,
        "origins": origins,
        "difficulties": Task.Difficulty.values,
        "categories": sorted({task.category for task in tasks if task.category}),
    }
    outline = _outline(found, request.user, boards)
    return render(request, "runs/repositories/page.html", {**context, **choices, **outline})


def _outline(found: Repository, reader: Reader, boards: Boards) -> dict[str, object]:
    """Its tasks with the share of agents that solved them, and where its code comes from."""
    query = TaskListQuery(repository=found.slug)
    home = [board for board in boards.entries if BoardName.of(board.dataset).dataset == found.dataset.slug]
    lines = task_lines(query, reader, Boards(tuple(home)))
    return {
        "lines": lines[:HARDEST],
        "tried": sum(line.totals.tried > 0 for line in lines),
        "unsolved": sum(line.totals.group == "none" for line in lines),
        "bars": share_bars(query, share_counts(lines)),
        "code": code_origin(found),
    }


def _replays(found: Repository, reader: Reader) -> CellReplays:
    """The cells with a replay. Of results that were run here all have one, and none are marked."""
    if not found.dataset.reported_by:
        return NO_REPLAYS
    return replays_of(with_replay(visible(counted_runs().filter(task__repository=found), reader), "here"))
