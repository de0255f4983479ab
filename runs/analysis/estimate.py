"""What every result is made of: a number with what it rests on, or the reason why there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Interval:
    """A range that a quantity is likely to lie in, in the quantity's own units."""

    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of high − low: what a table prints after ±."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, how many observations it rests on, and its interval where there is one.

    `value` None: it is undefined, and `reason` says why in words for a reader ("no attempt resolved a task").
    A figure is never NaN or infinite, and has a reason exactly when it has no value: ValueError otherwise.
    """

    value: float | None
    n: int
    reason: str = ""
    interval: Interval | None = None

    def __post_init__(self) -> None:
        if (self.value is None) != bool(self.reason):
            raise ValueError("a figure has a value, or a reason why it has none")
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"{self.value} is no figure: say why it is undefined")
        if self.n < 0:
            raise ValueError(f"{self.n} observations")

    @classmethod
    def unknown(cls, reason: str, n: int = 0) -> Self:
        """The undefined figure."""
        return cls(None, n, reason)

    def negated(self) -> Estimate:
        """− this figure, its interval turned round; undefined where this is."""
        if self.value is None:
            return self
        ends = self.interval
        return Estimate(-self.value, self.n, interval=ends and Interval(-ends.high, -ends.low))

    def minus(self, other: Estimate) -> Estimate:
        """This − another figure of the same observations, without an interval; undefined where one of them is."""
        if self.value is None or other.value is None:
            return Estimate.unknown(self.reason or other.reason, self.n)
        return Estimate(self.value - other.value, self.n)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Runs that a result left out, and why. `runs` are their numbers, in order; each is there once."""

    reason: str
    runs: tuple[int, ...]

    @property
    def n(self) -> int:
        """How many."""
        return len(self.runs)
