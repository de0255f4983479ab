"""The result of a topic: a summary, and sections with tables and charts. Plain data, which can be cached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from runs.analysis.estimate import Estimate
from runs.presentation.charts.miniature import compares
from runs.presentation.charts.svg_shapes import Chart

# How the values of a column are written. `agent`, `task` and `repository` are slugs and `run` is a number; all link to
# their pages. `place` is (run, step) or (run,): a reference such as R17, which opens the step; `places` are several.
# `prose` is a text of some sentences, which is not cut. `shade` is a share and `correlation` a number from −1 to 1,
# both on a coloured background.
Form = Literal[
    "text",
    "agent",
    "task",
    "repository",
    "run",
    "place",
    "places",
    "prose",
    "count",
    "percent",
    "points",
    "number1",
    "number",
    "number3",
    "number4",
    "dollars",
    "duration",
    "flag",
    "shade",
    "correlation",
    "difference",
]


class Term(NamedTuple):
    """A term of the site in a table: `name` in CSV and JSON, `title` on a page."""

    name: str
    title: str


class Minor(NamedTuple):
    """A value of little weight, which a page shows without its colour."""

    figure: Estimate


Value = (
    str | int | float | bool | Estimate | Term | Minor | tuple[int, ...] | tuple[tuple[int, ...], ...] | None
)


def estimate_of(value: Value) -> Estimate | None:
    """The figure of a value of a table; None for other values."""
    if isinstance(value, Minor):
        return value.figure
    return value if isinstance(value, Estimate) else None


class AgentName(NamedTuple):
    """How an agent is shown. `model`: the name of its model; '' where it has none. `person`: it stands for people.

    `harness`: the program that calls the model; '' if unknown.
    """

    name: str
    calibration: bool
    model: str = ""
    person: bool = False
    harness: str = ""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """`name` is used in CSV and JSON, `title` on pages; `method` is an anchor of the methods page."""

    name: str
    title: str
    form: Form
    method: str = ""


@dataclass(frozen=True, slots=True)
class ResultTable:
    """`name` is part of its address: /analysis/TOPIC/NAME.csv. The first column names the row.

    `matrix`: its cells are small and of one kind. `choice`: the label of one of several alternatives in its section, of
    which a page shows one at a time, first the first; "": it is none. ValueError for a row of another length than
    `columns`.
    """

    name: str
    title: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[Value, ...], ...]
    matrix: bool = False
    choice: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{self.name}: {len(row)} values under {len(self.columns)} columns")

    @property
    def is_known(self) -> bool:
        """Whether it has a row, and where it has figures, one with a value."""
        found = (estimate_of(value) for row in self.rows for value in row)
        figures = [figure for figure in found if figure is not None]
        return bool(self.rows) and (not figures or any(figure.value is not None for figure in figures))


class Picture(NamedTuple):
    """A chart; `title` describes it in a sentence, which is also its alternative text."""

    name: str
    title: str
    chart: Chart


@dataclass(frozen=True, slots=True)
class ResultSection:
    """One part of a result. `intro` says what the numbers are; `methods` are anchors of the methods page.

    Tables without rows are not shown; where there is neither table nor chart, `empty` says why.
    """

    name: str
    title: str
    intro: str
    methods: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    tables: tuple[ResultTable, ...] = ()
    empty: str = ""

    @property
    def comparing(self) -> list[Picture]:
        """The charts of more than one value: one alone is in the sentence and the table."""
        return [picture for picture in self.pictures if compares(picture.chart)]


@dataclass(frozen=True, slots=True)
class TopicResult:
    """`summary`: a sentence or two, with n. `agents`: slug → how each is shown; `repositories`: slug → title."""

    summary: str
    sections: tuple[ResultSection, ...]
    agents: Mapping[str, AgentName]
    repositories: Mapping[str, str]
    runs: int
    tasks: int
    calibrated: bool

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show: no chart, and no table with a known figure."""
        return not any(
            section.pictures or any(table.is_known for table in section.tables) for section in self.sections
        )

    @property
    def main(self) -> Picture | None:
        """The chart that answers the question, the first one; None where there is none."""
        return next((picture for section in self.sections for picture in section.pictures), None)

    def table(self, name: str) -> ResultTable | None:
        """The table of this name; None where there is none."""
        tables = (table for section in self.sections for table in section.tables)
        return next((table for table in tables if table.name == name), None)
