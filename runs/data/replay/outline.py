"""Queries on an index: windows of the filtered steps, single steps, and the neighbours of a step."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from harness.records import EDITS, TRAJECTORY, Step, StepEdits
from runs.data.replay.filter_choices import FilterChoices
from runs.data.replay.index import ERROR, Index
from runs.data.replay.jsonl import edits_in, read_at, step_in
from runs.data.replay.overview_strip import Strip
from runs.data.replay.step_filter import StepCondition

_COLUMNS = (
    "place, steps.number, source, kind, tool, calls, about, seconds, prompt, completion, cached, cost, failed, again,"
    " exit_code, steps.offset, steps.length, edits.files, edits.added, edits.removed"
)
_FAILED = 12  # position of `failed` in the columns; `again` follows


@dataclass(frozen=True, slots=True)
class OutlineRow:
    """One step as a line of the outline; texts are raw.

    `place` counts the readable steps from 0; `number` is the recorded step number. `kind` and `tool` are '' without a
    call. Tokens are None without a model call, `cost_usd` also if it is unknown; `cached_tokens` are part of the prompt
    tokens. `again`: the step only repeats earlier reads (`rereads`). `exit_code`: the first known exit code
    of its commands other than 0. `offset` and `length`: its position in the trajectory, in bytes. `files`, `added` and
    `removed`: its changes to the workspace; None without any.
    """

    place: int
    number: int
    source: str
    kind: str
    tool: str
    calls: int
    about: str
    seconds: float | None
    prompt_tokens: int | None
    completion_tokens: int | None
    cached_tokens: int | None
    cost_usd: float | None
    failed: bool
    again: bool
    exit_code: int | None
    offset: int
    length: int
    files: int | None
    added: int | None
    removed: int | None

    @property
    def edited(self) -> bool:
        """Whether the step changed the workspace."""
        return self.files is not None

    @property
    def tokens(self) -> int | None:
        """Prompt and completion tokens; None without a model call."""
        if self.prompt_tokens is None or self.completion_tokens is None:
            return None
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Numbers of the steps that a step links to; None if there is no such step.

    `previous` and `next` are among all steps, the matches among the filtered steps. `next_exploit`: among those that
    were marked.
    """

    previous: int | None = None
    next: int | None = None
    next_edit: int | None = None
    next_error: int | None = None
    previous_match: int | None = None
    next_match: int | None = None
    next_exploit: int | None = None


