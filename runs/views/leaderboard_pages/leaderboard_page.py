"""The leaderboard, which is the first page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from runs.data.published.tables import tables
from runs.rankings.leaderboard.board import Board, board
from runs.rankings.leaderboard.board_exports import FORMATS, export_response
from runs.rankings.leaderboard.board_source import Today

PASTED = ("md", "tex")
PART = "runs/leaderboard/_board.html"


def shown(request: HttpRequest) -> Board:
    """The leaderboard of the current data for this request."""
    return board(request.GET, Today())


@require_safe
@vary_on_headers("X-Partial")
def leaderboard(request: HttpRequest) -> HttpResponse:
    """The page, or only the part that a filter changes when a script requests it."""
    found = shown(request)
    context = {
        "section": "leaderboard",
        "board": found,
        "exports": exports("leaderboard"),
        "frozen": None,
        "references": tables(),
    }
    template = PART if request.headers.get("X-Partial") else "runs/leaderboard/leaderboard.html"
    return render(request, template, context)


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
