"""The page of a judging pass: progress, cost, reviews. Operators cancel it and queue reviews again."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from harness.judges.dimensions import dimensions
from runs.models import JudgeReview, JudgingPass
from runs.queries import parameters
from runs.queries.visibility import is_operator, visible
from runs.reviews.judging_passes import cancel_pass, retry_failed
from runs.reviews.pass_progress import pass_progress
from runs.views.operator_pages.operators_only import operators_only

PAGE = 50
EVERY_SECONDS = 3


@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("X-Partial")
def judging_pass(request: HttpRequest, pk: int) -> HttpResponse:
    """One pass; with an X-Partial header, only the part that changes. POST with `act` cancel or retry: operators."""
    found = get_object_or_404(
        visible(JudgingPass.objects.select_related("panel", "evaluation"), request.user), pk=pk
    )
    if request.method == "POST":
        return _change(request, found)
    state = parameters.choice(request.GET, "state", JudgeReview.State.values)
    dimension = parameters.choice(request.GET, "dimension", found.panel.dimensions)
    reviews = visible(found.reviews.all(), request.user).select_related("run__agent", "run__task", "judge")
    if state:
        reviews = reviews.filter(state=state)
    if dimension:
        reviews = reviews.filter(dimension=dimension)
    context = {
        "section": "evaluations",
        "judging_pass": found,
        "titles": {name: each.title for name, each in dimensions().items()},
        "progress": pass_progress(found, request.user),
        "page": Paginator(reviews, PAGE).get_page(parameters.page_number(request.GET)),
        "state": state,
        "dimension": dimension,
        "query": request.GET.urlencode(),
        "operator": is_operator(request.user),
        "is_running": found.state == JudgingPass.State.RUNNING,
        "every": EVERY_SECONDS,
    }
    template = "_progress.html" if request.headers.get("X-Partial") else "pass.html"
    return render(request, f"runs/judging/{template}", context)


@operators_only
def _change(request: HttpRequest, found: JudgingPass) -> HttpResponse:
    """Cancels the pass, or queues its failed reviews again; then its page."""
    act = parameters.choice(request.POST, "act", ("cancel", "retry"))
    if act == "cancel":
        messages.success(request, f"{found}: {cancel_pass(found)} queued reviews are cancelled.")
    elif act == "retry":
        messages.success(request, f"{found}: {retry_failed(found)} reviews are queued again.")
    else:
        raise parameters.BadParameter("act", "", "cancel or retry")
    return HttpResponseRedirect(found.get_absolute_url())
