"""How a report writes numbers: with what they rest on."""

from __future__ import annotations

from dataclasses import dataclass

from runs.formatting.numbers import decimal
from runs.reports.found import Estimate, Interval

ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class ReportCell:
    """What stands in a table: a value in Markdown, or a dash and the reason for it."""

    shown: str
    reason: str = ""


def percent(figure: Estimate) -> ReportCell:
    """A share from 0 to 1, with its interval and n."""
    return _cell(figure, 100, 1, " %")


def number(figure: Estimate, digits: int = 2, unit: str = "") -> ReportCell:
    """Any quantity, with its interval and n."""
    return _cell(figure, 1, digits, unit)


def _cell(figure: Estimate, factor: float, digits: int, unit: str) -> ReportCell:
    if figure.value is None:
        return ReportCell("—", f"{figure.reason} (n = {figure.n:,})")
    rests = [] if figure.interval is None else [span(figure.interval, factor, digits)]
    return ReportCell(
        f"{decimal(figure.value * factor, digits)}{unit} ({'; '.join([*rests, f'n {figure.n:,}'])})"
    )


def dollars(figure: Estimate) -> ReportCell:
    """US dollars: cents, and more digits below one dollar."""
    return number(figure, 4 if figure.value is not None and abs(figure.value) < 1 else 2)


def span(interval: Interval, factor: float = 1, digits: int = 2) -> str:
    """From low to high."""
    low, high = (0.0 if abs(end) < ROUNDING else end * factor for end in (interval.low, interval.high))
    return f"{decimal(low, digits)} to {decimal(high, digits)}"


def share(value: float) -> str:
    """A share without an n of its own, in percent."""
    return f"{decimal(value * 100, 1)} %"


def some(names: list[str], most: int, rest: str = "more") -> str:
    """A list in a sentence, cut with how many there are beyond."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most:,} {rest}"


def counted(count: int, one: str, several: str = "") -> str:
    """1 run, 2 runs."""
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"
