"""The query parameters of the API: the same filters as on the pages, with the same strict validation.

The names of the classes are names of schemas in the OpenAPI document, so they must not change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from typing import Annotated, Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Schema
from pydantic import AfterValidator, BeforeValidator, Field, GetCoreSchemaHandler, WithJsonSchema
from pydantic_core import CoreSchema, core_schema

from runs.data.queries.exploit_filter import EXPLOITS
from runs.data.queries.filters import VALUES
from runs.data.queries.near_miss_query import DEFAULT_THRESHOLD, RATES
from runs.data.queries.run_list import SIGNS

MAX_ITEMS = 200
ITEMS = 50
_FilterClass = TypeVar("_FilterClass")
_Row = TypeVar("_Row", bound=Model)


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these words."""

    words: tuple[str, ...]

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        """Called by pydantic."""
        return core_schema.literal_schema(list(self.words))


def _digits(value: object) -> object:
    """Allows ASCII decimal digits only: not 5.0, not 1_000, not the digits of other scripts."""
    if isinstance(value, str) and not re.fullmatch(r"-?[0-9]{1,18}", value):
        raise ValueError("must be a whole number in decimal digits")
    return value


def _day(value: str) -> str:
    try:
        found = date.fromisoformat(value)
    except ValueError:
        found = None
    if found is None or found.isoformat() != value:
        raise ValueError("must be a day such as 2026-01-31")
    return value


Slug = Annotated[str, Field(pattern=r"^[-a-zA-Z0-9_]+$", min_length=1, max_length=100)]
# The name of a board: see `BoardName`.
BoardSlug = Annotated[str, Field(pattern=r"^[-a-zA-Z0-9_]+(\.[-a-z]+)?$", min_length=1, max_length=120)]
TaskName = Annotated[str, Field(pattern=r"^[-a-zA-Z0-9_]{1,100}/[-a-zA-Z0-9_]{1,100}$", max_length=201)]
# Names of stacks and languages: printable, without a space at either end.
Name = Annotated[str, Field(pattern=r"^[!-~À-ɏ]([ -~À-ɏ]*[!-~À-ɏ])?$", min_length=1, max_length=200)]
# Of a search: no control characters, and not only spaces.
Words = Annotated[
    str, Field(pattern=r"^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$", min_length=1, max_length=200)
]
Day = Annotated[str, AfterValidator(_day), WithJsonSchema({"type": "string", "format": "date"})]
Whole = Annotated[int, BeforeValidator(_digits)]
Cursor = Annotated[str, Field(pattern=r"^[0-7][0-9a-f]{15}$", min_length=16, max_length=16)]
Difficulty = Annotated[str, OneOf(tuple(VALUES["difficulty"]))]
Category = Annotated[str, OneOf(tuple(VALUES["category"]))]
Outcome = Annotated[str, OneOf(tuple(VALUES["outcome"]))]
Ending = Annotated[str, OneOf(tuple(VALUES["ending"]))]
State = Annotated[str, OneOf(tuple(VALUES["state"]))]
Sign = Annotated[str, OneOf(tuple(SIGNS))]
Exploit = Annotated[str, OneOf(tuple(EXPLOITS))]
Flagged = Annotated[str, OneOf(tuple(VALUES["flagged"]))]
Weights = Annotated[str, OneOf(tuple(VALUES["weights"]))]
Origin = Annotated[str, OneOf(tuple(VALUES["origin"]))]
Listed = Annotated[str, OneOf(tuple(VALUES["listed"]))]
Replay = Annotated[str, OneOf(tuple(VALUES["replay"]))]
Flag = Annotated[str, OneOf(("1", "0"))]
Rate = Annotated[str, OneOf(tuple(RATES))]


def optional(description: str) -> Any:
    """An optional parameter: None if missing. A query string cannot contain null, so the type does not allow it."""
    return Field(None, description=description)


class Paging(Schema):
    """The part of a list."""

    limit: Whole = Field(ITEMS, ge=1, le=MAX_ITEMS, description=f"Maximum number of items, 1 to {MAX_ITEMS}.")
    cursor: Cursor = optional("Where the page starts, from “next” of the previous page.")


class OfDataset(Paging):
    """Lists that can be filtered by dataset."""

    dataset: Slug = optional("Slug of a dataset.")


class OfTasks(OfDataset):
    """The list of tasks."""

    repository: Slug = optional("Slug of a repository.")
    difficulty: Difficulty = optional("Stated difficulty of the task.")
    category: Category = optional("Kind of change that the task requires.")


class OfAgents(Paging):
    """The list of agents."""

    kind: Slug = optional("Kind of agent: ide, oracle, null, …")


class OneBoard(Schema):
    """One dataset: rankings never mix datasets."""

    dataset: BoardSlug = optional(
        "Slug of a dataset, with `.origin` where its tasks are of several origins; by default the board with most "
        "competitors."
    )


class SearchQuery(Schema):
    """The words of a search."""

    q: Words = Field(description="Words that must all occur in the name, or the number of a run.")


