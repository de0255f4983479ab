"""The list of runs."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from harness.limits import Ending
from harness.records import Outcome
from runs.models import Agent, Evaluation, Run
from runs.queries import parameters
from runs.queries.run_list import MOST, MOST_PAGES, SIGNS, RunListQuery, page_of
from runs.queries.visibility import Reader, visible_repositories, visible_tasks
from runs.views.result_pages.test_matrix import matrix
from runs.views.result_pages.test_stripes import Stripes, stripes_of


@require_safe
@vary_on_headers("X-Partial")
def runs(request: HttpRequest) -> HttpResponse:
    """Runs under the filters of the address, newest first unless it says otherwise.

    The runs of a cell are this list, filtered: then each has its tests beside it, and the matrix stands below.
    """
    asked = RunListQuery.from_query(request.GET)
    number = parameters.whole(request.GET, "page", 1, least=1, most=MOST_PAGES)
    page = page_of(asked, request.user, number)
    cell = asked.cell(request.user)
    context: dict[str, object] = {
        "section": "runs",
        "asked": asked,
        "page": page,
        "query": asked.query(),
        "newest": asked.query(sort=""),
        "sorting": asked.sorting(),
        "most": MOST,
        "cell": cell,
        "strips": _strips(page.runs) if cell else {},
        "matrix": matrix(_tested(page.runs), page.count) if cell else None,
    }
    if request.headers.get("X-Partial"):
        return render(request, "runs/list/_list.html", context)
    return render(request, "runs/list/page.html", {**context, **_choices(request.user)})


def _strips(shown: Iterable[Run]) -> dict[int, Stripes]:
    return stripes_of(_tested(shown))


def _tested(shown: Iterable[Run]) -> list[Run]:
    """Those with a verdict, by attempt."""
    graded = [run for run in shown if run.outcome in (Run.Outcome.RESOLVED, Run.Outcome.UNRESOLVED)]
    return sorted(graded, key=lambda run: (run.attempt, run.pk))


def _choices(reader: Reader) -> dict[str, object]:
    """What can be asked for: four queries."""
    return {
        "evaluations": Evaluation.objects.values_list("slug", "title"),
        "agents": Agent.objects.values_list("slug", "name"),
        "repositories": visible_repositories(reader).order_by("title").values_list("slug", "title"),
        "tasks": visible_tasks(reader)
        .order_by("repository__slug", "slug")
        .values_list("repository__slug", "slug"),
        "outcomes": list(Outcome),
        "endings": list(Ending),
        "states": Run.State.values,
        "signs": SIGNS,
    }
