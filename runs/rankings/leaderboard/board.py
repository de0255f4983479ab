"""The leaderboard for the parameters of an address: columns, rows in order, and the texts around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import urlencode

from runs.analysis.outcomes.corrected import CorrectionRule
from runs.analysis.outcomes.standings import Standings
from runs.data.cells.boards import BoardEntry, Boards
from runs.data.queries.board_filter import (
    ALL_COLUMNS,
    DEFAULT_SORT,
    Chip,
    LeaderboardQuery,
    leaderboard_query,
)
from runs.data.queries.compare_filter import FILTERS as COMPARED
from runs.data.queries.competitors import Competitor
from runs.data.queries.exploit_filter import FLAGGED_RUNS
from runs.data.queries.filters import BoardChoices
from runs.presentation.charts.axis import Axis, near_share_axis
from runs.rankings.leaderboard.board_source import BoardSource
from runs.rankings.leaderboard.choosing import AgentChoice, Limits, choose
from runs.rankings.leaderboard.column import BoardRow, Column
from runs.rankings.leaderboard.columns import COLUMNS
from runs.rankings.leaderboard.cost_columns import MONTHLY
from runs.rankings.leaderboard.cost_plot import CURRENCIES, FrontPlot, front_plot
from runs.rankings.leaderboard.short_names import ChartNames, chart_names, short_names

MAX_NAMES = 3  # of agents that tie, in the sentence above the table
MAX_TOP = 8  # agents with their intervals beside the plot


@dataclass(frozen=True, slots=True)
class Heading:
    """A column in the table's head. `sort`: its aria-sort, '' for most; `href` sorts by it, '' if not sortable."""

    column: Column
    sort: str
    href: str

    @property
    def title(self) -> str:
        """The title of the column on the page."""
        return self.column.heading or self.column.title


@dataclass(frozen=True, slots=True)
class Switch:
    """One of several states of a part of the page; `here`: the current one."""

    key: str
    label: str
    href: str
    here: bool


