"""The sections of a topic, prepared for its template: texts of every cell of every table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from runs.presentation.charts.miniature import first_rows
from runs.presentation.formatting.text import one_line
from runs.reporting.topics.table_values import TableValue, address, common_n, shown
from runs.reporting.topics.topic_result import (
    Picture,
    ResultSection,
    ResultTable,
    TableColumn,
    TopicResult,
    Value,
    estimate_of,
)

_Any = TypeVar("_Any")

MAX_ROWS = 30  # of a table on a page; a longer table shows its first FEW rows
FEW = 20
LEAD_ROWS = 12  # of the chart beside the answer, which should fit on the first screen
SIGNED = ("correlation", "difference")
WORDS = ("text", "prose", "places", "agent", "task", "repository", "run", "flag")


class ColumnHead(NamedTuple):
    """The head of a column; `n` if all of its figures have the same number of observations."""

    column: TableColumn
    numeric: bool
    n: int | None


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table on a page: its first rows. `left`: number of other rows.

    `signed`: the form of its values, where colours distinguish negative and positive ones, which needs a legend; else
    ''. `unknown`: the titles of the columns without any value, which are not drawn; CSV and JSON have them with the
    reasons.
    """

    table: ResultTable
    head: tuple[ColumnHead, ...]
    rows: tuple[tuple[TableValue, ...], ...]
    left: int
    signed: str
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A section on a page. Of the `alternatives`, a reader sees one at a time, and chooses which."""

    section: ResultSection
    pictures: Sequence[Picture]
    alternatives: tuple[ShownTable, ...]
    tables: tuple[ShownTable, ...]

    @property
    def is_empty(self) -> bool:
        """Whether it has neither a chart nor a known figure."""
        return not (self.pictures or self.alternatives or self.tables)


@dataclass(frozen=True, slots=True)
class LeadChart:
    """The chart beside the answer. `left`: how many more rows the same chart has in its section."""

    picture: Picture
    section: str
    left: int


def lead_chart(result: TopicResult) -> LeadChart | None:
    """The first chart that compares values; of one with many rows the first ones, as a page shows all of them below."""
    for section in result.sections:
        for picture in section.comparing:
            short, left = first_rows(picture.chart, LEAD_ROWS)
            return LeadChart(picture._replace(chart=short, name=f"lead-{picture.name}"), section.name, left)
    return None


def sections(result: TopicResult) -> tuple[ShownSection, ...]:
    """Every section of a result, without charts of one value, and that which stands beside the answer as a whole."""
    lead = lead_chart(result)
    shown_sections = []
    for section in result.sections:
        tables = [_shown_table(table, result) for table in section.tables if table.is_known]
        alternatives = tuple(shown for shown in tables if shown.table.choice)
        others = tuple(shown for shown in tables if not shown.table.choice)
        whole = lead is not None and section.name == lead.section and not lead.left
        pictures = section.comparing[1:] if whole else section.comparing
        shown_sections.append(ShownSection(section, pictures, alternatives, others))
    return tuple(shown_sections)


def _shown_table(table: ResultTable, result: TopicResult) -> ShownTable:
    unknown = _unknown_columns(table)
    if unknown:
        title = tuple(column.title for place, column in enumerate(table.columns) if place in unknown)
        return replace(_shown_table(_without(table, unknown), result), unknown=title)
    rows = table.rows if table.matrix or len(table.rows) <= MAX_ROWS else table.rows[:FEW]
    head = tuple(
        # The first column names the row, so it is left-aligned even if it is a number.
        ColumnHead(column, bool(place) and column.form not in WORDS, common_n(table, place))
        for place, column in enumerate(table.columns)
    )
    return ShownTable(
        table,
        head,
        tuple(
            tuple(
                _task(str(value), result)
                if each.column.form == "task" and value is not None
                else shown(value, each.column, result, n=each.n is None)
                for value, each in zip(row, head, strict=True)
            )
            for row in rows
        ),
        len(table.rows) - len(rows),
        signed=next((column.form for column in table.columns if column.form in SIGNED), ""),
    )


def _task(key: str, result: TopicResult) -> TableValue:
    """A task with the title of its repository below: the slug of that may be longer than both."""
    repository, _, task = key.partition("/")
    title = result.repositories.get(repository, repository)
    return TableValue(one_line(task), one_line(title), href=address("task", repository, task))


def _unknown_columns(table: ResultTable) -> frozenset[int]:
    """The places of the columns of figures without any value. A matrix keeps its columns, as they are its rows."""
    if table.matrix:
        return frozenset()
    return frozenset(
        place
        for place in range(1, len(table.columns))
        if all(row[place] is None or _is_unknown(row[place]) for row in table.rows)
    )


def _is_unknown(value: Value) -> bool:
    figure = estimate_of(value)
    return figure is not None and figure.value is None


def _without(table: ResultTable, places: Collection[int]) -> ResultTable:
    def kept(values: Sequence[_Any]) -> tuple[_Any, ...]:
        return tuple(value for place, value in enumerate(values) if place not in places)

    return replace(table, columns=kept(table.columns), rows=tuple(map(kept, table.rows)))
