"""How to cite a frozen board, a source whose results a board shows, and a run."""

from __future__ import annotations

from datetime import date, datetime

from django.http import HttpRequest
from django.urls import reverse

from runs.models import ResultReport, Run, Snapshot
from runs.models.agent import plain_name
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


def citation_of_run(request: HttpRequest, run: Run) -> str:
    """The BibTeX entry of a run that has ended, with the address of its page."""
    dataset, finished = run.task.repository.dataset, run.finished_at
    reported = f", reported by {dataset.reported_by}" if dataset.reported_by else ""
    return bibtex.entry(
        "misc",
        f"benchbench-run-{run.pk}",
        {
            "title": f"{plain_name(run.agent.name)} at {run.task.title}, attempt {run.attempt}{reported}",
            "author": "BenchBench",
            "year": f"{finished:%Y}" if finished else "",
            "url": f"{site_address(request)}{run.get_absolute_url()}",
            "note": f"Run {run.key}",
        },
    )


def _day(when: date | datetime) -> str:
    return f"{when.day} {when:%B %Y}"
