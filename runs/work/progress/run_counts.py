"""How many runs of an evaluation are in which state, from one query (`run_sums`)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from runs.analysis.outcomes.standings import CellFacts
from runs.data.cells.run_sums import RunSums, TaskPlace, cells_of_sums
from runs.models import Run

Key = TypeVar("Key", bound=Hashable)

# Plain strings: members of an enumeration take longer to compare than everything else here.
_CANCELLED = Run.State.CANCELLED.value
_UNKNOWN = ""  # the outcome of finished runs whose source does not say it
_ACTIVE = frozenset(state.value for state in Run.ACTIVE)


class BarPart(NamedTuple):
    """A part of a bar of runs: its class, what it counts in words, how many, and its place in percent of all runs."""

    name: str
    word: str
    n: int
    start: float
    width: float


@dataclass(slots=True)
class RunTally:
    """How many runs are in which state. Runs that the infrastructure failed for good are in `failed` only.

    `unknown`: those of the finished runs whose outcome is unknown.
    """

    total: int = 0
    finished: int = 0
    resolved: int = 0
    failed: int = 0
    active: int = 0
    cancelled: int = 0
    unknown: int = 0

    def add(self, row: RunSums) -> None:
        """Adds these runs."""
        self.total += row.n
        self.finished += row.n * row.settled
        self.failed += row.n * row.failed
        self.resolved += row.n * row.resolved
        self.active += row.n * (row.state in _ACTIVE)
        self.cancelled += row.n * (row.state == _CANCELLED)
        self.unknown += row.n * (row.settled and row.outcome == _UNKNOWN)

    @property
    def done(self) -> int:
        """Finished runs and those that the infrastructure failed, without cancelled ones."""
        return self.finished + self.failed

    @property
    def to_come(self) -> int:
        """Queued and active runs."""
        return self.total - self.done - self.cancelled

    @property
    def queued(self) -> int:
        """Runs that no worker has started."""
        return self.to_come - self.active

    @property
    def rate(self) -> float | None:
        """Resolved ÷ finished with a known outcome."""
        known = self.finished - self.unknown
        return self.resolved / known if known else None

    @property
    def bar(self) -> tuple[BarPart, ...]:
        """The done runs by outcome. Together they are as wide as the share of the runs that are done."""
        parts: list[BarPart] = []
        start = 0.0
        for name, word, n in (
            ("resolved", "resolved", self.resolved),
            ("unresolved", "unresolved", self.finished - self.resolved - self.unknown),
            ("unknown", "outcome unknown", self.unknown),
            ("failed", "not counted: infrastructure", self.failed),
        ):
            if n:
                width = 100 * n / self.total
                parts.append(BarPart(name, word, n, round(start, 3), round(width, 3)))
                start += width
        return tuple(parts)

    @property
    def not_done(self) -> tuple[tuple[str, str, int], ...]:
        """What the bar leaves empty: a sign, words and how many, without zeros."""
        parts = (
            ("●", "under way", self.active),
            ("+", "not started", self.queued),
            ("⊘", "cancelled", self.cancelled),
        )
        return tuple(part for part in parts if part[2])


def tallies(rows: Iterable[RunSums], key: Callable[[RunSums], Key]) -> defaultdict[Key, RunTally]:
    """A tally for each value of `key`; an empty one for all other values."""
    found: defaultdict[Key, RunTally] = defaultdict(RunTally)
    for row in rows:
        found[key(row)].add(row)
    return found


def states(rows: Iterable[RunSums]) -> Counter[str]:
    """How many runs are in each state."""
    found: Counter[str] = Counter()
    for row in rows:
        found[row.state] += row.n
    return found


def cells(
    rows: Iterable[RunSums], places: Mapping[int, TaskPlace] | None = None
) -> dict[int, list[CellFacts]]:
    """The cells of each agent, without tasks that it has not settled. `places`: as for `cells_of_sums`."""
    found: dict[int, list[CellFacts]] = defaultdict(list)
    for cell in cells_of_sums((row for row in rows if row.settled), places):
        found[cell.agent].append(cell)
    return found
