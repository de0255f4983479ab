"""Pages of evaluations: the list, one with its progress, its report; operators cancel, retry and publish."""

from __future__ import annotations

import hashlib
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.views.decorators.http import condition, require_safe
from django.views.decorators.vary import vary_on_headers

from runs.data.queries import parameters
from runs.data.queries.blind_sessions import refuse_while_playing
from runs.data.queries.visibility import Reader, is_operator, visible, visible_evaluations
from runs.models import Evaluation, Run
from runs.operations.evaluations.lifecycle import (
    cancel_evaluation,
    lacks_consent,
    retry_infrastructure_failures,
    set_listed,
)
from runs.operations.evaluations.limits_form import in_words
from runs.operations.evaluations.paused_models import paused_models
from runs.operations.monitoring.health import problems
from runs.operations.monitoring.site_status import workers_seen_by
from runs.rankings.leaderboard.publish_preview import preview
from runs.reporting.reports.judged_chapters import judged_report
from runs.reporting.reports.report_markdown import chapters_markdown
from runs.reporting.reports.writing import chapter_json, encoded
from runs.views.analysis_pages.shown_tables import sections
from runs.views.operator_pages.operators_only import operators_only
from runs.work.execution.publishing import after_publishing
from runs.work.progress.evaluation_list import evaluation_rows, evaluations_by_state, evaluations_in
from runs.work.progress.evaluation_status import BIG, progress_of, version_of

PAGE = 30
CACHE_SECONDS = 40
EVERY_SECONDS, EVERY_SECONDS_OF_BIG = 2, 10
YES, NO = "yes", "no"


@require_safe
def evaluations(request: HttpRequest) -> HttpResponse:
    """All evaluations that this reader may see, or those in one state, newest first."""
    state = parameters.choice(request.GET, "state", Evaluation.State.values)
    page = parameters.page_of(request, evaluations_in(state, request.user), PAGE)
    counts = evaluations_by_state(request.user)
    context = {
        "section": "insights",
        "page": page,
        "rows": evaluation_rows(list(page.object_list), request.user),
        "any_from_here": any(not one.origin for one in page.object_list),
        "state": state,
        "states": [(value, counts.get(value, 0)) for value in Evaluation.State.values],
        "total": sum(counts.values()),
        "query": f"state={state}" if state else "",
        "operator": is_operator(request.user),
    }
    return render(request, "runs/evaluations/list.html", context)


def _version(request: HttpRequest, pk: int) -> str | None:
    """The ETag of the part that changes; None for the whole page, which is not cached, and without an evaluation."""
    version = version_of(pk, request.user) if request.headers.get("X-Partial") else ""
    return f'"{version}"' if version else None


@require_safe
@vary_on_headers("X-Partial")
@condition(etag_func=_version)
def evaluation(request: HttpRequest, pk: int) -> HttpResponse:
    """One evaluation; with an X-Partial header, only the part that changes."""
    repository = parameters.text(request.GET, "repository")
    number = parameters.page_number(request.GET)
    rows = visible_evaluations(request.user).select_related("created_by", "panel_when_finished")
    found = get_object_or_404(rows, pk=pk)
    part = _part(found, request.user, repository, number)
    if request.headers.get("X-Partial"):
        return HttpResponse(part)
    context = {
        "section": "insights",
        "evaluation": found,
        "limits": in_words(found.limits),
        "operator": is_operator(request.user),
        "part": part,
    }
    return render(request, "runs/evaluations/page.html", context)


