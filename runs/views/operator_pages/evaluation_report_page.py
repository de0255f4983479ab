"""The report of an evaluation: how its runs went and what judges say about them, as page, Markdown and JSON."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from runs.data.queries.blind_sessions import refuse_while_playing
from runs.data.queries.visibility import visible, visible_evaluations
from runs.models import Evaluation
from runs.reporting.reports.as_json import encoded
from runs.reporting.reports.judged_report import judged_report
from runs.reporting.reports.report_markdown import chapters_markdown
from runs.reporting.reports.writing import chapter_json
from runs.views.analysis_pages.shown_tables import sections


@require_safe
def evaluation_report(request: HttpRequest, pk: int) -> HttpResponse:
    """The report as a page."""
    found = _evaluation(request, pk)
    report = judged_report(found, request.user)
    context = {
        "section": "evaluations",
        "evaluation": found,
        "report": report,
        "chapters": [(chapter, sections(chapter.result)) for chapter in report.chapters],
    }
    return render(request, "runs/evaluations/report.html", context)


@require_safe
def evaluation_report_markdown(request: HttpRequest, pk: int) -> HttpResponse:
    """The report in Markdown, with links to this site."""
    found = _evaluation(request, pk)
    site = settings.SITE_ADDRESS.rstrip("/") or f"{request.scheme}://{request.get_host()}"
    text = chapters_markdown(found.title, judged_report(found, request.user).chapters, site)
    return HttpResponse(text, content_type="text/markdown; charset=utf-8")


@require_safe
def evaluation_report_json(request: HttpRequest, pk: int) -> HttpResponse:
    """The tables of the report: chapters as in report.json of `manage.py report`."""
    found = _evaluation(request, pk)
    report = judged_report(found, request.user)
    document = {
        "format": "benchbench evaluation report",
        "schema": 1,
        "evaluation": {"slug": found.slug, "title": found.title, "created_at": found.created_at},
        "runs": report.runs,
        "left_out": report.left_out,
        "chapters": [chapter_json(chapter) for chapter in report.chapters],
    }
    return HttpResponse(encoded(document), content_type="application/json")


def _evaluation(request: HttpRequest, pk: int) -> Evaluation:
    found = get_object_or_404(visible_evaluations(request.user), pk=pk)
    refuse_while_playing(request.user, visible(found.runs.all(), request.user))
    return found
