"""What may be asked of the API, and how each of it is written: the same filters as on the pages, read as strictly."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import Annotated, Any, TypeVar

from ninja import Schema
from pydantic import AfterValidator, BeforeValidator, Field, GetCoreSchemaHandler, WithJsonSchema
from pydantic_core import CoreSchema, core_schema

from runs.queries.filters import VALUES
from runs.queries.near_miss_query import DEFAULT_THRESHOLD, RATES
from runs.queries.run_list import SIGNS

MOST_ITEMS = 200
ITEMS = 50
_FilterClass = TypeVar("_FilterClass")


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these words, and nothing else."""

    words: tuple[str, ...]

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        """As pydantic wants it."""
        return core_schema.literal_schema(list(self.words))


def _digits(value: object) -> object:
    """In plain decimal digits: not 5.0, not 1_000, not the digits of other scripts."""
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


Slug = Annotated[str, Field(pattern=r"^[-a-zA-Z0-9_]+$", min_length=1, max_length=50)]
TaskName = Annotated[str, Field(pattern=r"^[-a-zA-Z0-9_]{1,50}/[-a-zA-Z0-9_]{1,50}$", max_length=101)]
# Names of stacks and languages: printable, no blank at either end.
Name = Annotated[str, Field(pattern=r"^[!-~À-ɏ]([ -~À-ɏ]*[!-~À-ɏ])?$", min_length=1, max_length=200)]
Day = Annotated[str, AfterValidator(_day), WithJsonSchema({"type": "string", "format": "date"})]
Whole = Annotated[int, BeforeValidator(_digits)]
Cursor = Annotated[str, Field(pattern=r"^[0-7][0-9a-f]{15}$", min_length=16, max_length=16)]
Difficulty = Annotated[str, OneOf(tuple(VALUES["difficulty"]))]
Category = Annotated[str, OneOf(tuple(VALUES["category"]))]
Outcome = Annotated[str, OneOf(tuple(VALUES["outcome"]))]
Ending = Annotated[str, OneOf(tuple(VALUES["ending"]))]
State = Annotated[str, OneOf(tuple(VALUES["state"]))]
Sign = Annotated[str, OneOf(tuple(SIGNS))]
Weights = Annotated[str, OneOf(tuple(VALUES["weights"]))]
Flag = Annotated[str, OneOf(("1", "0"))]
Rate = Annotated[str, OneOf(tuple(RATES))]


def asked(told: str) -> Any:
    """A parameter that need not be there: then it is None. Nobody can say null, so its type does not."""
    return Field(None, description=told)


class Paging(Schema):
    """Which part of a list."""

    limit: Whole = Field(ITEMS, ge=1, le=MOST_ITEMS, description=f"How many at most, from 1 to {MOST_ITEMS}.")
    cursor: Cursor = asked("Where to go on: take it from “next” of the page before.")


class OfDataset(Paging):
    """Lists of what belongs to datasets."""

    dataset: Slug = asked("Slug of a dataset.")


class OfTasks(OfDataset):
    """The list of tasks."""

    repository: Slug = asked("Slug of a repository.")
    difficulty: Difficulty = asked("How hard the task is said to be.")
    category: Category = asked("What kind of change it asks for.")


class OfAgents(Paging):
    """The list of agents."""

    kind: Slug = asked("Kind of agent: ide, oracle, null, …")


class CellQuery(Schema):
    """Which cells count."""

    dataset: Slug = asked("Slug of a dataset.")
    repository: Slug = asked("Slug of a repository.")
    stack: Name = asked("Stack of the repository, as it is written there.")
    language: Name = asked("A language that the repository is written in.")
    difficulty: Difficulty = asked("How hard the tasks are said to be.")
    category: Category = asked("What kind of change the tasks ask for.")
    kind: Slug = asked("Kind of agent: ide, oracle, null, …")
    weights: Weights = asked("Whether the weights of the agent's model are open.")


class BoardQuery(CellQuery):
    """The filters of the leaderboard."""

    since: Day = asked("Only runs that finished on this day (UTC) or later.")
    until: Day = asked("Only runs that finished on this day (UTC) or earlier.")


class OfCells(CellQuery, Paging):
    """The list of cells."""


class RunQuery(Schema):
    """Which runs: the filters of the list of runs."""

    evaluation: Slug = asked("Slug of an evaluation.")
    agent: Slug = asked("Slug of an agent.")
    task: TaskName = asked("A task as repository/task.")
    repository: Slug = asked("Slug of a repository.")
    dataset: Slug = asked("Slug of a dataset.")
    outcome: Outcome = asked("What a finished run is worth.")
    ending: Ending = asked("Why it ended.")
    state: State = asked("Where it stands.")
    since: Day = asked("Finished on this day (UTC) or later.")
    until: Day = asked("Finished on this day (UTC) or earlier.")
    sign: Sign = asked("A sign of trouble that its trajectory shows, by the slug of the failure mode.")
    q: Name = asked("Words that are all part of the names of its agent, task or repository.")


class OfRuns(RunQuery, Paging):
    """The list of runs."""


class OfSteps(Paging):
    """The steps of a run: the filters of the replay."""

    tool: Name = asked("Name of a tool that the step calls, or kind:edit, kind:run, … for a kind.")
    file: Name = asked("Part of the path of a file that it names, shows or changes.")
    errors: Flag = asked("1: only steps with a call that failed.")
    edits: Flag = asked("1: only steps that changed the workspace.")


class OfNearMisses(Paging):
    """The list of near misses."""

    threshold: Whole = Field(
        DEFAULT_THRESHOLD, ge=1, le=100, description="Least share of the tests that passed, in percent."
    )
    by: Rate = Field(
        "best", description="Whose share has to reach it: the best attempt's, or the mean of all."
    )
    agent: Slug = asked("Slug of an agent.")
    repository: Slug = asked("Slug of a repository.")
    task: TaskName = asked("A task as repository/task.")


def filter_of(kind: type[_FilterClass], query: Schema) -> _FilterClass:
    """The filter of the pages that was asked for: all of its fields are parameters of the same name."""
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    given: Mapping[str, Any] = {name: getattr(query, name) or "" for name in names}
    return kind(**given)