def _part(found: Evaluation, reader: Reader, repository: str, number: int) -> str:
    """The part that changes, cached for all users with the same rights: many may watch the same evaluation."""
    query = hashlib.sha256(f"{repository} {number}".encode()).hexdigest()[:16]
    key = f"evaluation-{found.pk}-{version_of(found.pk, reader)}-{query}"
    part: str | None = cache.get(key)
    if part is None:
        progress = progress_of(found, reader, repository, number)
        is_running = found.state == Evaluation.State.RUNNING
        context = {
            "evaluation": found,
            "progress": progress,
            "troubles": problems() if is_running else (),
            "paused": paused_models(visible(found.runs.all(), reader)) if is_running else (),
            "worker_status": workers_seen_by(reader) if is_running else None,
            "operator": is_operator(reader),
            "every": EVERY_SECONDS if progress.tally.total <= BIG else EVERY_SECONDS_OF_BIG,
            "leaderboard": urlencode(progress.common_filters),
            "repository": repository,
        }
        part = render_to_string("runs/evaluations/_progress.html", context)
        cache.set(key, part, CACHE_SECONDS)
    return part


@operators_only
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """GET explains the cancellation; POST performs it."""
    found = get_object_or_404(visible_evaluations(request.user), pk=pk)
    if request.method == "POST":
        count = cancel_evaluation(found)
        what = "1 open run is" if count == 1 else f"{count} open runs are"
        messages.success(request, f"{found}: {what} cancelled or will stop soon.")
        return HttpResponseRedirect(found.get_absolute_url())
    runs = visible(found.runs.all(), request.user)
    context = {
        "section": "insights",
        "evaluation": found,
        "queued": runs.filter(state=Run.State.QUEUED).count(),
        "active": runs.filter(state__in=Run.ACTIVE).count(),
        "finished": runs.filter(state=Run.State.FINISHED).count(),
    }
    return render(request, "runs/evaluations/cancel.html", context)


@operators_only
def retry(request: HttpRequest, pk: int) -> HttpResponse:
    """GET explains the retry; POST performs it."""
    found = get_object_or_404(visible_evaluations(request.user), pk=pk)
    if request.method == "POST":
        count = retry_infrastructure_failures(found)
        what = "1 run is" if count == 1 else f"{count} runs are"
        messages.success(request, f"{found}: {what} tried again.")
        return HttpResponseRedirect(found.get_absolute_url())
    runs = visible(found.runs.all(), request.user)
    lost = runs.filter(state=Run.State.FINISHED, outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    failed = 0 if found.is_played else lost.count()
    context = {"section": "insights", "evaluation": found, "failed": failed}
    return render(request, "runs/evaluations/retry.html", context)


@operators_only
def publish(request: HttpRequest, pk: int) -> HttpResponse:
    """GET shows how the leaderboard would change; POST with `publish` yes or no changes it."""
    found = get_object_or_404(visible_evaluations(request.user), pk=pk)
    if request.method == "POST":
        chosen = parameters.required(request.POST, "publish", (YES, NO), f"{YES} or {NO}")
        if chosen == YES and lacks_consent(found):
            messages.error(request, f"{found}: not published, because the person does not agree to it.")
            return HttpResponseRedirect(found.get_absolute_url())
        with transaction.atomic():
            set_listed(found, chosen == YES)
            if found.listed:
                after_publishing(found)
        messages.success(request, f"{found}: {_result(found)}.")
        return HttpResponseRedirect(found.get_absolute_url())
    published = found.listed or found.publish_when_finished
    runs = visible(found.runs.all(), request.user)
    context = {
        "section": "insights",
        "evaluation": found,
        "published": published,
        "waits": found.state == Evaluation.State.RUNNING and not found.listed,
        "previews": preview(found, listed=not found.listed),
        "total": runs.count(),
        "finished": runs.filter(state=Run.State.FINISHED).count(),
        "lacks_consent": lacks_consent(found),
        "answer": NO if published else YES,
    }
    return render(request, "runs/evaluations/publish.html", context)


def _result(evaluation: Evaluation) -> str:
    if evaluation.listed:
        return "its runs count on the leaderboard"
    if evaluation.publish_when_finished:
        return "its runs will count on the leaderboard when it finishes"
    return "a trial, whose runs do not count on the leaderboard"


@require_safe
def evaluation_report(request: HttpRequest, pk: int) -> HttpResponse:
    """The report as a page."""
    found = _evaluation(request, pk)
    report = judged_report(found, request.user)
    context = {
        "section": "insights",
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