class CellQuery(Schema):
    """Filters of cells."""

    dataset: BoardSlug = optional("Slug of a dataset, with `.origin` for its tasks of one origin.")
    repository: Slug = optional("Slug of a repository.")
    stack: Name = optional("Stack of the repository, exactly as stated there.")
    language: Name = optional("A language that the repository is written in.")
    difficulty: Difficulty = optional("Stated difficulty of the tasks.")
    category: Category = optional("Kind of change that the tasks require.")
    kind: Slug = optional("Kind of agent: ide, oracle, null, …")
    weights: Weights = optional("Whether the weights of the agent's model are open.")
    origin: Origin = optional("Whether this site executed the runs, or they were imported from elsewhere.")


class BoardQuery(CellQuery):
    """The filters of the leaderboard."""

    since: Day = optional("Only runs that finished on this day (UTC) or later.")
    until: Day = optional("Only runs that finished on this day (UTC) or earlier.")
    flagged: Flagged = optional("without: leave out runs that are flagged as exploits of the benchmark.")


class OfCells(CellQuery, Paging):
    """The list of cells."""


class RunQuery(Schema):
    """The filters of the list of runs."""

    evaluation: Slug = optional("Slug of an evaluation.")
    agent: Slug = optional("Slug of an agent.")
    task: TaskName = optional("A task as repository/task.")
    repository: Slug = optional("Slug of a repository.")
    dataset: BoardSlug = optional("Slug of a dataset, with `.origin` for its tasks of one origin.")
    outcome: Outcome = optional("Outcome of a finished run.")
    ending: Ending = optional("Why the run ended.")
    state: State = optional("State of the run.")
    since: Day = optional("Finished on this day (UTC) or later.")
    until: Day = optional("Finished on this day (UTC) or earlier.")
    origin: Origin = optional("Whether this site executed the run, or it was imported from elsewhere.")
    listed: Listed = optional("Whether the run counts in public numbers (yes), or is of a trial (no).")
    replay: Replay = optional(
        "Where it can be replayed: here; elsewhere, at trajectory_url; none: only its result is known."
    )
    sign: Sign = optional("A sign of trouble in its trajectory, by the slug of the failure mode.")
    exploit: Exploit = optional(
        "A pattern of exploits in its trajectory; any: attempts and successes; flagged: successes."
    )
    q: Name = optional("Words that must all occur in the names of its agent, task or repository.")


class OfRuns(RunQuery, Paging):
    """The list of runs."""


class OfSteps(Paging):
    """The steps of a run: the filters of the replay."""

    tool: Name = optional("Name of a tool that the step calls, or kind:edit, kind:run, … for a kind.")
    file: Name = optional("Part of the path of a file that it names, shows or changes.")
    errors: Flag = optional(
        "1: only steps with a failed call, or a command that exited with a code other than 0."
    )
    edits: Flag = optional("1: only steps that changed the workspace.")


class OfNearMisses(Paging):
    """The list of near misses."""

    threshold: Whole = Field(
        DEFAULT_THRESHOLD, ge=1, le=100, description="Minimum share of passed tests, in percent."
    )
    by: Rate = Field(
        "best", description="Which share must reach it: that of the best attempt, or the mean of all."
    )
    dataset: BoardSlug = optional("Slug of a dataset, with `.origin` for its tasks of one origin.")
    agent: Slug = optional("Slug of an agent.")
    repository: Slug = optional("Slug of a repository.")
    task: TaskName = optional("A task as repository/task.")


def filter_of(kind: type[_FilterClass], query: Schema) -> _FilterClass:
    """The page filter for these parameters: its fields and the parameters have the same names."""
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    given: Mapping[str, Any] = {name: getattr(query, name) or "" for name in names}
    return kind(**given)


@dataclass(frozen=True, slots=True)
class PageQuery:
    """The requested part of a list: at most `limit` items after the one with the number `after`."""

    request: HttpRequest
    response: HttpResponse
    limit: int
    after: int | None

    @classmethod
    def of(cls, request: HttpRequest, response: HttpResponse, query: Paging) -> PageQuery:
        """Reads the parameters."""
        return cls(request, response, query.limit, int(query.cursor, 16) if query.cursor else None)

    def rows(
        self, rows: QuerySet[_Row], item: Callable[[_Row], dict[str, Any]], *, newest_first: bool = False
    ) -> dict[str, Any]:
        """The page of a list that is paged by primary key. `item`: the object of a row."""
        ordered = rows.order_by("-pk" if newest_first else "pk")
        if self.after is not None:
            ordered = ordered.filter(**{"pk__lt" if newest_first else "pk__gt": self.after})
        found = list(ordered[: self.limit + 1])
        shown = found[: self.limit]
        return self.page(list(map(item, shown)), shown[-1].pk if len(found) > self.limit else None)

    @property
    def begin(self) -> int:
        """The position of the first item, in a list that is paged by position."""
        return self.after or 0

    def window(self, items: Sequence[Any], total: int) -> dict[str, Any]:
        """The page of a list that is paged by position and has `total` items."""
        end = self.begin + len(items)
        return self.page(items, end if end < total else None)

    def page(self, items: Sequence[Any], last: int | None) -> dict[str, Any]:
        """The page, with the link to the next one in body and header. `last`: the cursor of the next page, if any."""
        following = None if last is None else self._address(last)
        if following:
            self.response.headers["Link"] = f'<{following}>; rel="next"'
        return {"items": items, "next": following}

    def _address(self, last: int) -> str:
        query = self.request.GET.copy()
        query["cursor"] = f"{last:016x}"
        return self.request.build_absolute_uri(f"{self.request.path}?{query.urlencode()}")
