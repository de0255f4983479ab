"""The analysis pages: one for each topic, and the list of all topics with their summaries."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Literal

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from runs.access.client_address import address_of
from runs.analysis.portfolios.advice import GOALS, Candidate, Goal, best_within, figure_of
from runs.analysis.portfolios.cascades import Resource
from runs.data.cells.boards import BoardEntry, all_boards
from runs.data.queries import parameters
from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.competitors import competitors
from runs.data.queries.filters import leaderboard_choices
from runs.data.queries.visibility import is_operator
from runs.presentation.formatting.csv_cells import harmless
from runs.presentation.formatting.numbers import count, dollars, duration, percent
from runs.reporting.topics.computing import CurrentResult, TopicQuery, current_result
from runs.reporting.topics.portfolios_topic import CANDIDATES, GOAL_TITLES, HANDOVERS, candidates_of
from runs.reporting.topics.registry import BY_SLUG, NOTHING_COMPARED, TOPICS, Topic
from runs.reporting.topics.table_values import UNITS, address, as_json, header, in_units, records
from runs.reporting.topics.topic_result import ResultTable, TopicResult
from runs.views.analysis_pages.shown_tables import lead_chart, sections

SECONDS = 0.15  # how long the list waits for results
RETRY_SECONDS = 5
ADVISES = "portfolios"  # the topic whose page takes a goal and a budget
SETTLED = ("fresh", "empty", "too many")  # states that stay until data change
MAX_COUNT = 5
MAX_BUDGET = 1e12
RESOURCES: Mapping[Resource, str] = {"cost_usd": "US dollars", "tokens": "tokens", "seconds": "seconds"}
_WRITE: Mapping[Resource, Callable[[float], str]] = {
    "cost_usd": dollars,
    "tokens": lambda value: f"{count(value)} tokens",
    "seconds": duration,
}


@require_safe
@vary_on_headers("X-Partial")
def index(request: HttpRequest) -> HttpResponse:
    """Every topic with its answer and its chart in little. What this board cannot answer is named at the end."""
    query = _query(request)
    results: list[tuple[Topic, CurrentResult]] = []
    until = time.monotonic() + SECONDS
    for each in TOPICS:
        # After that, a worker computes the missing results.
        results.append((each, current_result(each, query, None if time.monotonic() < until else 0)))
    context = {
        **_context(query),
        "results": [
            (each, one, lead_chart(one.result) if one.result else None)
            for each, one in results
            if not (one.result and one.result.main is None)
        ],
        "without": _by_need([(each, one.result) for each, one in results if one.result]),
        "uncompared": any(one.result and one.result.summary == NOTHING_COMPARED for _, one in results),
        "state": " ".join(one.state for _, one in results),
        "live": any(one.state in ("pending", "stale") for _, one in results),
    }
    response = _page(request, query, "runs/analysis/index.html", "runs/analysis/_index.html", context)
    return _cacheable_if(all(one.state in SETTLED for _, one in results), response)


def _by_need(results: Iterable[tuple[Topic, TopicResult]]) -> dict[str, list[tuple[Topic, TopicResult]]]:
    """The topics whose result has no chart, by what they need."""
    lacking: dict[str, list[tuple[Topic, TopicResult]]] = {}
    for each, result in results:
        if result.main is None:
            lacking.setdefault(each.needs, []).append((each, result))
    return lacking


@require_safe
@vary_on_headers("X-Partial")
def topic(request: HttpRequest, slug: str) -> HttpResponse:
    """One topic with its charts and tables."""
    found = _topic(slug)
    query = _query(request)
    current = current_result(found, query)
    shown = sections(current.result) if current.result else ()
    context = {
        **_context(query),
        "topic": found,
        "topics": TOPICS,
        "current": current,
        "state": current.state,
        "live": current.state in ("pending", "stale"),
        "lead": lead_chart(current.result) if current.result else None,
        "sections": [one for one in shown if not one.is_empty],
        "empty": [one.section for one in shown if one.is_empty],
        "advice": advice_answer(request.GET, current.result) if slug == ADVISES else None,
    }
    response = _page(request, query, "runs/analysis/topic.html", "runs/analysis/_topic.html", context)
    return _cacheable_if(current.state in SETTLED, response)


@require_safe
def table_csv(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """One table as CSV, all of its rows."""
    current, table = _table(request, slug, name)
    if table is None:
        return _unavailable(current)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-{table.name}.csv"'
    entry = _entry(request)
    by = [entry.reported_by] if entry and entry.reported_by else []
    writer = csv.writer(response)
    writer.writerow(map(harmless, [*header(table), *(["reported_by"] if by else [])]))
    writer.writerows([harmless(value) for value in (*record, *by)] for record in records(in_units(table)))
    return _cacheable_if(current.state in SETTLED, response)


@require_safe
def table_json(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """One table as JSON, with the heading of its page, the filter and the data version."""
    current, table = _table(request, slug, name)
    if table is None:
        return _unavailable(current)
    names = [column.name for column in table.columns]
    response = JsonResponse(
        {
            "question": _topic(slug).heading,
            "table": table.title,
            "origin": found.origin if (found := _entry(request)) else None,
            "filter": {key: value for key, value in request.GET.items() if value},
            "data_version": current.data,
            "columns": [
                {"name": column.name, "title": column.title, "unit": UNITS.get(column.form)}
                for column in table.columns
            ],
            "rows": [dict(zip(names, map(as_json, row), strict=True)) for row in in_units(table).rows],
        }
    )
    return _cacheable_if(current.state in SETTLED, response)


def _topic(slug: str) -> Topic:
    if slug not in BY_SLUG:
        raise Http404("no such topic")
    return BY_SLUG[slug]


def _query(request: HttpRequest) -> TopicQuery:
    boards = all_boards()
    chosen = BoardFilter.from_query(request.GET)
    chosen = chosen.on(boards.name(chosen.dataset))
    # The result of a whole dataset is the same for all readers.
    address = "" if chosen.only_dataset or is_operator(request.user) else address_of(request)
    return TopicQuery(chosen, address, boards)


def _entry(request: HttpRequest) -> BoardEntry | None:
    query = _query(request)
    return query.boards.of(query.chosen.dataset)


def _context(query: TopicQuery) -> dict[str, object]:
    filters = [(name, value) for name, value in asdict(query.chosen).items() if value]
    return {
        "section": "insights",
        "tab": "topics",
        "filter": query.chosen,
        "boards": query.boards,
        "board": query.boards.of(query.chosen.dataset),
        "left_out": competitors(query.contradicted).values(),
        "query": query.chosen.query(),
        "calibrates": query.calibrates,
        "filters": filters,
        "chosen": [(name, value) for name, value in filters if name != "dataset"],
    }


def _page(
    request: HttpRequest, query: TopicQuery, page: str, part: str, context: dict[str, object]
) -> HttpResponse:
    if request.headers.get("X-Partial"):
        return render(request, part, context)
    return render(request, page, {**context, "choices": leaderboard_choices(query.chosen.dataset)})


def _cacheable_if(settled: bool, response: HttpResponse) -> HttpResponse:
    """Forbids caching of a response that may change although no run does."""
    if not settled:
        response["Cache-Control"] = "no-store"
    return response


def _table(request: HttpRequest, slug: str, name: str) -> tuple[CurrentResult, ResultTable | None]:
    """The table; None without a result. Raises Http404 if the result has no such table."""
    current = current_result(_topic(slug), _query(request))
    if current.result is None:
        return current, None
    table = current.result.table(name)
    if table is None:
        raise Http404("no such table")
    return current, table


def _unavailable(current: CurrentResult) -> HttpResponse:
    """The response if there is no result, with the reason."""
    if current.state == "pending":
        text, status = "This is being computed: try again in a moment.\n", 503
    elif current.state == "too many":
        text, status = f"{current.runs} runs are more than {current.most}: use a narrower filter.\n", 400
    elif current.state == "empty":
        text, status = "No run matches.\n", 404
    else:
        text, status = "This could not be computed.\n", 500
    response = HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")
    if status == 503:
        response["Retry-After"] = str(RETRY_SECONDS)
    return response


@dataclass(frozen=True, slots=True)
class AdviceQuery:
    """The parameters of the form. `budget`: the most that a task may take, on average; None: any expense.

    `resource` "": not chosen.
    """

    goal: Goal = "success"
    resource: Resource | Literal[""] = ""
    budget: float | None = None
    written: str = ""

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> AdviceQuery:
        """Raises BadParameter."""
        goal = parameters.choice(query, "goal", GOALS, "success")
        resource = parameters.choice(query, "resource", RESOURCES)
        budget = parameters.amount(query, "budget", most=MAX_BUDGET)
        return cls(
            next(each for each in GOALS if each == goal),
            next((each for each in RESOURCES if each == resource), ""),
            budget,
            parameters.text(query, "budget"),
        )


@dataclass(frozen=True, slots=True)
class AdviceLine:
    """One choice. `agents`: name and address of each; `handover`: when the second one takes over."""

    agents: tuple[tuple[str, str], ...]
    handover: str
    rate: str
    interval: str
    amount: str
    figure: str


@dataclass(frozen=True, slots=True)
class AdviceAnswer:
    """The best choices, the best first, of `affordable` within the budget and `n` in all.

    `resource`: the chosen one, or the first with known expenses.
    """

    query: AdviceQuery
    resource: Resource
    lines: tuple[AdviceLine, ...]
    affordable: int
    n: int
    goals: tuple[tuple[Goal, str], ...] = tuple(GOAL_TITLES.items())
    resources: tuple[tuple[Resource, str], ...] = tuple(RESOURCES.items())


def advice_answer(query: Mapping[str, str], result: TopicResult | None) -> AdviceAnswer | None:
    """The answer for these parameters; None without choices. Raises BadParameter."""
    asked = AdviceQuery.from_query(query)
    table = result.table(CANDIDATES) if result else None
    if result is None or table is None or not table.rows:
        return None
    candidates = candidates_of(table)
    # Else the first resource of which a choice has a known expense; dollars if there is none.
    known = (each for each in RESOURCES if any(one.amounts[each].value is not None for one in candidates))
    usual: Resource = next(known, "cost_usd")
    resource = asked.resource or usual
    best = best_within(candidates, asked.goal, resource, asked.budget)
    lines = tuple(_line(one, asked.goal, resource, result) for one in best[:MAX_COUNT])
    return AdviceAnswer(asked, resource, lines, len(best), len(candidates))


def _line(one: Candidate, goal: Goal, resource: Resource, result: TopicResult) -> AdviceLine:
    amount = one.amounts[resource].value
    figure = figure_of(one, goal, resource).value or 0.0
    paid: Resource = "seconds" if goal == "time" else resource
    ends = one.rate.interval
    return AdviceLine(
        tuple(
            (result.agents[agent].name if agent in result.agents else agent, address("agent", agent))
            for agent in one.agents
        ),
        HANDOVERS[one.handover].title if len(one.agents) > 1 else "",
        percent(one.rate.value),
        f"{percent(ends.low, 0)} to {percent(ends.high, 0)}" if ends else "",
        "unknown expense" if amount is None else f"{_WRITE[resource](amount)} a task",
        ""
        if goal == "success"
        else f"two tries both succeed at {percent(figure)} of tasks"
        if goal == "consistency"
        else f"{_WRITE[paid](figure)} a success",
    )
