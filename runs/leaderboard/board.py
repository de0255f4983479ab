"""The leaderboard for the parameters of an address: columns, rows in order, and the texts around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from runs.analysis.outcomes.standings import Standings
from runs.leaderboard.board_source import BoardSource
from runs.leaderboard.column import BoardRow, Column
from runs.leaderboard.columns import COLUMNS
from runs.leaderboard.cost_plot import CURRENCIES, FrontPlot, front_plot
from runs.leaderboard.headline import Headline, headline
from runs.models.agent import plain_name
from runs.queries.board_filter import ALL_COLUMNS, DEFAULT_SORT, Chip, LeaderboardQuery, leaderboard_query
from runs.queries.compare_filter import FILTERS as COMPARED
from runs.queries.competitors import Competitor
from runs.queries.filters import BoardChoices


@dataclass(frozen=True, slots=True)
class Heading:
    """A column in the table's head. `sort`: its aria-sort, '' for most; `href` sorts by it, '' if not sortable."""

    column: Column
    sort: str
    href: str


@dataclass(frozen=True, slots=True)
class Switch:
    """One of several states of a part of the page; `here`: the current one."""

    key: str
    label: str
    href: str
    here: bool


@dataclass(frozen=True)
class Board:
    """Everything that the leaderboard shows, in order. `lost`: agents whose every attempt the infrastructure failed."""

    parameters: LeaderboardQuery
    columns: tuple[Column, ...]
    rows: tuple[BoardRow, ...]
    standings: Standings
    choices: BoardChoices
    lost: tuple[Competitor, ...]

    @property
    def grouped(self) -> bool:
        """Whether the rows are in the order of the tie groups, so that lines between groups make sense."""
        return self.parameters.sort == DEFAULT_SORT

    @property
    def most_tasks(self) -> int:
        """The largest number of tasks in a row."""
        return max((row.standing.tasks for row in self.rows), default=0)

    @property
    def imported(self) -> bool:
        """Whether an agent in it is imported."""
        return any(plain_name(row.agent.name) != row.agent.name for row in self.rows)

    @cached_property
    def headline(self) -> Headline | None:
        """The leader, and whether its lead is more than chance; None without competitors."""
        return headline(self.rows, self.standings)

    @cached_property
    def chips(self) -> list[Chip]:
        """The filters in use."""
        return list(self.parameters.chips(self.choices))

    @property
    def compared(self) -> list[tuple[str, str]]:
        """The filters that also apply to a comparison of rows."""
        return [(name, value) for name in COMPARED if (value := getattr(self.parameters.chosen, name))]

    @property
    def not_compared(self) -> list[Chip]:
        """The filters in use that a comparison does not have. Agent filters do not count: the reader chooses agents."""
        return [chip for chip in self.chips if chip.name not in (*COMPARED, "kind", "weights", "origin")]

    @cached_property
    def front(self) -> FrontPlot | None:
        """The plot below the table; None without a point to draw."""
        wanted = [self.parameters.against] if self.parameters.against else CURRENCIES
        return next(filter(None, (front_plot(self.rows, key) for key in wanted)), None)

    @property
    def against(self) -> str:
        """The key of the plot's x axis: the chosen one, else the first with data."""
        return self.front.currency.key if self.front else self.parameters.against or next(iter(CURRENCIES))

    @property
    def across(self) -> str:
        """The title of the plot's x axis."""
        return CURRENCIES[self.against].axis

    def currencies(self) -> list[Switch]:
        """The choices for the plot's x axis."""
        return [
            Switch(one.key, one.label, self.parameters.address(against=one.key), one.key == self.against)
            for one in CURRENCIES.values()
        ]

    @property
    def more(self) -> str:
        """The address with all columns."""
        return self.parameters.address(columns=ALL_COLUMNS)

    @property
    def fewer(self) -> str:
        """The address with the essential columns only."""
        return self.parameters.address(columns="")

    @property
    def by_group(self) -> str:
        """The address with the rows in the order of the tie groups."""
        return self.parameters.address(sort="")

    def headings(self) -> list[Heading]:
        """The head of the table."""
        return [self._heading(column) for column in self.columns]

    def _heading(self, column: Column) -> Heading:
        if not column.sortable:
            return Heading(column, "", "")
        current = self.parameters.sort.removeprefix("-") == column.key
        falling = self.parameters.sort.startswith("-")
        next_falls = not falling if current else column.descending
        sort = ("descending" if falling else "ascending") if current else ""
        return Heading(column, sort, self.parameters.address(sort=f"{'-' if next_falls else ''}{column.key}"))


def board(query: Mapping[str, str], source: BoardSource) -> Board:
    """The leaderboard for these parameters, in a constant number of database queries."""
    parameters = leaderboard_query(query, keys())
    found = source.standings(parameters.chosen)
    all_columns = {column.key: column for column in columns_for(found.k)}
    if parameters.sort.removeprefix("-") not in all_columns:
        parameters = leaderboard_query({**query, "sort": DEFAULT_SORT}, keys())
    by = all_columns[parameters.sort.removeprefix("-")]
    # The column that the rows are sorted by is always shown.
    columns = [
        column
        for column in all_columns.values()
        if parameters.wide or column.essential or column.key == by.key
    ]
    agents = source.competitors([*(row.agent for row in found.rows), *found.only_failures])
    rows = [
        BoardRow(agents[row.agent], row, found.k, leads=row.group.members[0] == row.agent)
        for row in found.rows
    ]
    return Board(
        parameters=parameters,
        columns=tuple(columns),
        rows=_sorted(rows, by, falling=parameters.sort.startswith("-")),
        standings=found,
        choices=source.choices(),
        lost=tuple(agents[agent] for agent in found.only_failures),
    )


def _sorted(rows: Sequence[BoardRow], column: Column, *, falling: bool) -> tuple[BoardRow, ...]:
    """Rows without a value come last in both orders; equal rows stay in the order of the tie groups."""
    valued = [row for row in rows if column.sort_value(row) is not None]
    empty = [row for row in rows if column.sort_value(row) is None]
    return (*sorted(valued, key=column.sort_value, reverse=falling), *empty)


def columns_for(k: int | None) -> tuple[Column, ...]:
    """All columns; where k is 1, those of retries are left out, as they would repeat pass@1."""
    return tuple(
        replace(column, title=column.title.format(k=k), hint=column.hint.format(k=k))
        for column in COLUMNS
        if (k and k > 1) or not column.with_retries
    )


def keys() -> list[str]:
    """The keys of all sortable columns, pass@k included: a link that sorts by it stays valid where k is 1."""
    return [column.key for column in COLUMNS if column.sortable]
