"""A column of the leaderboard: one declaration for the page, the exports and the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.outcomes.standings import Rate, Standing
from runs.analysis.scores.quality_index import QualityIndex
from runs.data.queries.competitors import Competitor
from runs.data.queries.printed_numbers import PrintedFinding
from runs.models.agent import plain_name
from runs.presentation.formatting.numbers import DASH, counted, dollars, duration, percent, whole_percent
from runs.rankings.leaderboard.short_names import without_dates

UNKNOWN = "unknown"
NO_MODEL = "this agent uses no model"
ColumnKind = Literal["place", "agent", "rate", "number", "word", "strip"]


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One agent with its results. `k`: the attempts of pass@k; `leads`: the first of its tie group.

    `findings`: printed numbers of its source that its results do not give. `quality`: None without a review.
    `people`: how many people it stands for; None for an agent, and where that is unknown. `flagged`: how many of its
    attempts are flagged; None: unknown. `short`: its short name on this board. `issues`: for how many issues a month
    the reader asks the cost; None: does not ask.
    """

    agent: Competitor
    standing: Standing
    k: int | None
    leads: bool = False
    findings: tuple[PrintedFinding, ...] = ()
    quality: QualityIndex | None = None
    people: int | None = None
    flagged: int | None = None
    short: str = ""
    issues: int | None = None

    @property
    def name(self) -> str:
        """Its short name, without a mark."""
        return self.short or plain_name(self.agent.name)

    @property
    def interval(self) -> str:
        """The interval of pass@1 in whole percent: `73–80`."""
        ends = self.standing.pass_1.interval
        return f"{whole_percent(ends.low)}–{whole_percent(ends.high)}"

    @property
    def spent(self) -> str:
        """What an attempt takes, and a month if the reader asks that, as far as it is known: `$0.15, $15 a month`."""
        cost = self.standing.cost_per_attempt.value if self.agent.model else None
        seconds = self.standing.seconds_per_attempt.value
        month = "" if cost is None or not self.issues else f"{dollars(cost * self.issues)} a month"
        parts = (
            "cost unknown" if cost is None else f"{dollars(cost)} a task",
            month,
            "" if seconds is None else f"{duration(seconds)} each",
        )
        return ", ".join(filter(None, parts))

    @property
    def marked_name(self) -> str:
        """Its short name with the mark of an agent from elsewhere."""
        return self.name + self.agent.name[len(plain_name(self.agent.name)) :]

    @property
    def under(self) -> str:
        """The line below its name: what it is, and for people how many they are and how often they tried.

        Who reported its results is said once, above the table.
        """
        if not self.agent.is_person:
            return without_dates(self.agent.about)
        people = "people" if self.people is None else counted(self.people, "person", "people")
        return f"{people}, {counted(self.standing.attempts, 'run')}"