class Outline:
    """The steps of one run. Methods may raise sqlite3.Error if the index is damaged."""

    def __init__(self, index: Index) -> None:
        self._database = index.database
        self._index = index
        self.directory = index.directory

    @property
    def unreadable(self) -> int:
        """Number of lines of the trajectory that are not steps."""
        return int(self._index.stored("unreadable") or 0)

    @property
    def strip(self) -> Strip:
        """The overview of all steps."""
        return Strip.from_stored(json.loads(self._index.stored("strip") or "null"))

    def count(self, chosen: StepCondition | None = None) -> int:
        """Number of steps, or of those that match."""
        if chosen is None:
            return self._one("SELECT coalesce(max(place) + 1, 0) FROM steps") or 0
        where, values = chosen.condition()
        return self._one(f"SELECT count(*) FROM steps WHERE {where}", *values) or 0

    def rows(self, chosen: StepCondition, first: int, most: int) -> tuple[OutlineRow, ...]:
        """At most `most` matching steps, in order, after skipping `first` of them."""
        where, values = chosen.condition()
        if where == "1":
            where, values = "place >= ?", [first]
            first = 0
        return self._rows(f"WHERE {where} ORDER BY place LIMIT ? OFFSET ?", *values, most, first)

    def row(self, number: int) -> OutlineRow | None:
        """One step; the first, if several have this number."""
        return next(iter(self._rows("WHERE number = ? ORDER BY place LIMIT 1", number)), None)

    def before(self, place: int, chosen: StepCondition) -> int:
        """Number of matching steps before a place."""
        where, values = chosen.condition()
        if where == "1":
            return place
        return self._one(f"SELECT count(*) FROM steps WHERE place < ? AND {where}", place, *values) or 0

    def first_with_call(self) -> OutlineRow | None:
        """The first step that calls a tool; else the first step."""
        return next(iter(self._rows("ORDER BY kind = '', place LIMIT 1")), None)

    def first_of(self, source: str) -> int:
        """The number of the first step of this source; 0 without one."""
        return self._one("SELECT number FROM steps WHERE source = ? ORDER BY place LIMIT 1", source) or 0

    def last_number(self) -> int:
        """The number of the last step; 0 without steps."""
        return self._one("SELECT number FROM steps ORDER BY place DESC LIMIT 1") or 0

    def neighbours(self, place: int, chosen: StepCondition, marked: Collection[int] = ()) -> Neighbours:
        """The steps that the step at a place links to. `marked`: numbers of the steps with a suspected exploit."""
        where, values = chosen.condition()
        return Neighbours(
            previous=self._one("SELECT number FROM steps WHERE place = ?", place - 1),
            next=self._one("SELECT number FROM steps WHERE place = ?", place + 1),
            next_edit=self._after(place, "number IN (SELECT number FROM edits)"),
            next_error=self._after(place, ERROR),
            previous_match=self._one(
                f"SELECT number FROM steps WHERE place < ? AND {where} ORDER BY place DESC LIMIT 1",
                place,
                *values,
            ),
            next_match=self._after(place, where, *values),
            next_exploit=self._after(place, f"number IN ({', '.join(map(str, marked))})") if marked else None,
        )

    @property
    def filter_choices(self) -> FilterChoices:
        """The tools and files to filter by."""
        tools, files = json.loads(self._index.stored("offer") or "[[], []]")
        return [(tool, steps) for tool, steps in tools], files

    def model_calls(self) -> list[tuple[int, int, int, int | None, float | None]]:
        """Each step with known tokens: number, prompt, completion and cached tokens, cost in US dollars."""
        return self._database.execute(
            "SELECT number, prompt, completion, cached, cost FROM steps"
            " WHERE prompt IS NOT NULL AND completion IS NOT NULL ORDER BY place"
        ).fetchall()

    def sums(self) -> list[tuple[bool, float | None]]:
        """Prompt tokens, completion tokens and US dollars of the agent's steps: the sum, None if no step has a number.

        Before it, whether all of these steps have one.
        """
        names = ("prompt", "completion", "cost")
        columns = ", ".join(f"count({name}), sum({name})" for name in names)
        query = f"SELECT count(*), {columns} FROM steps WHERE source = 'agent'"
        steps, *found = self._database.execute(query).fetchone()
        return [(known == steps, added) for known, added in zip(found[::2], found[1::2], strict=True)]

    def acts(self, most: int) -> list[tuple[str, str, str]]:
        """Source, kind of call ('' without one) and raw summary of the first `most` steps."""
        return self._database.execute(
            "SELECT source, kind, about FROM steps ORDER BY place LIMIT ?", (most,)
        ).fetchall()

    def lengths(self) -> list[tuple[int, int]]:
        """The number of each step and its length in the trajectory, in bytes; in order."""
        return self._database.execute("SELECT number, length FROM steps ORDER BY place").fetchall()

    def count_model_calls(self) -> int:
        """Number of steps in `model_calls`."""
        known = "prompt IS NOT NULL AND completion IS NOT NULL"
        return self._one(f"SELECT count(*) FROM steps WHERE {known}") or 0

    def step_of_iteration(self, iteration: int) -> int | None:
        """The step number of an iteration of the agent, counted from 1."""
        return self._one(
            "SELECT number FROM steps WHERE source = 'agent' ORDER BY place LIMIT 1 OFFSET ?", iteration - 1
        )

    def places_at(self, offsets: Collection[int], numbers: Collection[int]) -> tuple[int, ...]:
        """The places of the steps at these byte offsets of the trajectory, or with these numbers."""
        begun, named = (", ".join(map(str, listed)) for listed in (offsets, numbers))
        rows = self._database.execute(
            f"SELECT place FROM steps WHERE offset IN ({begun}) OR number IN ({named}) ORDER BY place"
        )
        return tuple(place for (place,) in rows)

    def step(self, row: OutlineRow) -> Step | None:
        """The whole step, read from the trajectory; None if the file has been replaced."""
        return step_in(read_at(self.directory / TRAJECTORY, row.offset, row.length))

    def edits(self, number: int) -> StepEdits | None:
        """The edits of a step; None without any."""
        place = self._database.execute(
            "SELECT offset, length FROM edits WHERE number = ?", (number,)
        ).fetchone()
        return None if place is None else edits_in(read_at(self.directory / EDITS, *place))

    def edits_of(self, path: str) -> Iterator[StepEdits]:
        """The edits of each step that changed this file, in order, read one by one."""
        rows = self._database.execute(
            "SELECT number FROM touches JOIN files USING (file) WHERE path = ? AND changed ORDER BY number",
            (path,),
        )
        for (number,) in rows.fetchall():
            edits = self.edits(number)
            if edits is not None:
                yield edits

    def first_changes(self) -> dict[str, int]:
        """File → number of the first step that changed it."""
        rows = self._database.execute(
            "SELECT path, min(number) FROM touches JOIN files USING (file) WHERE changed GROUP BY file"
        )
        return dict(rows.fetchall())

    def steps_naming(self, paths: Sequence[str], tool: str, until: int) -> Iterator[OutlineRow]:
        """Steps up to number `until` whose first call is of this tool and that name one of these files, last first."""
        places = self._database.execute(
            "SELECT DISTINCT place FROM files JOIN touches USING (file) JOIN steps USING (number)"
            f" WHERE path IN ({', '.join('?' * len(paths))}) AND tool = ? AND number <= ? ORDER BY place DESC",
            (*paths, tool, until),
        )
        for (place,) in places.fetchall():
            yield from self._rows("WHERE place = ?", place)

    def _rows(self, which: str, *values: object) -> tuple[OutlineRow, ...]:
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM (SELECT * FROM steps {which}) AS steps"
            " LEFT JOIN edits ON edits.number = steps.number ORDER BY place",
            values,
        )
        return tuple(map(_row, rows))

    def _after(self, place: int, where: str, *values: object) -> int | None:
        return self._one(
            f"SELECT number FROM steps WHERE place > ? AND {where} ORDER BY place LIMIT 1", place, *values
        )

    def _one(self, statement: str, *values: object) -> int | None:
        row = self._database.execute(statement, values).fetchone()
        return None if row is None else row[0]


def _row(values: tuple[Any, ...]) -> OutlineRow:
    """The columns are in the order of the fields; SQLite has no booleans."""
    failed, again = values[_FAILED : _FAILED + 2]
    return OutlineRow(*(*values[:_FAILED], bool(failed), bool(again), *values[_FAILED + 2 :]))
