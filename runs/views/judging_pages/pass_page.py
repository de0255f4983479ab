"""The page of a judging pass: progress, cost, reviews. Operators cancel it and queue reviews again."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from harness.judges.dimensions import dimensions
from runs.data.queries import parameters
from runs.data.queries.filters import agents_by_id
from runs.data.queries.visibility import Reader, is_operator, visible
from runs.judging.reviews.judging_passes import cancel_pass, retry_failed
from runs.judging.reviews.pass_progress import WITHOUT_SCORE, pass_progress
from runs.models import Agent, JudgeReview, JudgingPass, RunComparison
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
    reviews = visible(found.reviews.all(), request.user)
    if state:
        reviews = reviews.filter(state=state)
    if dimension:
        reviews = reviews.filter(dimension=dimension)
    # Numbers alone: to sort 30,000 rows with the names of their runs and judges takes seconds.
    numbers = reviews.order_by("pk").values_list("pk", flat=True)
    page = Paginator(numbers, PAGE).get_page(parameters.page_number(request.GET))
    comparisons = visible(found.comparisons.all(), request.user)
    unscored = comparisons.filter(state__in=WITHOUT_SCORE).select_related("run_one__task")
    context = {
        "section": "evaluations",
        "judging_pass": found,
        "compared": _compared(comparisons),
        "unscored": unscored[:PAGE],
        "titles": {name: each.title for name, each in dimensions().items()},
        "progress": pass_progress(found, request.user),
        "page": page,
        "reviews": _reviews(page, request.user),
        "state": state,
        "dimension": dimension,
        "query": urlencode({"state": state, "dimension": dimension}) if state or dimension else "",
        "operator": is_operator(request.user),
        "is_running": found.state == JudgingPass.State.RUNNING,
        "every": EVERY_SECONDS,
    }
    template = "_progress.html" if request.headers.get("X-Partial") else "pass.html"
    return render(request, f"runs/judging/{template}", context)


def _reviews(numbers: Iterable[int], reader: Reader) -> QuerySet[JudgeReview]:
    """The reviews with these numbers, run by run, as they were made."""
    found = visible(JudgeReview.objects.filter(pk__in=list(numbers)), reader).order_by("pk")
    return found.select_related("run__agent", "run__task", "judge")


def _compared(comparisons: QuerySet[RunComparison]) -> list[tuple[Agent, Agent]]:
    """The pairs of agents whose runs are compared, without those of one agent with itself."""
    pairs = set(comparisons.order_by().values_list("run_one__agent", "run_two__agent").distinct()[:PAGE])
    agents = agents_by_id({agent for pair in pairs for agent in pair})
    found = [(agents[one], agents[two]) for one, two in pairs if one != two]
    return sorted(found, key=lambda pair: (pair[0].slug, pair[1].slug))


@operators_only
def _change(request: HttpRequest, found: JudgingPass) -> HttpResponse:
    """Cancels the pass, or queues its failed reviews again; then its page."""
    act = parameters.choice(request.POST, "act", ("cancel", "retry"))
    if act == "cancel":
        messages.success(request, f"{found}: {cancel_pass(found)} queued answers are cancelled.")
    elif act == "retry":
        messages.success(request, f"{found}: {retry_failed(found)} answers are queued again.")
    else:
        raise parameters.BadParameter("act", "", "cancel or retry")
    return HttpResponseRedirect(found.get_absolute_url())
