"""The page of a repository's code map: its functions by size and centrality, and the calls of one of them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from runs.data.queries.visibility import is_operator, visible, visible_repositories, visible_tasks
from runs.views.result_pages.code_map_view import (
    CENTRALITIES,
    GRAPHS,
    SIZES,
    CodeMapView,
    MapQuery,
)
from tasks.generation.maps.code_map import Graph, InvalidCodeMap
from tasks.models import RepositoryMap
from tasks.stored_maps import read_map, targets_of


@require_safe
def code_map(request: HttpRequest, slug: str) -> HttpResponse:
    """The map of one repository. Only operators get targets of generated tasks: the files that name them are hidden."""
    repository = get_object_or_404(visible_repositories(request.user), slug=slug)
    stored = visible(RepositoryMap.objects.filter(repository=repository), request.user).first()
    operator = is_operator(request.user)
    context = {
        "section": "repositories",
        "repository": repository,
        "stored": stored,
        "operator": operator,
        "sizes": SIZES,
        "centralities": CENTRALITIES,
        "graphs": GRAPHS,
    }
    try:
        found = read_map(stored) if stored else None
    except InvalidCodeMap as error:
        return render(request, "runs/repositories/map.html", {**context, "trouble": str(error)})
    query = MapQuery.from_query(request.GET, len(found.nodes) if found else 0)
    context["selection"] = query
    if found and found.nodes:
        tasks = visible_tasks(request.user).filter(repository=repository)
        shown = CodeMapView(found, query, targets_of(tasks) if operator else {})
        context |= {
            "map": found,
            "counts": [(title, len(found.calls(Graph(graph)))) for graph, title in GRAPHS.items()],
            "chart": shown.chart(),
            "rows": shown.most_central(),
            "found": shown.found(),
            "targets": shown.target_rows(),
            "unmeasured": shown.unmeasured(),
            "size": SIZES[query.size],
            "centrality": CENTRALITIES[query.centrality],
            "chosen": shown.chosen(),
            "title": (
                f"Functions by {SIZES[query.size]} and {CENTRALITIES[query.centrality]}; "
                "the table below names the most central ones."
            ),
        }
    return render(request, "runs/repositories/map.html", context)