@dataclass(frozen=True)
class Board:
    """Everything that the leaderboard of a dataset shows, in order.

    `rows`: competitors with a rank; `unplaced`: those that have none, because they tried too few tasks, or printed
    numbers contradict their results, and people; `sanity`: calibration agents, which do not compete. `lost`: agents
    whose every attempt the infrastructure failed. `entry` None: there is no such board. `boards`: all boards.
    `rule`: by which verdicts were judged, if a row has a corrected score.
    """

    parameters: LeaderboardQuery
    columns: tuple[Column, ...]
    rows: tuple[BoardRow, ...]
    unplaced: tuple[BoardRow, ...]
    sanity: tuple[BoardRow, ...]
    standings: Standings
    choices: BoardChoices
    lost: tuple[Competitor, ...]
    entry: BoardEntry | None
    boards: Boards
    rule: CorrectionRule | None = None

    @property
    def shown(self) -> tuple[BoardRow, ...]:
        """All rows of the table, those without a rank last."""
        return self.rows + self.unplaced

    @property
    def reported_by(self) -> str:
        """Who reported its results; '' if they were run here."""
        return self.entry.reported_by if self.entry else ""

    @property
    def whole(self) -> bool:
        """Whether it has rows, and no filter but the dataset."""
        return bool(self.rows) and self.parameters.chosen.only_dataset

    @property
    def judged(self) -> list[BoardRow]:
        """The rows with a rank and a corrected score, the highest one first."""
        known = [row for row in self.rows if row.standing.corrected_order is not None]
        return sorted(known, key=lambda row: row.standing.corrected_order or 0)

    @property
    def moved(self) -> int:
        """How many of them have another position in the order by the corrected score than by pass@1."""
        return sum(row.standing.order != row.standing.corrected_order for row in self.judged)

    @cached_property
    def shown_columns(self) -> tuple[Column, ...]:
        """The columns of the table: those in which some row has a value. CSV and JSON have all `columns`."""
        always_shown = {MONTHLY.key, self.parameters.sort.removeprefix("-")}
        return tuple(
            column
            for column in self.columns
            if column.key in always_shown
            or column.kind == "strip"
            or any(not column.cell(row).is_missing for row in self.shown)
        )

    @cached_property
    def without_values(self) -> list[str]:
        """The titles of the essential columns that are left out, because no row has a value."""
        shown = {column.key for column in self.shown_columns}
        return [
            title.lower()
            for one in columns_for(self.standings.k)
            if one.essential
            and one.kind == "number"
            and one.key not in shown
            and (title := one.heading or one.title)
        ]

    @property
    def contradicted(self) -> int:
        """How many agents have no rank, because printed numbers contradict their results."""
        return sum(any(one.gross for one in row.findings) for row in self.unplaced)

    @property
    def too_few(self) -> tuple[BoardRow, ...]:
        """The rows that tried too few tasks for a rank."""
        return tuple(row for row in self.unplaced if row.standing.lacks_of is not None)

    @property
    def run_here(self) -> BoardEntry | None:
        """This board if its results were run with BenchBench, else the first such board; None without one."""
        ours = [board for board in self.boards.entries if not board.reported_by]
        return self.entry if self.entry in ours else next(iter(ours), None)

    @property
    def has_costs(self) -> bool:
        """Whether the cost of an attempt is known of a competitor."""
        return any(row.agent.model and row.standing.cost_per_attempt.value is not None for row in self.rows)

    @property
    def has_times(self) -> bool:
        """Whether the time of an attempt is known of a competitor."""
        return any(row.standing.seconds_per_attempt.value is not None for row in self.rows)

    @property
    def has_more_filters(self) -> bool:
        """Whether one of the folded filters is in use."""
        folded = ("difficulty", "category", "kind", "origin", "stack", "since", "until", "flagged")
        return any(getattr(self.parameters.chosen, name) for name in folded)

    @property
    def has_people(self) -> bool:
        """Whether a row is about people."""
        return any(row.agent.is_person for row in self.shown)

    @property
    def findings(self) -> int:
        """How many agents have a printed number that their results do not give."""
        return sum(bool(row.findings) for row in self.shown)

    @property
    def attempts(self) -> int:
        """The graded attempts of all rows."""
        return sum(row.standing.attempts for row in self.shown)

    @property
    def flagged(self) -> int | None:
        """How many attempts of all rows are flagged as exploits; None: unknown."""
        known = [row.flagged for row in self.shown if row.flagged is not None]
        return sum(known) if known else None

    @property
    def flagged_runs(self) -> str:
        """The query of the list of the flagged runs, with those filters of the table that the list has, too."""
        chosen = self.parameters.chosen
        names = ("dataset", "repository", "since", "until", "origin")
        own = {name: value for name in names if (value := getattr(chosen, name))}
        return urlencode({**own, "listed": "yes", "exploit": FLAGGED_RUNS})

    @property
    def without_flagged(self) -> str:
        """The address of the table without flagged runs."""
        return self.parameters.address(flagged="without")

    @property
    def grouped(self) -> bool:
        """Whether the rows are in the order of the tie groups, so that lines between groups make sense."""
        return self.parameters.sort == DEFAULT_SORT

    @property
    def most_tasks(self) -> int:
        """The largest number of tasks in a row."""
        return max((row.standing.tasks for row in self.shown), default=0)

    @property
    def elsewhere(self) -> list[Competitor]:
        """The agents in it whose runs were executed elsewhere, without those of a board of reported results."""
        agents = (row.agent for row in (*self.shown, *self.sanity))
        return [agent for agent in agents if not (agent.executed_here or agent.reported_by)]

    @property
    def has_recorded(self) -> bool:
        """Whether another site made the verdicts of one of them."""
        return not all(agent.graded_here for agent in self.elsewhere)

    @property
    def has_graded_here(self) -> bool:
        """Whether this site graded the runs of one of them."""
        return any(agent.graded_here for agent in self.elsewhere)

    @cached_property
    def headline(self) -> Headline | None:
        """The agents at the top, and whether their lead is more than chance; None without competitors."""
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
    def top(self) -> tuple[BoardRow, ...]:
        """The best rows by pass@1, whatever the table is sorted by."""
        ranks = {row.agent: rank for rank, row in enumerate(self.standings.rows)}
        return tuple(sorted(self.rows, key=lambda row: ranks[row.standing.agent])[:MAX_TOP])

    @property
    def limits(self) -> Limits:
        """What a reader sets as limits of the agent to choose."""
        return Limits(self.parameters.budget, self.parameters.minutes, self.parameters.issues)

    @cached_property
    def choice(self) -> AgentChoice | None:
        """Which agent to choose; None if nobody asks."""
        return choose(self.rows, self.standings, self.limits) if self.parameters.asks else None

    @cached_property
    def chart_names(self) -> ChartNames:
        """The names of the rows in charts."""
        return chart_names([row.agent for row in self.rows], {row.agent.slug: row.name for row in self.rows})

    @cached_property
    def front(self) -> FrontPlot | None:
        """The plot; None without two points to draw."""
        wanted = [self.parameters.against] if self.parameters.against else CURRENCIES
        return next(filter(None, map(self._front, wanted)), None)

    def _front(self, key: str) -> FrontPlot | None:
        head = self.headline
        tied = {row.agent.slug for row in head.top} if head and len(head.top) > 1 else set()
        return front_plot(self.rows, key, self.chart_names.labels, tied)

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
    def other_repositories(self) -> str:
        """The address with the rows in the order of the ranks on other repositories; '' where they are shown."""
        shown = any(column.key == "elsewhere" for column in self.columns)
        return "" if shown else self.parameters.address(sort="elsewhere")

    @property
    def fewer(self) -> str:
        """The address with the essential columns only."""
        return self.parameters.address(columns="")

    @property
    def by_group(self) -> str:
        """The address with the rows in the order of the tie groups."""
        return self.parameters.address(sort="")

    @cached_property
    def rate_axis(self) -> Axis:
        """The axis of all rates in the table: around their intervals, so that rows near each other differ."""
        figures = [column.figures[0] for column in self.columns if column.kind == "rate"]
        intervals = filter(None, (figure.estimate(row).interval for figure in figures for row in self.shown))
        return near_share_axis("", [end for one in intervals for end in (one.low, one.high)])

    def headings(self) -> list[Heading]:
        """The head of the table."""
        return [self._heading(column) for column in self.shown_columns]

    def _heading(self, column: Column) -> Heading:
        if not column.sortable:
            return Heading(column, "", "")
        current = self.parameters.sort.removeprefix("-") == column.key
        falling = self.parameters.sort.startswith("-")
        next_falls = not falling if current else column.descending
        sort = ("descending" if falling else "ascending") if current else ""
        return Heading(column, sort, self.parameters.address(sort=f"{'-' if next_falls else ''}{column.key}"))


