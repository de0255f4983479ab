"""The list of evaluations, and the page of one with its progress, results and failures."""

from __future__ import annotations

import hashlib
from urllib.parse import urlencode

from django.core.cache import cache
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.views.decorators.http import condition, require_safe
from django.views.decorators.vary import vary_on_headers

from runs.data.queries import parameters
from runs.data.queries.visibility import Reader, is_operator, visible_evaluations
from runs.models import Evaluation
from runs.operations.evaluations.limits_form import in_words
from runs.operations.monitoring.health import problems
from runs.operations.monitoring.site_status import workers_seen_by
from runs.work.progress.evaluation_list import evaluation_rows, evaluations_by_state, evaluations_in
from runs.work.progress.evaluation_status import BIG, progress_of, version_of

PAGE = 30
CACHE_SECONDS = 40
EVERY_SECONDS, EVERY_SECONDS_OF_BIG = 2, 10


@require_safe
def evaluations(request: HttpRequest) -> HttpResponse:
    """All evaluations that this reader may see, or those in one state, newest first."""
    state = parameters.choice(request.GET, "state", Evaluation.State.values)
    page = Paginator(evaluations_in(state, request.user), PAGE).get_page(parameters.page_number(request.GET))
    counts = evaluations_by_state(request.user)
    context = {
        "section": "evaluations",
        "page": page,
        "rows": evaluation_rows(list(page.object_list), request.user),
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
    found = get_object_or_404(visible_evaluations(request.user).select_related("created_by"), pk=pk)
    part = _part(found, request.user, repository, number)
    if request.headers.get("X-Partial"):
        return HttpResponse(part)
    context = {
        "section": "evaluations",
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
        part = render_to_string(
            "runs/evaluations/_progress.html", _context(found, reader, repository, number)
        )
        cache.set(key, part, CACHE_SECONDS)
    return part


def _context(found: Evaluation, reader: Reader, repository: str, number: int) -> dict[str, object]:
    progress = progress_of(found, reader, repository, number)
    is_running = found.state == Evaluation.State.RUNNING
    return {
        "evaluation": found,
        "progress": progress,
        "troubles": problems() if is_running else (),
        "worker_status": workers_seen_by(reader) if is_running else None,
        "operator": is_operator(reader),
        "every": EVERY_SECONDS if progress.tally.total <= BIG else EVERY_SECONDS_OF_BIG,
        "leaderboard": urlencode(progress.common_filters),
        "repository": repository,
    }
