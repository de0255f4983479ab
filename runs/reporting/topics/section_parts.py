"""The usual parts of a section: tables, one chart, a matrix, dots with intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from django.utils.text import slugify

from runs.analysis.estimate import Estimate
from runs.analysis.statistics.summaries import BoxSummary
from runs.presentation.charts.axis import Say
from runs.presentation.charts.boxes import BoxRow, Five
from runs.presentation.charts.dots import Dot
from runs.presentation.charts.line_chart import Series
from runs.presentation.charts.svg_shapes import Chart
from runs.presentation.formatting.numbers import bounds, counted, percent, with_n
from runs.reporting.topics.topic_result import Form, Picture, ResultTable, TableColumn, Term, Value

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Field(Generic[Row]):
    """A column of a table, and how its values are read from the objects of the rows.

    `name` is used in CSV and JSON, `title` on pages; `method` is an anchor of the methods page.
    """

    name: str
    title: str
    form: Form
    value: Callable[[Row], Value]
    method: str = ""


Columns = tuple[Field[Row], ...]


def table_of(name: str, title: str, columns: Columns[Row], rows: Iterable[Row]) -> tuple[ResultTable, ...]:
    """The tables of a section that has one, with a row for each object."""
    heads = [TableColumn(each.name, each.title, each.form, each.method) for each in columns]
    return one_table(name, title, heads, [tuple(each.value(row) for each in columns) for row in rows])


def one_table(
    name: str, title: str, columns: Iterable[TableColumn], rows: Iterable[tuple[Value, ...]]
) -> tuple[ResultTable, ...]:
    """The tables of a section that has one."""
    return (ResultTable(name, title, tuple(columns), tuple(rows)),)


def one_picture(name: str, title: str, chart: Chart | None) -> tuple[Picture, ...]:
    """The charts of a section that has one; () without a chart."""
    return () if chart is None else (Picture(name, title, chart),)


def matrix(
    name: str,
    title: str,
    rows: Sequence[str | Term],
    columns: Sequence[tuple[str, str]],
    cell: Callable[[str, str], Value],
    *,
    head: TableColumn,
    form: Form = "shade",
    shown: bool = True,
) -> tuple[ResultTable, ...]:
    """A table of one kind of cells: a row for each of `rows` under `head`, a column for each (name, title).

    `cell` gets the name of the row and that of the column. () unless `shown`.
    """
    if not shown:
        return ()
    values = tuple(
        (row, *(cell(row.name if isinstance(row, Term) else row, each) for each, _ in columns))
        for row in rows
    )
    titles = (head, *(TableColumn(each, title, form) for each, title in columns))
    return (ResultTable(name, title, titles, values, matrix=True),)


def alternatives(found: Iterable[tuple[str, tuple[ResultTable, ...]]]) -> tuple[ResultTable, ...]:
    """Tables of which a page shows one at a time, each under its label; none if there is only one with rows."""
    known = [(label, table) for label, tables in found for table in tables if table.rows]
    return tuple(replace(table, choice=label if len(known) > 1 else "") for label, table in known)


def box_row(name: str, found: BoxSummary, say: Say, *, points: Sequence[float] | None = None) -> BoxRow:
    """A row of box plots. `points`: drawn one by one; None: the outliers."""
    ends = [each.value for each in (found.low, found.q1, found.median, found.q3, found.high)]
    low, q1, median, q3, high = (0.0 if each is None else each for each in ends)
    if found.median.value is None:
        return BoxRow(name, None, found.median.reason)
    outside = [each.value for each in found.outliers]
    note = f"{say(median)}, n {found.n:,}"
    hover = (
        f"median {note}",
        f"middle half {say(q1)} to {say(q3)}",
        f"whiskers {say(low)} to {say(high)}, {counted(len(outside), 'outlier')}",
    )
    return BoxRow(
        name, Five(low, q1, median, q3, high), note, tuple(outside if points is None else points), hover
    )


def estimate_series(
    name: str, points: Sequence[tuple[float, Estimate]], place: Callable[[float], str]
) -> Series:
    """A line through estimates of shares. `place`: what the hover text of a point says of its x."""
    return Series(
        name,
        tuple((x, each.value or 0.0) for x, each in points),
        tuple(f"{place(x)}: {percent(each.value)}, n {each.n}" for x, each in points),
    )


def of_agent(name: str, agent: str, place: int) -> str:
    """The name of an agent's own table; with its place where its slug cannot be part of an address."""
    return f"{name}-{agent}" if slugify(agent) == agent.lower() else f"{name}-{place}"


def estimate_dot(
    name: str, estimate: Estimate, *, share: bool = True, digits: int = 1, hollow: bool = False
) -> Dot:
    """A dot with the interval of an estimate, and its value and n beside it."""
    return Dot(name, estimate.value, with_n(estimate, share, digits), *bounds(estimate), hollow=hollow)
