"""The list of models with their prices, and the page of one: what is known of it, and its score in each harness."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from runs.data.cache.compiled_query import CompiledQuery
from runs.data.cache.digests import text_digest
from runs.data.cells.boards import Boards, all_boards
from runs.data.lists.agent_list import AgentLine, BoardScore, agent_lines
from runs.data.lists.list_query import one_spelling
from runs.data.lists.model_list import (
    PRICED,
    ModelLine,
    ModelListQuery,
    addresses_of_slugs,
    model_lines,
    versions_of,
)
from runs.data.queries import parameters
from runs.data.queries.compare_filter import MAX_COUNT, CompareQuery
from runs.data.queries.filters import CellFilter
from runs.models import LanguageModel
from runs.models.open_rows import without_hidden
from runs.views.result_pages.list_exports import list_response

PAGE = 50
_FOLDED = ("weights", "price")
MODEL_COLUMNS = (
    *("model", "name", "names", "providers", "open_weights", "input_price", "output_price", "cached_price"),
    *("price_source", "context_window", "window_source", "agents", "harnesses", "boards", "url"),
)


class HarnessScore(NamedTuple):
    """An agent of the model, and its result on one board."""

    agent: AgentLine
    score: BoardScore


class BoardOfModel(NamedTuple):
    """A board with the agents of a model, the best first. `comparison`: an address that compares them; '' for one."""

    name: str
    title: str
    scores: tuple[HarnessScore, ...]
    comparison: str


_MODELS = CompiledQuery(lambda: without_hidden(LanguageModel.objects.all()).order_by("pk").values_list())


def version() -> str:
    """Changes with every model, also one that no agent has."""
    return text_digest(repr(_MODELS.rows()))


@require_safe
@vary_on_headers("X-Partial")
def models(request: HttpRequest) -> HttpResponse:
    """Models that match the filters of the address, the best of each board first by default."""
    boards = all_boards()
    every = model_lines(request.user, agent_lines(request.user, boards))
    providers = one_spelling(provider for line in every for provider in line.providers).values()
    query = ModelListQuery.from_query(request.GET).spelled(provider=providers)
    lines = query.of(every)
    titles = [(board.dataset, board.title) for board in boards.entries]
    context = {
        "section": "leaderboard",
        "selection": query,
        "query": query.query(),
        "chips": list(query.chips({"dataset": dict(titles)})),
        "sorting": query.sorting(),
        "page": parameters.page_of(request, lines, PAGE),
        "count": len(lines),
        "priced": sum(line.price is not None for line in lines),
        "open": sum(line.open_weights is True for line in lines),
    }
    if request.headers.get("X-Partial"):
        return render(request, "runs/models/_list.html", context)
    form = {
        "datasets": titles,
        "providers": sorted(providers, key=str.casefold),
        "weights": ("open", "closed", "unknown"),
        "prices": PRICED,
    }
    return render(
        request, "runs/models/list.html", {**context, "choices": form, "more": query.active(_FOLDED)}
    )


@require_safe
def models_export(request: HttpRequest, suffix: str) -> HttpResponse:
    """All models that match, as a file."""
    every = model_lines(request.user, agent_lines(request.user, all_boards()))
    rows = [_record(request, line) for line in ModelListQuery.from_query(request.GET).of(every)]
    return list_response(rows, MODEL_COLUMNS, "models", suffix)


@require_safe
def model(request: HttpRequest, model: str) -> HttpResponse:
    """One model: prices, window, weights, and the results of its agents. The slug of a stored model leads here, too."""
    boards = all_boards()
    every = model_lines(request.user, agent_lines(request.user, boards))
    found = next((line for line in every if line.address == model), None)
    if found is None:
        address = addresses_of_slugs(request.user).get(model)
        if address is None:
            raise Http404("There is no model of this name.")
        return redirect("model", address)
    context = {
        "section": "leaderboard",
        "model": found,
        "boards": (scored := _boards(found.agents, boards)),
        "costs": any(pair.score.cost is not None for board in scored for pair in board.scores),
        "versions": versions_of(found.agents, request.user),
    }
    return render(request, "runs/models/page.html", context)


def _boards(agents: Sequence[AgentLine], boards: Boards) -> list[BoardOfModel]:
    """The boards with results of these agents, in the order of boards."""
    pairs = [HarnessScore(agent, score) for agent in agents for score in agent.scores]
    order = {board.dataset: place for place, board in enumerate(boards.entries)}
    pairs.sort(key=lambda pair: (order.get(pair.score.board, 0), -pair.score.rate.value, pair.agent.pk))
    return [_board(name, tuple(scores)) for name, scores in groupby(pairs, key=lambda pair: pair.score.board)]


def _board(name: str, scores: tuple[HarnessScore, ...]) -> BoardOfModel:
    slugs = tuple(pair.agent.slug for pair in scores[:MAX_COUNT])
    comparison = CompareQuery(slugs, CellFilter(dataset=name)).address() if len(slugs) > 1 else ""
    return BoardOfModel(name, scores[0].score.board_title, scores, comparison)


def _record(request: HttpRequest, line: ModelLine) -> dict[str, Any]:
    return {
        "model": line.address,
        "name": line.name,
        "names": list(line.names),
        "providers": list(line.providers),
        "open_weights": line.open_weights,
        "input_price": line.price and line.price.input,
        "output_price": line.price and line.price.output,
        "cached_price": line.price and line.price.cached,
        "price_source": line.price and line.price.source,
        "context_window": line.window and line.window.tokens,
        "window_source": line.window and line.window.source,
        "agents": len(line.agents),
        "harnesses": list(line.harnesses),
        "boards": list(line.boards),
        "url": request.build_absolute_uri(line.get_absolute_url()),
    }
