"""Axes: the position of a value between their ends, and their ticks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

Say = Callable[[float], str]

_MAX_TICKS = 6
_NICE = (1.0, 2.0, 2.5, 5.0, 10.0)


class Tick(NamedTuple):
    """A value with its label."""

    value: float
    label: str


@dataclass(frozen=True, slots=True)
class Axis:
    """`low` and `high` are its ends in the values' units; a logarithmic one has `low` > 0.

    `zero`: the place of the value 0 on a logarithmic axis, where one of the values is 0.
    """

    title: str
    low: float
    high: float
    ticks: tuple[Tick, ...]
    log: bool = False
    zero: float | None = None

    def place(self, value: float) -> float:
        """The value as drawn: on a logarithmic axis, 0 and less are at `zero`, or else at the low end."""
        if self.log and value <= 0:
            return self.zero or self.low
        return value

    def at(self, value: float) -> float:
        """From 0 at the low end to 1 at the high end; values outside are at the nearer end."""
        drawn = self.place(value)
        if self.log:
            share = math.log(drawn / self.low) / math.log(self.high / self.low)
        else:
            share = (drawn - self.low) / (self.high - self.low)
        return min(1.0, max(0.0, share))


def share_axis(title: str) -> Axis:
    """An axis from 0 to 1, with ticks in percent at the quarters."""
    return Axis(title, 0.0, 1.0, tuple(Tick(quarter / 4, f"{25 * quarter} %") for quarter in range(5)))


def near_share_axis(title: str, values: Iterable[float]) -> Axis:
    """An axis of shares around these values, within 0 and 1, with round ticks in percent.

    It does not begin at 0: for dots with intervals, whose distance is what is read, never for bars.
    """
    known = list(values)
    low, high = min(known, default=0.0), max(known, default=1.0)
    step = max(0.01, _step((high - low or 0.1) / _MAX_TICKS))
    whole = round(1 / step)
    first = min(whole - 1, max(0, math.floor(round(low / step, 9))))
    last = min(whole, max(first + 1, math.ceil(round(high / step, 9))))
    ticks = tuple(Tick(place * step, f"{100 * place * step:g} %") for place in range(first, last + 1))
    return Axis(title, first * step, last * step, ticks)


def linear_axis(
    title: str, values: Iterable[float], say: Say, *, from_zero: bool = True, whole: bool = False
) -> Axis:
    """An axis around all values, with round ticks; `whole`: integers. `from_zero`: it includes 0."""
    known = [0.0, *values] if from_zero else list(values)
    low, high = min(known, default=0.0), max(known, default=1.0)
    if low == high:
        high = low + (abs(low) or 1.0)
    step = _step((high - low) / _MAX_TICKS)
    if whole:
        step = max(1.0, math.ceil(step))
    first, last = math.floor(round(low / step, 9)), math.ceil(round(high / step, 9))
    ticks = tuple(Tick(place * step, say(place * step)) for place in range(first, last + 1))
    return Axis(title, first * step, last * step, ticks)


def log_axis(title: str, values: Iterable[float], say: Say) -> Axis:
    """A logarithmic axis, a little wider than the values; ticks at powers of ten, with others between few powers."""
    known = list(values)
    positive = [value for value in known if value > 0] or [1.0]
    low, high = min(positive) / 1.3, max(positive) * 1.3
    ticks = [Tick(value, say(value)) for value in _log_ticks(low, high)]
    if len(known) == sum(value > 0 for value in known):
        return Axis(title, low, high, tuple(ticks), log=True)
    zero = low / (high / low) ** 0.12
    return Axis(title, zero / 1.1, high, (Tick(zero, say(0)), *ticks), log=True, zero=zero)


def _log_ticks(low: float, high: float) -> list[float]:
    """Powers of ten, with 3 or with 2 and 5 between them; within one power of ten, round numbers at even distances."""
    decades = math.log10(high / low)
    if decades < 0.8:
        step = _step((high - low) / (_MAX_TICKS - 1))
        return [place * step for place in range(math.ceil(low / step), math.floor(high / step) + 1)]
    apart = max(1, math.ceil(decades / _MAX_TICKS))
    parts = (1.0,) if decades > 3 else ((1.0, 3.0) if decades > 1.6 else (1.0, 2.0, 5.0))
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    found = [part * 10.0**power for power in powers if power % apart == 0 for part in parts]
    return [value for value in found if low <= value <= high]


def _step(least: float) -> float:
    """The smallest round number that is at least `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(part * power for part in _NICE if part * power >= least * (1 - 1e-9))
