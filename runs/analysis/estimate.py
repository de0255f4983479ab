"""The parts of results: a number with its sample size and interval, or the reason why it is undefined."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self


# Intervals and estimates have no slots: see `standings.Rate`.
@dataclass(frozen=True)
class Interval:
    """A range that a quantity is likely to lie in, in the quantity's own units."""

    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of high − low, printed after ± in tables."""
        return (self.high - self.low) / 2

    def cut(self, lowest: float, highest: float) -> Interval:
        """This interval without what lies outside of these limits."""
        return Interval(max(lowest, self.low), min(highest, self.high))


@dataclass(frozen=True)
class Estimate:
    """A number, its sample size n, and its interval if there is one.

    `value` None: the number is undefined, and `reason` explains why ("no attempt resolved a task").
    ValueError: NaN, infinite, a value with a reason, neither, or a negative n.
    """

    value: float | None
    n: int
    reason: str = ""
    interval: Interval | None = None

    def __post_init__(self) -> None:
        if (self.value is None) != bool(self.reason):
            raise ValueError("an estimate has either a value or a reason why it is undefined")
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"{self.value} is not finite: give a reason instead")
        if self.n < 0:
            raise ValueError(f"{self.n} observations")

    @classmethod
    def unknown(cls, reason: str, n: int = 0) -> Self:
        """An undefined estimate."""
        return cls(None, n, reason)

    def negated(self) -> Estimate:
        """The negative of this estimate, with its interval; undefined if this is."""
        if self.value is None:
            return self
        ends = self.interval
        return Estimate(-self.value, self.n, interval=ends and Interval(-ends.high, -ends.low))

    def mapped(self, rising: Callable[[float], float]) -> Estimate:
        """The result of an increasing function for this estimate, with its interval; undefined if this is."""
        if self.value is None:
            return self
        ends = self.interval and Interval(rising(self.interval.low), rising(self.interval.high))
        return Estimate(rising(self.value), self.n, interval=ends)

    def minus(self, other: Estimate) -> Estimate:
        """This minus another estimate of the same observations, without an interval; undefined if one of them is."""
        if self.value is None or other.value is None:
            return Estimate.unknown(self.reason or other.reason, self.n)
        return Estimate(self.value - other.value, self.n)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Runs that a result excludes, and why. `runs` are their numbers, sorted, each once."""

    reason: str
    runs: tuple[int, ...]

    @property
    def n(self) -> int:
        """The number of runs."""
        return len(self.runs)
