"""Two or more agents compared over the tasks that they share."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from runs.data.cells.boards import all_boards
from runs.data.cells.open_cells import board_standings
from runs.data.queries.compare_filter import MAX_COUNT, CompareQuery, compare_query
from runs.data.queries.competitors import Competitor, competitors
from runs.data.queries.filters import leaderboard_choices
from runs.rankings.comparison.agent_pairs import pairing
from runs.rankings.comparison.difference_matrix import matrix
from runs.rankings.comparison.judged_pairs import judged_pair

PART = "runs/compare/_compare.html"


@require_safe
@vary_on_headers("X-Partial")
def compare(request: HttpRequest) -> HttpResponse:
    """Two agents in detail, more in a matrix; without any, the form to choose them."""
    query = compare_query(request.GET)
    if request.GET.getlist("agent") and len(query.agents) <= 2:
        return redirect(f"{reverse('compare')}?{query.address()}")
    boards = all_boards()
    query = query.on(boards.name(query.chosen.dataset or boards.common(query.agents)))
    offered = _offered(query.chosen.dataset)
    by_slug = {agent.slug: (pk, agent) for pk, agent in offered.items()}
    here = [by_slug[slug] for slug in query.agents if slug in by_slug]
    choices = leaderboard_choices(query.chosen.dataset)
    context: dict[str, object] = {
        "section": "compare",
        "selection": query,
        "offered": [(agent.slug, agent.name) for agent in offered.values()],
        "unknown": [slug for slug in query.agents if slug not in by_slug],
        "boards": boards,
        "board": boards.of(query.chosen.dataset),
        "choices": choices,
        "filters": query.filters_in_words(choices),
        "most": MAX_COUNT,
    }
    if len(query.agents) == len(here) == 2:
        context["pair"] = pairing(here[0], here[1], query.chosen)
        context["judged"] = judged_pair(here[0][0], here[1][0], query.chosen)
    elif len(here) > 2:
        context["matrix"] = matrix(here, query)
    part = request.headers.get("X-Partial")
    return render(
        request, PART if part else "runs/compare/compare.html", {**context, "title": _title(query, here)}
    )


def _offered(dataset: str) -> dict[int, Competitor]:
    """The agents that have results in a dataset, in the order of its board."""
    found = board_standings(dataset)
    order = [row.agent for row in (*found.rows, *found.unplaced)]
    known = competitors(order)
    return {pk: known[pk] for pk in order if pk in known}


def _title(query: CompareQuery, here: list[tuple[int, Competitor]]) -> str:
    names = [agent.name for _, agent in here]
    if len(query.agents) == len(names) == 2:
        return f"{names[0]} against {names[1]}"
    return f"{len(names)} agents against each other" if len(names) > 2 else "Which of two agents is better?"
