"""The leaderboard that an address asks for: columns, rows in order, and what stands around them."""

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
from runs.queries.board_filter import ALL_COLUMNS, DEFAULT_SORT, Chip, LeaderboardQuery, leaderboard_query
from runs.queries.compare_filter import FILTERS as COMPARED
from runs.queries.competitors import Competitor
from runs.queries.filters import BoardChoices


@dataclass(frozen=True, slots=True)
class Heading:
    """A column as the table's head shows it: `sort` for aria-sort ('' when it is not the one), `href` to sort by it.

    A column without an order has no `href`.
    """

    column: Column
    sort: str
    href: str


@dataclass(frozen=True, slots=True)
class Switch:
    """One of several states of a part of the page; `here`: the one it is in."""

    key: str
    label: str
    href: str
    here: bool


@dataclass(frozen=True)
class Board:
    """Everything that the leaderboard shows, in the order it is shown."""

    asked: LeaderboardQuery
    columns: tuple[Column, ...]
    rows: tuple[BoardRow, ...]
    standings: Standings
    choices: BoardChoices
    lost: tuple[Competitor, ...]

    @property
    def grouped(self) -> bool:
        """Whether the rows are in the order of the tie groups, so that borders between groups make sense."""
        return self.asked.sort == DEFAULT_SORT

    @property
    def most_tasks(self) -> int:
        """The largest number of tasks in a row."""
        return max((row.standing.tasks for row in self.rows), default=0)

    @cached_property
    def headline(self) -> Headline | None:
        """Who leads, and whether that is more than chance; None without competitors."""
        return headline(self.rows, self.standings)

    @cached_property
    def chips(self) -> list[Chip]:
        """The filters in use."""
        return list(self.asked.chips(self.choices))

    @property
    def compared(self) -> list[tuple[str, str]]:
        """The filters that a comparison of rows keeps."""
        return [(name, value) for name in COMPARED if (value := getattr(self.asked.chosen, name))]

    @property
    def not_compared(self) -> list[Chip]:
        """The filters in use that a comparison cannot keep. Those of agents are none: the reader chooses agents."""
        return [chip for chip in self.chips if chip.name not in (*COMPARED, "kind", "weights")]

    @cached_property
    def front(self) -> FrontPlot | None:
        """The plot below the table; None where nothing can be drawn."""
        wanted = [self.asked.against] if self.asked.against else CURRENCIES
        return next(filter(None, (front_plot(self.rows, key) for key in wanted)), None)

    @property
    def against(self) -> str:
        """What the plot has across: what was asked for, else the first that is known of an agent."""
        return self.front.currency.key if self.front else self.asked.against or next(iter(CURRENCIES))

    @property
    def across(self) -> str:
        """The same in words."""
        return CURRENCIES[self.against].axis

    def currencies(self) -> list[Switch]:
        """What the plot can have across."""
        return [
            Switch(one.key, one.label, self.asked.address(against=one.key), one.key == self.against)
            for one in CURRENCIES.values()
        ]

    @property
    def more(self) -> str:
        """The same with every column."""
        return self.asked.address(columns=ALL_COLUMNS)

    @property
    def fewer(self) -> str:
        """The same with the columns that matter most."""
        return self.asked.address(columns="")

    @property
    def by_group(self) -> str:
        """The same in the order of the tie groups."""
        return self.asked.address(sort="")

    def headings(self) -> list[Heading]:
        """The head of the table."""
        return [self._heading(column) for column in self.columns]

    def _heading(self, column: Column) -> Heading:
        if not column.sortable:
            return Heading(column, "", "")
        current = self.asked.sort.removeprefix("-") == column.key
        falling = self.asked.sort.startswith("-")
        next_falls = not falling if current else column.descending
        sort = ("descending" if falling else "ascending") if current else ""
        return Heading(column, sort, self.asked.address(sort=f"{'-' if next_falls else ''}{column.key}"))


def board(query: Mapping[str, str], ground: BoardSource) -> Board:
    """What this address shows. A constant number of queries, whatever the number of agents and tasks."""
    asked = leaderboard_query(query, keys())
    found = ground.standings(asked.chosen)
    everything = {column.key: column for column in columns_for(found.k)}
    if asked.sort.removeprefix("-") not in everything:
        asked = leaderboard_query({**query, "sort": DEFAULT_SORT}, keys())
    by = everything[asked.sort.removeprefix("-")]
    # A column that the rows are in order of is shown.
    columns = [
        column for column in everything.values() if asked.wide or column.essential or column.key == by.key
    ]
    agents = ground.competitors([*(row.agent for row in found.rows), *found.only_failures])
    rows = [
        BoardRow(agents[row.agent], row, found.k, leads=row.group.members[0] == row.agent)
        for row in found.rows
    ]
    return Board(
        asked=asked,
        columns=tuple(columns),
        rows=_sorted(rows, by, falling=asked.sort.startswith("-")),
        standings=found,
        choices=ground.choices(),
        lost=tuple(agents[agent] for agent in found.only_failures),
    )


def _sorted(rows: Sequence[BoardRow], column: Column, *, falling: bool) -> tuple[BoardRow, ...]:
    """Rows without a value come last either way; equal rows stay in the order of the groups."""
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
    """Everything that can be sorted by. A link with pass@k stays valid where a filter leaves single attempts."""
    return [column.key for column in COLUMNS if column.sortable]
