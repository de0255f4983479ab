"""A row of the table: an agent, its figures, and what each column says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from runs.analysis.estimate import Interval
from runs.analysis.outcomes.standings import Standing
from runs.formatting.numbers import DASH
from runs.queries.competitors import Competitor

Kind = Literal["place", "agent", "rate", "number", "strip"]


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One agent with its figures. `leads`: the first of its group, where the table is in the order of the groups."""

    agent: Competitor
    standing: Standing
    leads: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """What a cell of the table says: `text`, below it `small`, why or what in `title`; None is never 0.

    `value` and `interval` are drawn where there are any; `muted` is what is no number. `more` leads to the runs.
    """

    text: str
    small: str = ""
    title: str = ""
    muted: bool = False
    value: float | None = None
    interval: Interval | None = None
    more: str = ""

    @property
    def plain(self) -> str:
        """The same on one line, for a table without a second one."""
        return f"{self.text} ({self.small})" if self.small else self.text


def nothing(reason: str) -> Said:
    """A dash, and why."""
    return Said(DASH, title=reason, muted=True)


def between(interval: Interval | None) -> str:
    """An interval in percent without its sign: 79 to 90."""
    return f"{interval.low * 100:.0f} to {interval.high * 100:.0f}" if interval else ""
