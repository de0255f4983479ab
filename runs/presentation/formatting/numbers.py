"""How numbers are written on pages, in charts and in sentences.

None is never written as zero: it is a dash or a word. A no-break space stands between a number and its unit; writers of
Markdown turn it into a plain one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from runs.analysis.estimate import Estimate

DASH = "–"
HEAT_STEPS = 5
MIN_FIXED = 1e-7  # smaller numbers are written with an exponent
ROUNDING = 1e-14  # relative: more than the rounding of floats, and less than any digit that is shown
NO_BREAK = "\u00a0"
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=%|(?:ms|s|min|h|d|k|M)\b)")


def half_up(value: float) -> float:
    """The value, moved away from zero by less than a shown digit, so that a half is rounded up, as people do.

    63.75 is written `63.8` with one decimal, however its float came about: 51 ÷ 80 · 100 may be a bit less.
    """
    return value * (1 + ROUNDING)


def fixed(value: float, digits: int, form: str = "") -> str:
    """With so many decimals, halves rounded up. `form`: "+" for a sign, "," for thousands. Minus is a hyphen."""
    return f"{half_up(value):{form}.{digits}f}"


def whole(value: float) -> int:
    """The nearest whole number, halves rounded up."""
    return int(fixed(value, 0))


def typeset(written: str) -> str:
    """A number as Python writes it, with a minus sign for a hyphen. Zero has no sign, neither `−0.0` nor `+0.0`."""
    if not written.strip("+-0.,"):
        return written.lstrip("+-")
    return written.replace("-", "−")


def decimal(value: float, digits: int = 2) -> str:
    """With thousands separated; two significant digits where that many decimals show none. Minus is a hyphen."""
    shown = fixed(value or 0.0, digits, ",")
    if not value or float(shown.replace(",", "")):
        return shown
    short = f"{value:.1e}"
    return f"{Decimal(short):f}" if abs(value) >= MIN_FIXED else short


def plain(value: float) -> str:
    """A number without zeros at the end of its decimals: `3`, `2.5`, `12,345`."""
    return f"{value:,.10g}"


def shown_number(value: float) -> str:
    """A number of unknown unit: five decimals below 1, else two, without zeros at their end: `0.4875`, `10.2`."""
    return decimal(value, 5 if abs(value) < 1 else 2).rstrip("0").rstrip(".") if value else "0"


def signed(value: float, digits: int) -> str:
    """With so many decimals and its sign: `+4.7`, `−12.0`, `0.0`."""
    return typeset(fixed(value, digits, "+"))


def percent(share: float | None, digits: int = 1) -> str:
    """A share from 0 to 1 as `87.5 %`; a dash for None."""
    return DASH if share is None else f"{typeset(fixed(share * 100, digits))}{NO_BREAK}%"


def whole_percent(share: float) -> str:
    """A share from 0 to 1 in whole percent, without the sign, for small cells."""
    return fixed(share * 100, 0)


def points(difference: float | None) -> str:
    """A difference of shares in percentage points, with its sign: `+4.7`, `−12.0`; a dash for None."""
    return DASH if difference is None else signed(difference * 100, 1)


def unsigned_points(difference: float | None) -> str:
    """A difference of shares in percentage points, without its sign: `4.7`."""
    return points(difference).lstrip("+−")


def points_interval(difference: Estimate) -> str:
    """The interval of a difference of shares, in percentage points: `−3 to +12`."""
    ends = difference.interval
    return f"{signed(ends.low * 100, 0)} to {signed(ends.high * 100, 0)}" if ends else "no interval"


def correlation(value: float) -> str:
    """From −1 to 1: `0.96`, `−0.80`."""
    return typeset(fixed(value, 2))


def correlation_with_interval(figure: Estimate) -> str:
    """A correlation with its interval and n: `0.96 (95 % interval 0.64 to 1.00, n 7)`."""
    low, high = (correlation(end or 0.0) for end in bounds(figure))
    return f"{correlation(figure.value or 0.0)} (95 % interval {low} to {high}, n {figure.n:,})"


def p_value(p: float) -> str:
    """A p-value as papers write it after the letter p: `= 0.034`, `< 0.001`."""
    return "< 0.001" if p < 0.001 else f"= {fixed(p, 3)}"


def count(value: float | None) -> str:
    """A count or a mean of counts: `2.4`, `640`, `12,345`, `648 k`, `1.35 M`, `−733`; a dash for None."""
    if value is None:
        return DASH
    if value < 0:
        return f"−{count(-value)}"
    if value >= 999_500:
        return f"{fixed(value / 1_000_000, 2)}{NO_BREAK}M"
    if value >= 100_000:
        return f"{fixed(value / 1_000, 0)}{NO_BREAK}k"
    return fixed(value, 0, ",") if value >= 10 or value == round(value) else f"{half_up(value):.2g}"


def counted(number: int, one: str, several: str = "") -> str:
    """A number with its noun: `1 run`, `2,000 runs`."""
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"


def any_of_first(number: int, one: str) -> str:
    """`the first attempt`, `at least one of the first 3 attempts`: the subject of a sentence."""
    return f"the first {one}" if number == 1 else f"at least one of the first {counted(number, one)}"


def counted_kinds(counts: Mapping[str, int], one: str, several: str = "") -> str:
    """The counts that are not 0, with their noun: `1 new run`, `2 new, 1 known runs`; `no runs` without any."""
    total = sum(counts.values())
    said = ", ".join(f"{number:,} {kind}" for kind, number in counts.items() if number) or "no"
    return f"{said} {one if total == 1 else several or f'{one}s'}"


def dollars(value: float | None) -> str:
    """US dollars: four decimals below ten cents, else two; `−$0.25` is a loss; None is `unknown`."""
    if value is None:
        return "unknown"
    if value < 0:
        return f"−{dollars(-value)}"
    if value == 0:
        return "$0"
    return f"${decimal(value, 4 if value < 0.1 else 2)}"


def duration(seconds: float | None) -> str:
    """Seconds as `0.3 ms`, `4 ms`, `3.1 s`, `48 s`, `5:41` or `1:02:03`; a dash for None."""
    if seconds is None:
        return DASH
    if seconds < 0:
        return f"−{duration(-seconds)}"
    if seconds < 0.9995:
        digits = 1 if 0 < seconds < 0.00095 else 0
        return f"{fixed(seconds * 1000, digits)}{NO_BREAK}ms"
    if seconds < 9.95:
        return f"{fixed(seconds, 1)}{NO_BREAK}s"
    rounded = whole(seconds)
    if rounded < 60:
        return f"{rounded}{NO_BREAK}s"
    minutes, left = divmod(rounded, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def span(value: float | None) -> str:
    """A length of time in two units at most: `45 s`, `12 min`, `3 h 10 min`, `2 d 4 h`; a dash for None."""
    if value is None:
        return DASH
    seconds = whole(value)
    if seconds < 60:
        return f"{seconds}{NO_BREAK}s"
    minutes = whole(value / 60)
    if minutes < 60:
        return f"{minutes}{NO_BREAK}min"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours}{NO_BREAK}h {minutes}{NO_BREAK}min" if minutes else f"{hours}{NO_BREAK}h"
    days, hours = divmod(whole(value / 3600), 24)
    return f"{days}{NO_BREAK}d {hours}{NO_BREAK}h" if hours else f"{days}{NO_BREAK}d"


def gigabytes(size: int) -> str:
    """Bytes as `63.4 GB`, of 10⁹ bytes each, as `df -H` counts them."""
    return f"{fixed(size / 1e9, 1, ',')}{NO_BREAK}GB"


def with_n(figure: Estimate, share: bool = True, digits: int = 1) -> str:
    """A value with its n, for the margin of a chart; the reason where there is none."""
    if figure.value is None:
        return figure.reason
    shown = percent(figure.value, digits) if share else fixed(figure.value, digits)
    return f"{shown}, n {figure.n:,}"


def bounds(figure: Estimate) -> tuple[float | None, float | None]:
    """Low and high of its interval, for a chart."""
    return (None, None) if figure.interval is None else (figure.interval.low, figure.interval.high)


def unbroken(sentence: str) -> str:
    """A sentence with a no-break space between each number and its unit."""
    return _BEFORE_UNIT.sub(NO_BREAK, sentence)


def plain_spaces(text: str) -> str:
    """A text for other programs, without no-break spaces."""
    return text.replace(NO_BREAK, " ")


def heat(share: float | None) -> str:
    """The class of a colour step: h0 for 0, h5 for 1, and h1 to h4 for all between; h-none for None."""
    if share is None:
        return "h-none"
    if share >= 1:
        return f"h{HEAT_STEPS}"
    if share <= 0:
        return "h0"
    return f"h{min(HEAT_STEPS - 1, max(1, round(share * HEAT_STEPS)))}"
