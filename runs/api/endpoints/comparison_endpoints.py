"""Two agents compared, and the search by words of names."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from django.urls import reverse
from ninja import Query, Router

from runs.analysis.outcomes.side_by_side import SideBySide, SideOutcome, side_by_side
from runs.api.api_parameters import OneBoard, SearchQuery, Slug
from runs.api.schemas import comparison_schemas as schemas
from runs.api.schemas.common_schemas import figure
from runs.data.cells.boards import all_boards
from runs.data.cells.open_cells import board_standings
from runs.data.queries.compare_filter import CompareQuery
from runs.data.queries.competitors import Competitor, competitors
from runs.data.queries.filters import CellFilter
from runs.data.queries.name_search import search as find
from runs.data.queries.visibility import ANONYMOUS, visible_agents
from runs.rankings.comparison.agent_pairs import cells_by_agent

router = Router(tags=["Results"])


@router.get(
    "compare/{slug:agent}/{slug:other}", response=schemas.ComparedAgents, summary="Two agents compared"
)
def compare(request: HttpRequest, agent: Slug, other: Slug, query: Query[OneBoard]) -> dict[str, Any]:
    """Two agents over the tasks of one dataset that both tried, as the page that compares them shows it.

    Without `dataset`, the dataset in which both have results. `better` is the agent that the leaderboard's test of all
    pairs separates from the other; p is that of this pair alone.
    """
    if agent == other:
        raise Http404(f"there is no second agent to compare {agent} with: both are the same")
    keys = dict(visible_agents(ANONYMOUS).filter(slug__in=(agent, other)).values_list("slug", "pk"))
    for slug in (agent, other):
        if slug not in keys:
            raise Http404(f"there is no agent {slug}")
    boards = all_boards()
    dataset = boards.name(query.dataset or boards.common((agent, other)))
    names = competitors(keys.values())
    first, second = (names[keys[slug]] for slug in (agent, other))
    standings = board_standings(dataset)
    pair = (keys[agent], keys[other])
    cells = cells_by_agent(pair, CellFilter(dataset=dataset))
    found = side_by_side(*(cells.get(key, []) for key in pair))
    better = {pair: agent, pair[::-1]: other}
    address = CompareQuery((agent, other), CellFilter(dataset=dataset)).address()
    return {
        "dataset": dataset,
        "k": found.k,
        "common_tasks": len(found.tasks),
        "first": _side(request, first, found.first),
        "second": _side(request, second, found.second),
        "difference": figure(request, found.difference, "difference-interval"),
        "p": figure(request, found.test.p, "told-apart"),
        "better": next((slug for order, slug in better.items() if order in standings.better), None),
        "tasks": _tasks(found),
        "url": f"{request.build_absolute_uri(reverse('compare'))}?{address}",
    }


@router.get("search", response=schemas.SearchResults, summary="Search")
def search(request: HttpRequest, query: Query[SearchQuery]) -> dict[str, Any]:
    """Agents, repositories, tasks, evaluations and methods whose names have all words, and the run of a number."""
    return {
        "groups": [
            {
                "title": group.title,
                "more": group.more,
                "items": [
                    {"title": hit.title, "about": hit.about, "url": request.build_absolute_uri(hit.href)}
                    for hit in group.hits
                ],
            }
            for group in find(query.q, ANONYMOUS)
        ]
    }


def _side(request: HttpRequest, agent: Competitor, side: SideOutcome) -> dict[str, Any]:
    return {
        "agent": agent.slug,
        "name": agent.name,
        "pass_at_1": figure(request, side.pass_1, "pass-rate"),
        "pass_at_k": figure(request, side.pass_k, "pass-rate"),
        "tests_passed": figure(request, side.tests, "test-pass-rate"),
        "cost_usd_per_attempt": figure(request, side.cost_per_attempt, "cost-per-attempt"),
        "seconds_per_attempt": figure(request, side.seconds_per_attempt, "seconds-per-attempt"),
        "attempts": side.attempts,
        "resolved": side.resolved,
        "infrastructure_failed": side.infrastructure_failed,
        "url": request.build_absolute_uri(agent.get_absolute_url()),
    }


def _tasks(found: SideBySide) -> dict[str, int]:
    """How many common tasks were resolved by whom, and how many tasks only one tried."""
    winners = [task.winner for task in found.tasks]
    return {
        "both": winners.count("both"),
        "only_first": winners.count("first"),
        "only_second": winners.count("second"),
        "neither": winners.count("neither"),
        "tried_only_by_first": found.only_first,
        "tried_only_by_second": found.only_second,
    }
