"""What a topic says: a short answer, and sections with tables and charts. Plain data, to be kept and shown later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from runs.analysis.estimate import Estimate
from runs.charts.mark import Chart

# How the values of a column are written. `agent`, `task` and `repository` hold slugs that link to their pages, `run`
# numbers of runs;
# `shade` is a share on a coloured ground, for matrices,
# and `correlation` a number from −1 to 1, the stronger the farther from 0, in another hue below it.
Form = Literal[
    "text",
    "agent",
    "task",
    "repository",
    "run",
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
]


class Term(NamedTuple):
    """A word of ours in a table: `name` in CSV and JSON, like a column of that name; `title` on a page."""

    name: str
    title: str


Value = str | int | float | bool | Estimate | Term | tuple[int, ...] | None


class AgentName(NamedTuple):
    """How an agent is shown. `model`: what its model is called; '' where it has none."""

    name: str
    calibration: bool
    model: str = ""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """`name` is the column's in CSV and JSON, `title` what a reader sees; `method` is an anchor of the methods page."""

    name: str
    title: str
    form: Form
    method: str = ""


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """`name` is its address: /analysis/TOPIC/NAME.csv. Every row has a value for each column; the first one names it.

    `matrix`: its cells are small and of one kind. ValueError for a row of another length.
    """

    name: str
    title: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[Value, ...], ...]
    matrix: bool = False

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{self.name}: {len(row)} values under {len(self.columns)} columns")


class Picture(NamedTuple):
    """A chart; `title` says in a sentence what it shows, also to whom cannot see it."""

    name: str
    title: str
    chart: Chart


@dataclass(frozen=True, slots=True)
class AnswerSection:
    """One part of a page. `told`: what the numbers are; `methods`: anchors; `nothing`: why there is nothing to see.

    Tables without rows and charts without marks are not shown: `nothing` then says why.
    """

    name: str
    title: str
    told: str
    methods: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    tables: tuple[AnswerTable, ...] = ()
    nothing: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """`short` answers the question in a sentence or two, with its n. `agents`: slug → how each is shown, and
    `repositories`: slug → title.
    """

    short: str
    sections: tuple[AnswerSection, ...]
    agents: Mapping[str, AgentName]
    repositories: Mapping[str, str]
    runs: int
    tasks: int
    calibrated: bool

    def table(self, name: str) -> AnswerTable | None:
        """One of the tables, wherever it stands."""
        tables = (table for section in self.sections for table in section.tables)
        return next((table for table in tables if table.name == name), None)