def board(query: Mapping[str, str], source: BoardSource) -> Board:
    """The leaderboard for the parameters of an address, in a constant number of database queries."""
    return board_of(leaderboard_query(query, keys()), source)


def board_of(parameters: LeaderboardQuery, source: BoardSource) -> Board:
    """The leaderboard for these parameters; that of the default dataset if they name none."""
    boards = source.boards()
    dataset = boards.name(parameters.chosen.dataset)
    parameters = parameters.on(dataset)
    found = source.standings(parameters.chosen)
    all_columns = {column.key: column for column in columns_for(found.k)}
    sort = parameters.sort.removeprefix("-")
    if sort not in all_columns or (sort == MONTHLY.key and parameters.issues is None):
        parameters = replace(parameters, sort=DEFAULT_SORT)
    by = all_columns[parameters.sort.removeprefix("-")]
    everyone = (*found.rows, *found.unplaced)
    agents = source.competitors([*(row.agent for row in everyone), *found.only_failures])
    is_played = any(agents[row.agent].is_person for row in everyone)
    people = source.people(parameters.chosen) if is_played else {}
    # Results that others reported have no trajectories.
    entry = boards.of(dataset)
    flagged = None if entry and entry.reported_by else source.flagged(parameters.chosen)
    findings, quality = source.findings(dataset), source.quality(parameters.chosen)
    short = short_names([agents[row.agent] for row in everyone])
    rows = [
        BoardRow(
            agents[row.agent],
            row,
            found.k,
            leads=row.group is not None and row.group.members[0] == row.agent,
            findings=findings.get(row.agent, ()),
            quality=quality.get(row.agent),
            people=people.get(row.agent),
            flagged=None if flagged is None else flagged.get(row.agent, 0),
            short=short[agents[row.agent].slug],
            issues=parameters.issues,
        )
        for row in everyone
    ]
    competing = [row for row in rows if not row.agent.is_calibration]
    # The column that the rows are sorted by is always shown.
    columns = [
        column
        for column in all_columns.values()
        if column.key == by.key or _is_shown(column, competing, parameters)
    ]
    falling = parameters.sort.startswith("-")
    return Board(
        parameters=parameters,
        columns=tuple(columns),
        rows=_sorted([row for row in competing if row.standing.place], by, falling=falling),
        unplaced=_sorted([row for row in competing if not row.standing.place], by, falling=falling),
        sanity=tuple(row for row in rows if row.agent.is_calibration),
        standings=found,
        choices=source.choices(dataset),
        lost=tuple(agents[agent] for agent in found.only_failures),
        entry=entry,
        boards=boards,
        rule=source.rule(dataset) if any(row.standing.corrected.value is not None for row in rows) else None,
    )


