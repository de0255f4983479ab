"""The list of agents with their scores on each board, and the same rows as a file."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from runs.data.cells.boards import all_boards
from runs.data.lists.agent_list import AgentLine, AgentListQuery, BoardScore, agent_choices, agent_lines
from runs.data.lists.list_query import one_spelling
from runs.data.queries import parameters
from runs.views.result_pages.list_exports import list_response

PAGE = 50
_FOLDED = ("weights", "kind")
AGENT_COLUMNS = (
    *("agent", "name", "kind", "harness", "model", "provider", "open_weights", "reported_by"),
    *(
        "board",
        "pass_at_1",
        "low",
        "high",
        "tasks",
        "attempts",
        "cost_per_attempt",
    ),
    "url",
)


@require_safe
@vary_on_headers("X-Partial")
def agents(request: HttpRequest) -> HttpResponse:
    """Agents that match the filters of the address, the best of each board first by default."""
    boards = all_boards()
    every = agent_lines(request.user, boards)
    choices = agent_choices(every, boards)
    query = AgentListQuery.from_query(request.GET).spelled(harness=dict(choices["harnesses"]))
    lines = query.of(every)
    texts = {name: dict(choices[f"{name}s"]) for name in ("dataset", "model", "kind")}
    best = next((line for line in lines if line.competes and line.scores), None)
    page = parameters.page_of(request, lines, PAGE)
    context = {
        "section": "leaderboard",
        "selection": query,
        "query": query.query(),
        "chips": list(query.chips(texts)),
        "sorting": query.sorting(),
        "page": page,
        "costs": any(line.first and line.first.cost is not None for line in page.object_list),
        "count": len(lines),
        "models": len({line.model for line in lines if line.model}),
        "harnesses": len(one_spelling(line.harness for line in lines)),
        # Of an order by name or cost, the first agent is not the best.
        "best": best if query.sort in {"", "-score"} else None,
    }
    if request.headers.get("X-Partial"):
        return render(request, "runs/agents/_list.html", context)
    return render(
        request, "runs/agents/list.html", {**context, "choices": choices, "more": query.active(_FOLDED)}
    )


@require_safe
def agents_export(request: HttpRequest, suffix: str) -> HttpResponse:
    """All agents that match, as a file: a row for each board, and one for an agent without results."""
    lines = AgentListQuery.from_query(request.GET).of(agent_lines(request.user, all_boards()))
    rows = [_record(request, line, score) for line in lines for score in (line.scores or (None,))]
    return list_response(rows, AGENT_COLUMNS, "agents", suffix)


def _record(request: HttpRequest, line: AgentLine, score: BoardScore | None) -> dict[str, Any]:
    return {
        "agent": line.slug,
        "name": line.name,
        "kind": line.kind,
        "harness": line.harness or None,
        "model": line.model or None,
        "provider": line.provider or None,
        "open_weights": line.open_weights,
        "reported_by": line.reported_by or None,
        "board": score and score.board,
        "pass_at_1": score and score.rate.value,
        "low": score and score.rate.interval.low,
        "high": score and score.rate.interval.high,
        "tasks": score and score.tasks,
        "attempts": score and score.attempts,
        "cost_per_attempt": score and score.cost,
        "url": request.build_absolute_uri(line.get_absolute_url()),
    }
