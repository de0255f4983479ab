"""The analysis pages: one for each question, and the list of all with their short answers."""

from __future__ import annotations

import csv
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from runs.formatting.csv_cells import harmless
from runs.queries.board_filter import BoardFilter
from runs.queries.filters import leaderboard_choices
from runs.topics.answer import Answer, AnswerSection, AnswerTable, Picture, TableColumn
from runs.topics.answering import TopicQuery, TopicResult, current_answer
from runs.topics.registry import BY_SLUG, TOPICS, Topic
from runs.topics.table_values import TableValue, as_json, common_n, header, records, shown

SECONDS = 0.15  # that the list waits for answers
MOST_ROWS = 30  # of a table on a page; a longer one shows as many as FEW
FEW = 20
RETRY_SECONDS = 5
SETTLED = ("fresh", "empty", "too many")  # until data change
WORDS = ("text", "agent", "task", "repository", "run", "flag")


class ColumnHead(NamedTuple):
    """A column's head; `n` where all its figures rest on so many observations."""

    column: TableColumn
    numeric: bool
    n: int | None


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table as a page has it: its first rows. `left` counts the others.

    `signed`: its colours tell values below zero from those above, which takes a legend.
    """

    table: AnswerTable
    head: tuple[ColumnHead, ...]
    rows: tuple[tuple[TableValue, ...], ...]
    left: int
    signed: bool


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A section as a page has it."""

    section: AnswerSection
    pictures: Sequence[Picture]
    tables: tuple[ShownTable, ...]


@require_safe
@vary_on_headers("X-Partial")
def index(request: HttpRequest) -> HttpResponse:
    """Every question with its short answer."""
    question = _question(request)
    asked: list[tuple[Topic, TopicResult]] = []
    until = time.monotonic() + SECONDS
    for each in TOPICS:
        # What is not answered by then is asked of a worker.
        asked.append((each, current_answer(each, question, None if time.monotonic() < until else 0)))
    context = {
        **_context(question),
        "asked": asked,
        "state": " ".join(one.state for _, one in asked),
        "live": any(one.state in ("pending", "stale") for _, one in asked),
    }
    response = _page(request, "runs/analysis/index.html", "runs/analysis/_index.html", context)
    return _kept_when(all(one.state in SETTLED for _, one in asked), response)


@require_safe
@vary_on_headers("X-Partial")
def topic(request: HttpRequest, slug: str) -> HttpResponse:
    """One question, answered in charts and tables."""
    found = _topic(slug)
    question = _question(request)
    asked = current_answer(found, question)
    context = {
        **_context(question),
        "topic": found,
        "topics": TOPICS,
        "asked": asked,
        "state": asked.state,
        "live": asked.state in ("pending", "stale"),
        "sections": _sections(asked.answer) if asked.answer else (),
    }
    response = _page(request, "runs/analysis/topic.html", "runs/analysis/_topic.html", context)
    return _kept_when(asked.state in SETTLED, response)


@require_safe
def table_csv(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """One table as CSV, all of its rows."""
    asked, table = _table(request, slug, name)
    if table is None:
        return _later(asked)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-{table.name}.csv"'
    writer = csv.writer(response)
    writer.writerow(map(harmless, header(table)))
    writer.writerows([harmless(value) for value in record] for record in records(table))
    return _kept_when(asked.state in SETTLED, response)


@require_safe
def table_json(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """The same as JSON, with the question, the filter and the version of the data."""
    asked, table = _table(request, slug, name)
    if table is None:
        return _later(asked)
    names = [column.name for column in table.columns]
    response = JsonResponse(
        {
            "question": _topic(slug).question,
            "table": table.title,
            "filter": {key: value for key, value in request.GET.items() if value},
            "data_version": asked.data,
            "columns": [{"name": column.name, "title": column.title} for column in table.columns],
            "rows": [dict(zip(names, map(as_json, row), strict=True)) for row in table.rows],
        }
    )
    return _kept_when(asked.state in SETTLED, response)


def _topic(slug: str) -> Topic:
    if slug not in BY_SLUG:
        raise Http404("no such topic")
    return BY_SLUG[slug]


def _question(request: HttpRequest) -> TopicQuery:
    return TopicQuery(BoardFilter.from_query(request.GET))


def _context(question: TopicQuery) -> dict[str, object]:
    return {
        "section": "analysis",
        "filter": question.chosen,
        "query": question.chosen.query(),
        "calibrates": question.calibrates,
        "chosen": [(name, value) for name, value in asdict(question.chosen).items() if value],
    }


def _page(request: HttpRequest, page: str, part: str, context: dict[str, object]) -> HttpResponse:
    if request.headers.get("X-Partial"):
        return render(request, part, context)
    return render(request, page, {**context, "choices": leaderboard_choices()})


def _kept_when(settled: bool, response: HttpResponse) -> HttpResponse:
    """What may be otherwise in a moment, though no run changes, is kept by nobody."""
    if not settled:
        response["Cache-Control"] = "no-store"
    return response


def _table(request: HttpRequest, slug: str, name: str) -> tuple[TopicResult, AnswerTable | None]:
    """The table; None while its answer is being made. 404 where an answer has no such table."""
    asked = current_answer(_topic(slug), _question(request))
    if asked.answer is None:
        return asked, None
    table = asked.answer.table(name)
    if table is None:
        raise Http404("no such table")
    return asked, table


def _later(asked: TopicResult) -> HttpResponse:
    """Why there is no table: come again, or ask for fewer runs."""
    if asked.state == "pending":
        text, status = "This is being computed: come again in a moment.\n", 503
    elif asked.state == "too many":
        text, status = f"{asked.runs} runs are more than {asked.most}: ask for a part of them.\n", 400
    elif asked.state == "empty":
        text, status = "No run matches.\n", 404
    else:
        text, status = "This could not be computed.\n", 500
    response = HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")
    if status == 503:
        response["Retry-After"] = str(RETRY_SECONDS)
    return response


def _sections(answer: Answer) -> tuple[ShownSection, ...]:
    return tuple(
        ShownSection(
            section,
            section.pictures,
            tuple(_shown_table(table, answer) for table in section.tables if table.rows),
        )
        for section in answer.sections
    )


def _shown_table(table: AnswerTable, answer: Answer) -> ShownTable:
    rows = table.rows if table.matrix or len(table.rows) <= MOST_ROWS else table.rows[:FEW]
    head = tuple(
        # The first names the row: it stands on the left, a number too.
        ColumnHead(column, bool(place) and column.form not in WORDS, common_n(table, place))
        for place, column in enumerate(table.columns)
    )
    return ShownTable(
        table,
        head,
        tuple(
            tuple(
                shown(value, each.column, answer, n=each.n is None)
                for value, each in zip(row, head, strict=True)
            )
            for row in rows
        ),
        len(table.rows) - len(rows),
        signed=any(column.form == "correlation" for column in table.columns),
    )