def _is_shown(column: Column, rows: Sequence[BoardRow], parameters: LeaderboardQuery) -> bool:
    """Whether a column is asked for, or is essential and has a value in some row if it has numbers or words.

    The cost of a month is shown where the reader says how many issues a month has, also if it is unknown.
    """
    if column.key == MONTHLY.key:
        return parameters.issues is not None
    if parameters.wide:
        return True
    known = column.kind not in {"number", "word"} or any(column.sort_value(row) is not None for row in rows)
    return column.essential and known


def _sorted(rows: Sequence[BoardRow], column: Column, *, falling: bool) -> tuple[BoardRow, ...]:
    """Rows without a value come last in both orders; equal rows stay in the order of the tie groups."""
    valued = [row for row in rows if column.sort_value(row) is not None]
    empty = [row for row in rows if column.sort_value(row) is None]
    return (*sorted(valued, key=column.sort_value, reverse=falling), *empty)


def columns_for(k: int | None) -> tuple[Column, ...]:
    """All columns; where k is 1, those of retries are left out, as they would repeat pass@1."""
    return tuple(column.of(k) for column in COLUMNS if (k and k > 1) or not column.with_retries)


def keys() -> list[str]:
    """The keys of all sortable columns, pass@k included: a link that sorts by it stays valid where k is 1."""
    return [column.key for column in COLUMNS if column.sortable]


@dataclass(frozen=True, slots=True)
class Headline:
    """The competitors that no other one is significantly better than, by pass@1, the leader among them.

    `rate`: the leader's. `behind`: of the others, the one with the highest pass@1, and those that it is not
    significantly better than; empty if there are no others. `points` is the leader's lead over the first of these in
    percentage points, each agent over its own tasks.
    """

    top: tuple[BoardRow, ...]
    rate: float
    behind: tuple[BoardRow, ...] = ()
    points: float = 0.0

    @property
    def leader(self) -> BoardRow:
        """The agent with the highest pass@1."""
        return self.top[0]

    @property
    def tied(self) -> Names:
        """Those that tie with the leader."""
        return Names(self.top[1:])

    @property
    def priced(self) -> tuple[BoardRow, ...]:
        """Those of the top that solve something and whose cost of an attempt is known, the cheapest first."""
        able = [row for row in self.top if row.agent.model and row.standing.pass_1.value]
        costs = [(row.standing.cost_per_attempt.value, row) for row in able]
        known = [(cost, row) for cost, row in costs if cost is not None]
        return tuple(row for _, row in sorted(known, key=lambda pair: pair[0]))

    @property
    def next(self) -> BoardRow | None:
        """The first of those behind the top."""
        return next(iter(self.behind), None)

    @property
    def tied_behind(self) -> Names:
        """Those that tie with `next`."""
        return Names(self.behind[1:])


@dataclass(frozen=True, slots=True)
class Names:
    """Agents in a sentence, of which only the first ones are named."""

    agents: tuple[BoardRow, ...]

    @property
    def named(self) -> tuple[BoardRow, ...]:
        """Those that are named."""
        return self.agents[:MAX_NAMES]

    @property
    def more(self) -> int:
        """How many are not named."""
        return len(self.agents) - len(self.named)


def headline(rows: Sequence[BoardRow], standings: Standings) -> Headline | None:
    """From the rows of competitors, in any order; None without one."""
    ranks = {row.agent: rank for rank, row in enumerate(standings.rows)}
    ours = sorted(rows, key=lambda row: ranks[row.standing.agent])
    if not ours:
        return None
    top, others = _tied(ours, standings)
    behind, _ = _tied(others, standings)
    rate = ours[0].standing.pass_1.value
    return Headline(
        top=tuple(top),
        rate=rate,
        behind=tuple(behind),
        points=(rate - behind[0].standing.pass_1.value) * 100 if behind else 0.0,
    )


def _tied(rows: Sequence[BoardRow], standings: Standings) -> tuple[list[BoardRow], list[BoardRow]]:
    """The rows that the first one is not significantly better than, itself included, and the others."""
    beaten = {worse for better, worse in standings.better if rows and better == rows[0].standing.agent}
    return (
        [row for row in rows if row.standing.agent not in beaten],
        [row for row in rows if row.standing.agent in beaten],
    )