Fields = Callable[[BoardRow], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class CellText:
    """What a cell shows: `text`, below it `small`; `title` is its hover text. `muted`: it is not a number.

    `value` and `interval` are drawn in rate columns. `runs`: a query of the list of runs, to which `small` links.
    `warning`: a finding about this row, which stands below it.
    """

    text: str
    small: str = ""
    title: str = ""
    muted: bool = False
    value: float | None = None
    interval: Interval | None = None
    runs: str = ""
    warning: str = ""

    @property
    def is_missing(self) -> bool:
        """Whether it says nothing but why it has no value."""
        return self.text in {DASH, UNKNOWN} and not self.small

    @property
    def on_one_line(self) -> str:
        """The text for a table without second lines."""
        behind = "; ".join(filter(None, (self.small, self.warning)))
        return f"{self.text} ({behind})" if behind else self.text


def missing(reason: str) -> CellText:
    """A dash, with the reason as its hover text."""
    return CellText(DASH, title=reason, muted=True)


def rate_cell(rate: Rate, title: str = "") -> CellText:
    """A rate that is drawn with its interval."""
    ends = f"{whole_percent(rate.interval.low)} % to {whole_percent(rate.interval.high)} %"
    return CellText(percent(rate.value), ends, title, value=rate.value, interval=rate.interval)


def of_some(amount: Estimate, row: BoardRow) -> str:
    """The n of an amount that is known for most attempts; '' if it is known for all."""
    return f"n {amount.n:,}" if amount.n < row.standing.attempts else ""


def interval_text(interval: Interval | None) -> str:
    """An interval in percent without the sign: `79 to 90`."""
    return f"{whole_percent(interval.low)} to {whole_percent(interval.high)}" if interval else ""


def with_interval(rate: Estimate) -> str:
    """A known rate with its interval: `84.2 % (79 to 90)`."""
    return f"{percent(rate.value)} ({interval_text(rate.interval)})"


@dataclass(frozen=True, slots=True)
class FigureField:
    """A number with its method: an entry in the API's `figures`, and a field of CSV and JSON.

    `reason`: why a row may lack it. `per_task`: its n counts tasks, else attempts. `has_interval`: CSV and JSON have
    its bounds as `NAME_low` and `NAME_high`; `has_n`: they have `NAME_n`. `method`: an anchor of the methods page; ''
    for that of the column.
    """

    name: str
    title: str
    unit: str
    read: Callable[[BoardRow], Estimate | Rate | float | None]
    reason: str = ""
    per_task: bool = True
    needs_model: bool = False
    has_interval: bool = False
    has_n: bool = False
    method: str = ""

    def estimate(self, row: BoardRow) -> Estimate:
        """The value of a row, or the reason why there is none."""
        n = row.standing.tasks if self.per_task else row.standing.attempts
        if self.needs_model and row.agent.model is None:
            return Estimate.unknown(NO_MODEL, n)
        found = self.read(row)
        if isinstance(found, Estimate):
            return found
        if isinstance(found, Rate):
            return Estimate(found.value, n, interval=found.interval)
        return Estimate.unknown(self.reason, n) if found is None else Estimate(found, n)

    def __call__(self, row: BoardRow) -> dict[str, Any]:
        """Its fields in CSV and JSON."""
        found = self.estimate(row)
        if self.has_n:
            return {self.name: found.value, f"{self.name}_n": found.n if found.value is not None else None}
        if not self.has_interval:
            return {self.name: found.value}
        low, high = (found.interval.low, found.interval.high) if found.interval else (None, None)
        return {self.name: found.value, f"{self.name}_low": low, f"{self.name}_high": high}


@dataclass(frozen=True)
class Column:
    """One column. `title`, `heading` and `hint` may name `{k}`; `under` is a second line of the heading.

    `heading` is the title on the page, where exports and the API have the term of the field; '' for the same.

    `fields` are its values in CSV, JSON and the API. `text` is what readers see; without it, the first figure as
    `write` writes it. `order` is what rows are sorted by, None last; without it, the first figure's value.
    `descending`: the order of the first click. `method`: an anchor of the methods page. `essential`: shown without
    "More columns". `with_retries`: left out where k is 1.
    """

    key: str
    title: str
    fields: tuple[Fields, ...] = ()
    write: Callable[[float], str] = str
    text: Callable[[BoardRow], CellText] | None = None
    order: Callable[[BoardRow], Any] | None = None
    kind: ColumnKind = "number"
    descending: bool = True
    under: str = ""
    hint: str = ""
    method: str = ""
    essential: bool = True
    with_retries: bool = False
    heading: str = ""

    def of(self, k: int | None) -> Column:
        """The column with this k in its texts."""
        if "{k}" not in self.title + self.heading + self.hint:
            return self
        title, heading, hint = (text.format(k=k) for text in (self.title, self.heading, self.hint))
        return replace(self, title=title, heading=heading, hint=hint)

    @property
    def align_right(self) -> bool:
        """Whether its cells stand to the right on the page."""
        return self.kind in {"number", "place"}

    @property
    def sortable(self) -> bool:
        """Whether rows can be sorted by it."""
        return self.kind != "strip"

    @cached_property
    def figures(self) -> tuple[FigureField, ...]:
        """Its fields that are figures, each with its method."""
        found = (field for field in self.fields if isinstance(field, FigureField))
        return tuple(replace(field, method=field.method or self.method) for field in found)

    def cell(self, row: BoardRow) -> CellText:
        """The cell of this row as readers see it."""
        if self.text is not None:
            return self.text(row)
        found = self.figures[0].estimate(row)
        if found.value is None:
            return missing(found.reason)
        n = f"n {counted(found.n, 'task')}" if found.interval else ""
        ends = interval_text(found.interval)
        return CellText(self.write(found.value), ends, n, value=found.value, interval=found.interval)

    def sort_value(self, row: BoardRow) -> Any:
        """The value that the row is sorted by; None comes last."""
        return self.order(row) if self.order else self.figures[0].estimate(row).value

    def values(self, row: BoardRow) -> dict[str, Any]:
        """Its values in CSV and JSON."""
        return {name: value for field in self.fields for name, value in field(row).items()}
