"""The list of runs."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from harness.records import Outcome
from runs.models import Agent, Evaluation, Run
from runs.queries import RunFilter
from runs.views import asking
from runs.visibility import visible_tasks

PAGE = 50


@require_safe
def runs(request: HttpRequest) -> HttpResponse:
    """Runs, newest first, under the filters of the address. The runs of a cell are this list, filtered."""
    chosen = RunFilter.from_query(request.GET)
    page = Paginator(chosen.runs(request.user), PAGE).get_page(asking.page_number(request.GET))
    context: dict[str, object] = {"section": "runs", "filter": chosen, "page": page}
    if request.headers.get("X-Partial"):
        return render(request, "runs/_runs.html", context)
    choices = {
        "evaluations": Evaluation.objects.values_list("slug", "title"),
        "agents": Agent.objects.values_list("slug", "name"),
        "tasks": visible_tasks(request.user)
        .order_by("repository__slug", "slug")
        .values_list("repository__slug", "slug"),
        "outcomes": list(Outcome),
        "states": Run.State.values,
    }
    return render(request, "runs/runs.html", {**context, "choices": choices})
