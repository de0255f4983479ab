"""The leaderboard, which is the first page, and permanent links to it."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from runs.access.client_address import address_of
from runs.api import rate_limiter
from runs.data.cache.results import data_version
from runs.data.cells.boards import all_boards, board_version
from runs.data.cells.harness_answer import HarnessAnswer, harness_answer
from runs.data.queries.board_filter import leaderboard_query
from runs.data.queries.too_many import TooMany
from runs.models import Snapshot
from runs.rankings.history.site_changes import newest_changes
from runs.rankings.leaderboard import snapshots
from runs.rankings.leaderboard.board import Board, board, keys
from runs.rankings.leaderboard.board_exports import FORMATS, export_response
from runs.rankings.leaderboard.board_source import BoardSource
from runs.rankings.leaderboard.frozen_board import Frozen, changes
from runs.rankings.leaderboard.snapshots import Broken, Content
from runs.views.result_pages.near_miss_story import near_miss_story
from runs.views.site_pages.citations import citation_of_board

PASTED = ("md", "tex")
PARTS = "runs/leaderboard/_parts.html"
FREEZE_COST = 50  # requests of the limit of an address


def shown(request: HttpRequest) -> Board:
    """The leaderboard of the current data for this request."""
    return board(request.GET, BoardSource())


def results_version(request: HttpRequest) -> str:
    """The version of the results that the page of this request shows."""
    return board_version(request.GET.get("dataset", ""))


@require_safe
@vary_on_headers("X-Partial")
def leaderboard(request: HttpRequest) -> HttpResponse:
    """The page, or only the part that a filter changes when a script requests it."""
    found = shown(request)
    context: dict[str, object] = {
        "section": "leaderboard",
        "board": found,
        "exports": exports("leaderboard"),
        "frozen": None,
        "harness": _harness_answer(found),
    }
    if request.headers.get("X-Partial"):
        return render(request, PARTS, context)
    context |= {
        "story": near_miss_story(found.parameters.chosen.dataset, request.user),
        "recent": newest_changes(),
    }
    return render(request, "runs/leaderboard/leaderboard.html", context)


def _harness_answer(found: Board) -> HarnessAnswer | None:
    """The answer of the whole board: with a filter, the topic has it."""
    if not found.whole:
        return None
    agents = [row.standing.agent for row in found.rows]
    return harness_answer(found.parameters.chosen.dataset, agents)


@require_safe
def leaderboard_export(request: HttpRequest, suffix: str) -> HttpResponse:
    """The rows on the screen in another format, in the order of the screen."""
    return export_response(shown(request), suffix, request.build_absolute_uri(reverse("leaderboard")))


def exports(prefix: str, *arguments: str) -> list[tuple[str, str, bool]]:
    """The name of each format, its address, and whether readers paste it rather than save it."""
    return [
        (label, reverse(f"{prefix}_{suffix}", args=arguments), suffix in PASTED)
        for suffix, label in FORMATS.items()
    ]


# Public pages are cached for all users, so they hold no CSRF token. What this creates is limited and public.
@csrf_exempt
@require_POST
def freeze(request: HttpRequest) -> HttpResponse:
    """Stores the board of the dataset, days and flags in the address, and redirects to it with the other filters."""
    parameters = leaderboard_query(request.GET, keys())
    parameters = parameters.on(all_boards().name(parameters.chosen.dataset))
    # To find out whether this link exists, all cells are read: that is limited, too.
    taken = rate_limiter.take(request, FREEZE_COST)
    if taken is not None and not taken.allowed:
        raise TooMany("Your address has made too many requests", taken.wait)
    chosen = parameters.chosen
    snapshot = snapshots.freeze(
        chosen.dataset, chosen.since, chosen.until, flagged=chosen.flagged, address=address_of(request)
    )
    query = parameters.query(dataset="", since="", until="", flagged="")  # the link knows these
    return redirect(reverse("frozen", args=[snapshot.digest]) + (f"?{query}" if query else ""))


@require_safe
@vary_on_headers("X-Partial")
def frozen(request: HttpRequest, digest: str) -> HttpResponse:
    """The leaderboard as it was, and what has changed since."""
    try:
        snapshot, content = _found(digest)
    except Broken as error:
        return _unavailable(request, "This frozen leaderboard is unreadable", str(error), 410)
    source = Frozen(digest, content)
    shown = board(request.GET, source)
    same = snapshot.data_version == data_version()
    own = (("since", content.since), ("until", content.until), ("flagged", content.flagged))
    today = urlencode({**shown.parameters.state(), **{name: value for name, value in own if value}})
    context: dict[str, object] = {
        "section": "leaderboard",
        "board": shown,
        "exports": exports("frozen", digest),
        "frozen": snapshot,
        "content": content,
        "citation": citation_of_board(request, snapshot, shown),
        "changes": [] if same else changes(source, content, shown.parameters.chosen),
        "today": f"?{today}" if today else "",
    }
    template = PARTS if request.headers.get("X-Partial") else "runs/leaderboard/leaderboard.html"
    return render(request, template, context)


@require_safe
def frozen_export(request: HttpRequest, digest: str, suffix: str) -> HttpResponse:
    """The rows of the frozen leaderboard in another format."""
    try:
        _, content = _found(digest)
    except Broken as error:
        return _unavailable(request, "This frozen leaderboard is unreadable", str(error), 410)
    page = request.build_absolute_uri(reverse("frozen", args=[digest]))
    return export_response(board(request.GET, Frozen(digest, content)), suffix, page)


def _found(digest: str) -> tuple[Snapshot, Content]:
    # Not every database accepts any text in a query.
    snapshot = Snapshot.objects.filter(digest=digest).first() if digest.isalnum() else None
    if snapshot is None:
        raise Http404
    return snapshot, snapshots.content_of(snapshot)


def _unavailable(request: HttpRequest, title: str, reason: str, status: int) -> HttpResponse:
    return render(
        request, "runs/leaderboard/unavailable.html", {"title": title, "reason": reason}, status=status
    )
