"""The sections of a topic, prepared for its template: texts of every cell of every table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from runs.reporting.topics.table_values import TableValue, common_n, shown
from runs.reporting.topics.topic_result import Picture, ResultSection, ResultTable, TableColumn, TopicResult

MAX_ROWS = 30  # of a table on a page; a longer table shows its first FEW rows
FEW = 20
WORDS = ("text", "prose", "places", "agent", "task", "repository", "run", "flag")


class ColumnHead(NamedTuple):
    """The head of a column; `n` if all of its figures have the same number of observations."""

    column: TableColumn
    numeric: bool
    n: int | None


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table on a page: its first rows. `left`: number of other rows.

    `signed`: its colours distinguish negative and positive values, which needs a legend.
    """

    table: ResultTable
    head: tuple[ColumnHead, ...]
    rows: tuple[tuple[TableValue, ...], ...]
    left: int
    signed: bool


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A section on a page. Of the `alternatives`, a reader sees one at a time, and chooses which."""

    section: ResultSection
    pictures: Sequence[Picture]
    alternatives: tuple[ShownTable, ...]
    tables: tuple[ShownTable, ...]


def sections(result: TopicResult) -> tuple[ShownSection, ...]:
    """Every section of a result."""
    shown_sections = []
    for section in result.sections:
        tables = [_shown_table(table, result) for table in section.tables if table.rows]
        alternatives = tuple(shown for shown in tables if shown.table.choice)
        others = tuple(shown for shown in tables if not shown.table.choice)
        shown_sections.append(ShownSection(section, section.pictures, alternatives, others))
    return tuple(shown_sections)


def _shown_table(table: ResultTable, result: TopicResult) -> ShownTable:
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
                shown(value, each.column, result, n=each.n is None)
                for value, each in zip(row, head, strict=True)
            )
            for row in rows
        ),
        len(table.rows) - len(rows),
        signed=any(column.form == "correlation" for column in table.columns),
    )
