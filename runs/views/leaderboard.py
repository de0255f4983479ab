"""The first page: which agent resolves real tasks?"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from runs.analysis.outcomes.standings import Standing, Standings, standings
from runs.board import record
from runs.models import Agent
from runs.queries import CellFilter, agents_by_id, all_standings, cell_facts, leaderboard_choices
from runs.views import asking
from runs.views.spreadsheets import harmless

DEFAULT_SORT = "-pass1"


@dataclass(frozen=True, slots=True)
class Row:
    """One agent with its figures. `leads`: the first of its group, where the table is in the order of the groups."""

    agent: Agent
    standing: Standing
    leads: bool = False

    @property
    def cost(self) -> str | None:
        """`none` where no model is paid, `unknown` where its price is missing, else None: see the figures."""
        if self.agent.model is None:
            return "none"
        return "unknown" if self.standing.cost_per_attempt is None else None


@dataclass(frozen=True, slots=True)
class Column:
    """One column that can be sorted by. `descending`: what a first click means. `method`: its anchor."""

    key: str
    label: str
    value: Callable[[Row], Any]
    descending: bool = True
    numeric: bool = True
    hint: str = ""
    method: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A column as the table's head shows it: `sort` for aria-sort ('' when it is not the one), `href` to sort by it."""

    column: Column
    sort: str
    href: str


@dataclass(frozen=True, slots=True)
class Board:
    """Everything that the leaderboard shows, in the order it is shown."""

    filter: CellFilter
    sort: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    standings: Standings

    @property
    def grouped(self) -> bool:
        """Whether the rows are in the order of the tie groups, so that borders between groups make sense."""
        return self.sort == DEFAULT_SORT

    @property
    def most_tasks(self) -> int:
        """The largest number of tasks in a row."""
        return max((row.standing.tasks for row in self.rows), default=0)

    def headings(self) -> list[Heading]:
        """The head of the table."""
        return [self._heading(column) for column in self.columns]

    def query(self, **more: str) -> str:
        """The state of the page as a query string."""
        state = {name: getattr(self.filter, name) for name in CellFilter.__dataclass_fields__}
        if self.sort != DEFAULT_SORT:
            state["sort"] = self.sort
        return urlencode({name: value for name, value in {**state, **more}.items() if value})

    def _heading(self, column: Column) -> Heading:
        current = self.sort.removeprefix("-") == column.key
        falling = self.sort.startswith("-")
        next_falls = not falling if current else column.descending
        sort = ("descending" if falling else "ascending") if current else ""
        return Heading(column, sort, "?" + self.query(sort=f"{'-' if next_falls else ''}{column.key}"))


def columns_for(k: int | None) -> tuple[Column, ...]:
    """The columns; pass@k is left out when k is 1, where it would repeat pass@1."""
    at_k = Column(
        "passk",
        f"pass@{k}",
        lambda row: row.standing.pass_k and row.standing.pass_k.value,
        hint=f"Chance that one of {k} attempts resolves a task",
        method="pass-rate",
    )
    return (
        Column(
            "place",
            "Place",
            lambda row: (row.standing.place.first, row.standing.place.last),
            descending=False,
            hint="The places that the agent can have, as far as the data tell agents apart",
            method="groups",
        ),
        Column("name", "Agent", lambda row: row.agent.name.casefold(), descending=False, numeric=False),
        Column("pass1", "pass@1", lambda row: row.standing.pass_1.value, numeric=False, method="pass-rate"),
        *(
            [Column(at_k.key, at_k.label, at_k.value, numeric=False, hint=at_k.hint, method=at_k.method)]
            if k and k > 1
            else []
        ),
        Column(
            "tests",
            "Tests",
            lambda row: row.standing.tests.value,
            hint="Mean share of the hidden tests passed",
            method="test-pass-rate",
        ),
        Column(
            "tokens",
            "Tokens",
            lambda row: row.standing.tokens_per_success if row.agent.model else None,
            descending=False,
            hint="For each success",
            method="per-success",
        ),
        Column(
            "cost",
            "Cost",
            lambda row: None if row.cost else row.standing.cost_per_attempt,
            descending=False,
            hint="US dollars for one attempt",
            method="cost-per-attempt",
        ),
        Column(
            "time",
            "Time",
            lambda row: row.standing.seconds_per_attempt,
            descending=False,
            hint="For one attempt",
            method="seconds-per-attempt",
        ),
        Column(
            "n",
            "n",
            lambda row: (row.standing.tasks, row.standing.attempts),
            hint="Tasks × attempts",
            method="row",
        ),
        Column(
            "excluded",
            "Excluded",
            lambda row: row.standing.infrastructure_failed,
            hint="Attempts lost to the infrastructure, counted in no other column",
            method="excluded",
        ),
    )


def board(request: HttpRequest) -> Board:
    """What this address shows. Four queries at most, whatever the number of agents and tasks."""
    chosen = CellFilter.from_query(request.GET)
    # Anybody may ask for any filter: what is kept for each would have no end.
    found = all_standings() if chosen.empty else standings(cell_facts(chosen.cells()))
    columns = columns_for(found.k)
    by_key = {column.key: column for column in columns}
    # A link with "pass@k" stays good where a filter leaves single attempts.
    offered = [f"{sign}{key}" for key in ("passk", *by_key) for sign in ("", "-")]
    sort = asking.choice(request.GET, "sort", offered, DEFAULT_SORT)
    if sort.removeprefix("-") not in by_key:
        sort = DEFAULT_SORT
    agents = agents_by_id(row.agent for row in found.rows)
    rows = [Row(agents[row.agent], row, row.group.members[0] == row.agent) for row in found.rows]
    return Board(
        filter=chosen,
        sort=sort,
        columns=columns,
        rows=_sorted(rows, by_key[sort.removeprefix("-")], falling=sort.startswith("-")),
        standings=found,
    )


@require_safe
@vary_on_headers("X-Partial")
def leaderboard(request: HttpRequest) -> HttpResponse:
    """The page, or the table alone when a script asks for the part that a filter changes."""
    shown = board(request)
    context: dict[str, object] = {"section": "leaderboard", "board": shown}
    if request.headers.get("X-Partial"):
        return render(request, "runs/_leaderboard.html", context)
    return render(request, "runs/leaderboard.html", {**context, "choices": leaderboard_choices()})


@require_safe
def leaderboard_csv(request: HttpRequest) -> HttpResponse:
    """The rows on the screen as CSV, in the order of the screen."""
    records = _records(request)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="leaderboard.csv"'
    if records:
        writer = csv.writer(response)
        writer.writerow(records[0])
        writer.writerows([harmless(value) for value in record.values()] for record in records)
    return response


@require_safe
def leaderboard_json(request: HttpRequest) -> JsonResponse:
    """The rows on the screen as JSON, with what was asked for."""
    return JsonResponse({"query": request.GET.dict(), "rows": _records(request)})


def _records(request: HttpRequest) -> list[dict[str, Any]]:
    shown = board(request)
    return [_record(request, row, shown.standings) for row in shown.rows]


def _record(request: HttpRequest, row: Row, found: Standings) -> dict[str, Any]:
    url = request.build_absolute_uri(reverse("agent", args=[row.agent.slug]))
    return {**record(row.agent, row.standing, found.k), "url": url}


def _sorted(rows: list[Row], column: Column, *, falling: bool) -> tuple[Row, ...]:
    """Rows without a value come last either way; equal rows stay in the order of the groups."""
    valued = [row for row in rows if column.value(row) is not None]
    empty = [row for row in rows if column.value(row) is None]
    return (*sorted(valued, key=column.value, reverse=falling), *empty)
