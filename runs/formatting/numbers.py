"""How numbers are written: one way for the whole site. None is never a zero: it is a dash, or a word."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from runs.analysis.estimate import Estimate
from runs.formatting.text import one_line

DASH = "–"
STEPS = 5
SHOWN = 400
SMALLEST_WRITTEN = 1e-7  # below, one counts zeros
NO_BREAK = "\u00a0"  # between a number and its unit: they stand on one line
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=%|(?:ms|s|min|h|d|k|M)\b)")


def percent(value: float | None, digits: int = 1) -> str:
    """A share from 0 to 1 as `87.5 %`; a dash for None."""
    return DASH if value is None else f"{typeset(f'{value * 100:.{digits}f}')}{NO_BREAK}%"


def hundred(value: float) -> str:
    """A share from 0 to 1 as a whole number of hundredths, for places too small for a sign."""
    return f"{value * 100:.0f}"


def points(difference: Estimate) -> str:
    """A difference of shares in percentage points, with its sign: `+4.7`, `−12.0`; a dash where there is none."""
    return DASH if difference.value is None else _signed(difference.value * 100, 1)


def points_apart(difference: Estimate) -> str:
    """How far apart, in percentage points, without a sign: `4.7`."""
    return points(difference).lstrip("+−")


def points_between(difference: Estimate) -> str:
    """The interval of a difference of shares, in percentage points: `−3 to +12`."""
    ends = difference.interval
    return f"{_signed(ends.low * 100, 0)} to {_signed(ends.high * 100, 0)}" if ends else "no interval"


def _signed(value: float, digits: int) -> str:
    shown = f"{abs(value):.{digits}f}"
    if not float(shown):
        return shown
    return f"{'+' if value > 0 else '−'}{shown}"


def p_value(p: float) -> str:
    """A chance as papers write it behind its letter: `= 0.034`, `< 0.001`."""
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def count(value: float | None) -> str:
    """A number with its thousands apart, or short when it is long: `640`, `12,345`, `648 k`, `1.35 M`, `−733`."""
    if value is None:
        return DASH
    if value < 0:
        return f"−{count(-value)}"
    if value >= 999_500:
        return f"{value / 1_000_000:.2f}{NO_BREAK}M"
    if value >= 100_000:
        return f"{value / 1_000:.0f}{NO_BREAK}k"
    return f"{value:,.0f}"


def duration(value: float | None) -> str:
    """Seconds as `0.3 ms`, `4 ms`, `3.1 s`, `48 s`, `5:41` or `1:02:03`; `−48 s` is less than none; a dash for None."""
    if value is None:
        return DASH
    if value < 0:
        return f"−{duration(-value)}"
    if value < 1:
        digits = 1 if 0 < value < 0.00095 else 0
        return f"{value * 1000:.{digits}f}{NO_BREAK}ms"
    if value < 9.95:
        return f"{value:.1f}{NO_BREAK}s"
    whole = round(value)
    if whole < 60:
        return f"{whole}{NO_BREAK}s"
    minutes, seconds = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def span(value: float | None) -> str:
    """A length of time in two units at most: `45 s`, `12 min`, `3 h 10 min`, `2 d 4 h`; a dash for None."""
    if value is None:
        return DASH
    seconds = round(value)
    if seconds < 60:
        return f"{seconds}{NO_BREAK}s"
    minutes = round(value / 60)
    if minutes < 60:
        return f"{minutes}{NO_BREAK}min"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours}{NO_BREAK}h {minutes}{NO_BREAK}min" if minutes else f"{hours}{NO_BREAK}h"
    days, hours = divmod(round(value / 3600), 24)
    return f"{days}{NO_BREAK}d {hours}{NO_BREAK}h" if hours else f"{days}{NO_BREAK}d"


def dollars(value: float | None) -> str:
    """US dollars, with four digits below ten cents; `−$0.25` is a loss; None is `unknown`, never a comfortable zero."""
    if value is None:
        return "unknown"
    if value < 0:
        return f"−{dollars(-value)}"
    if value == 0:
        return "$0"
    return f"${value:.4f}" if value < 0.1 else f"${value:,.2f}"


def heat(value: float | None) -> str:
    """The class of one of six colour steps: h0 for nothing, h5 for everything, and neither for anything between."""
    if value is None:
        return "h-none"
    if value >= 1:
        return f"h{STEPS}"
    if value <= 0:
        return "h0"
    return f"h{min(STEPS - 1, max(1, round(value * STEPS)))}"


def minus(value: int, other: int) -> int:
    """What is left."""
    return value - other


def at(values: Sequence[Any], place: int) -> Any:
    """The element at a place, counted from 0."""
    return values[place]


def key(mapping: Mapping[str, Any], name: str) -> Any:
    """What a mapping holds under a name; None where it holds nothing."""
    return mapping.get(name)


def words(value: str) -> str:
    """A name of the code as words: `infrastructure_failed`, `pass_at_1_pct`."""
    text = value.replace("_pct", " %").replace("_halfwidth", " ±").replace("pass_at_", "pass@")
    return text.replace("_", " ")


def mark(status: str) -> str:
    """A test's status as one character, for a matrix."""
    marks = {"passed": "✓", "failed": "✕", "error": "!", "missing": "?", "": "·"}
    return marks.get(status, "s")


def tidy(value: object) -> str:
    """Anything on one line, without what terminals or bidirectional text would make of it."""
    return one_line(str(value), SHOWN)


def stopped(value: object) -> str:
    """A sentence with one full stop at its end, whether it came with one or not."""
    text = str(value)
    return text if text.endswith((".", "…", "!", "?")) else f"{text}."


def ends(value: object) -> str:
    """The beginning and the end of a long reason, on one line: the last lines of a build's log say why it failed."""
    text = str(value)
    return tidy(text if len(text) <= SHOWN else f"{text[: SHOWN // 3]} … {text[-SHOWN // 2 :]}")


def setting(value: object) -> str:
    """A setting's value in words: None is what nobody has decided here."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return tidy(int(value) if isinstance(value, float) and value.is_integer() else value)


def typeset(written: str) -> str:
    """A number as Python writes it, with a minus sign instead of a hyphen. Nothing is less than nothing: no `−0.0`."""
    if written.startswith("-") and not written.strip("-0.,"):
        return written[1:]
    return written.replace("-", "−")


def gigabytes(size: int) -> str:
    """Bytes as `63.4 GB`, of a thousand million each, as disks are sold and `df -H` counts them."""
    return f"{size / 1e9:,.1f}{NO_BREAK}GB"


def unbroken(sentence: str) -> str:
    """A sentence that breaks between none of its numbers and their units."""
    return _BEFORE_UNIT.sub(NO_BREAK, sentence)


def decimal(value: float, digits: int = 2) -> str:
    """With so many decimals, thousands apart; what is too small for them has two digits that tell. There is no −0."""
    shown = f"{value or 0.0:,.{digits}f}"
    if not value or float(shown.replace(",", "")):
        return shown
    short = f"{value:.1e}"
    return f"{Decimal(short):f}" if abs(value) >= SMALLEST_WRITTEN else short
