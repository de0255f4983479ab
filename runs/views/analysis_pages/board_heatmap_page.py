"""The heatmap of a board: all of its tasks against all of its agents."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from runs.data.cells.boards import BoardEntry, all_boards, board_version
from runs.data.cells.heatmap_data import board_grid
from runs.data.cells.open_cells import dataset_facts
from runs.data.queries import parameters
from runs.data.queries.filters import agents_by_id, counted_runs
from runs.data.queries.replay_filter import with_replay
from runs.data.queries.visibility import Reader, visible, visible_tasks
from runs.views.result_pages.heatmap_view import (
    DRAWN,
    NO_REPLAYS,
    SHOWS,
    CellReplays,
    HeatmapQuery,
    heatmap,
    heatmap_context,
    replays_of,
)


@require_safe
@vary_on_headers("X-Partial")
def board_heatmap(request: HttpRequest) -> HttpResponse:
    """The tasks of a board, the most often solved first, against its agents, the best first."""
    boards = all_boards()
    dataset = boards.name(parameters.text(request.GET, "dataset"))
    board = boards.of(dataset)
    query = replace(
        HeatmapQuery.from_query(request.GET), order="measured", dataset=dataset, difficulty="", category=""
    )
    cells = dataset_facts(dataset) if dataset else []
    tasks = visible_tasks(request.user).filter(pk__in={cell.task for cell in cells})
    # Repositories are read once each, and not with each of their tasks.
    tasks = tasks.select_related(None).prefetch_related("repository").only(*DRAWN)
    chosen = list(tasks.order_by("repository__slug", "slug"))
    made = board_grid(dataset, [task.pk for task in chosen], query.show)
    agents = agents_by_id(line.name for line in made.agents)
    context = heatmap_context(heatmap(made, chosen, agents, cells, query), query)
    if shown := context["table"]:
        pks = [row.task.pk for row in shown.rows]
        context["table"] = replace(shown, replays=_replays(board, pks, request.user))
    context |= {
        "section": "insights",
        "tab": "heatmap",
        "boards": boards,
        "board": board,
        "selection": query,
        "shows": SHOWS if any(cell.tested for cell in cells) else {},
    }
    if request.headers.get("X-Partial"):
        return render(request, "runs/repositories/_heatmap.html", context)
    return render(request, "runs/analysis/heatmap.html", context)


def results_version(request: HttpRequest) -> str:
    """The version of the results that the page of this request shows."""
    return board_version(all_boards().name(parameters.text(request.GET, "dataset")))


def _replays(board: BoardEntry | None, tasks: list[int], reader: Reader) -> CellReplays:
    """The cells of these tasks with a replay; none are marked on a board whose runs all have one."""
    if board is None or not board.reported_by:
        return NO_REPLAYS
    return replays_of(with_replay(visible(counted_runs().filter(task__in=tasks), reader), "here"))
