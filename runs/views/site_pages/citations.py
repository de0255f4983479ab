"""How to cite a frozen board, and a source whose results a board shows."""

from __future__ import annotations

from datetime import date, datetime

from django.http import HttpRequest
from django.urls import reverse

from runs.models import ResultReport, Snapshot
from runs.presentation.formatting import bibtex
from runs.rankings.leaderboard.board import Board
from runs.views.site_pages.page_metadata import site_address


def citation_of_board(request: HttpRequest, snapshot: Snapshot, board: Board) -> str:
    """The BibTeX entry of a frozen board, with its permanent address."""
    title = board.entry.title if board.entry else "Leaderboard"
    reported = f", reported by {board.reported_by}" if board.reported_by else ""
    return bibtex.entry(
        "misc",
        f"benchbench-{snapshot.digest[:12]}",
        {
            "title": f"{title}: results of coding agents{reported}",
            "author": "BenchBench",
            "year": f"{snapshot.created_at:%Y}",
            "url": f"{site_address(request)}{reverse('frozen', args=[snapshot.digest])}",
            "note": f"Frozen on {_day(snapshot.created_at)}",
        },
    )


def citation_of_source(report: ResultReport) -> str:
    """The BibTeX entry of reported results, by those who made them. What the source does not say is left out."""
    dataset, imported = report.dataset, report.evaluation.imported_at
    day = f", imported by BenchBench on {_day(imported)}" if imported else ""
    return bibtex.entry(
        "misc",
        f"{dataset.slug}-{report.version[:12]}",
        {
            "title": dataset.title,
            "author": dataset.reported_by,
            "year": f"{report.reported_on:%Y}" if report.reported_on else "",
            "url": report.url,
            "note": f"Version {report.version}{day}",
        },
    )


def _day(when: date | datetime) -> str:
    return f"{when.day} {when:%B %Y}"
