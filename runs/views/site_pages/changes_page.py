"""What changed on the boards, dated, for a board or an agent."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from runs.data.cells.boards import all_boards
from runs.data.queries import parameters
from runs.data.queries.visibility import ANONYMOUS, visible_agents
from runs.models.agent import signed_name
from runs.rankings.history import site_changes

PAGE_SIZE = 40
MAX_SHOWN = 8  # newcomers and moves of one change that are shown at once


def version() -> str:
    """Changes with everything that the page lists."""
    return site_changes.version()


@require_safe
def changes(request: HttpRequest) -> HttpResponse:
    """The changes of the board of `?dataset=` and the agent of `?agent=`, the newest first."""
    boards = all_boards()
    board = parameters.text(request.GET, "dataset")
    slug = parameters.text(request.GET, "agent")
    agent = visible_agents(ANONYMOUS).filter(slug=slug).first() if slug else None
    chosen = boards.name(board) if board else ""
    found = site_changes.site_changes(chosen, slug)
    context = {
        "section": "changes",
        "boards": [(entry.dataset, entry.title) for entry in boards.entries],
        "chosen": chosen,
        "agent": agent,
        "agent_slug": slug,
        "agent_name": signed_name(agent.name) if agent else slug,
        "query": urlencode({name: value for name, value in (("dataset", chosen), ("agent", slug)) if value}),
        "page": parameters.page_of(request, found, PAGE_SIZE),
        "shown": MAX_SHOWN,
    }
    return render(request, "runs/changes/page.html", context)
