"""How numbers are written: one way for the whole site. None is never a zero: it is a dash, or a word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString

from runs.analysis.figure import Figure
from runs.analysis.outcomes.standings import Rate, rate_of
from runs.escaping import Markup, filled
from runs.methods import titles
from runs.numerals import NO_BREAK, gigabytes, typeset, unbroken
from runs.rate_line import rate_line
from runs.views.text import one_line

register = template.Library()
register.filter(unbroken)
register.filter(gigabytes)

DASH = "–"
STEPS = 5
SHOWN = 400

_METHOD = (
    '<a class="how" href="{}" title="{}"><span aria-hidden="true">?</span><span class="sr">{}</span></a>'
)


@register.filter
def percent(value: float | None, digits: int = 1) -> str:
    """A share from 0 to 1 as `87.5 %`; a dash for None."""
    return DASH if value is None else f"{typeset(f'{value * 100:.{digits}f}')}{NO_BREAK}%"


@register.filter
def hundred(value: float) -> str:
    """A share from 0 to 1 as a whole number of hundredths, for places too small for a sign."""
    return f"{value * 100:.0f}"


@register.filter
def points(difference: Figure) -> str:
    """A difference of shares in percentage points, with its sign: `+4.7`, `−12.0`; a dash where there is none."""
    return DASH if difference.value is None else _signed(difference.value * 100, 1)


@register.filter
def points_apart(difference: Figure) -> str:
    """How far apart, in percentage points, without a sign: `4.7`."""
    return points(difference).lstrip("+−")


@register.filter
def points_between(difference: Figure) -> str:
    """The interval of a difference of shares, in percentage points: `−3 to +12`."""
    ends = difference.interval
    return f"{_signed(ends.low * 100, 0)} to {_signed(ends.high * 100, 0)}" if ends else "no interval"


def _signed(value: float, digits: int) -> str:
    shown = f"{abs(value):.{digits}f}"
    if not float(shown):
        return shown
    return f"{'+' if value > 0 else '−'}{shown}"


@register.filter
def p_value(p: float) -> str:
    """A chance as papers write it behind its letter: `= 0.034`, `< 0.001`."""
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


@register.filter
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


@register.filter
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


@register.filter
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


@register.filter
def dollars(value: float | None) -> str:
    """US dollars, with four digits below ten cents; `−$0.25` is a loss; None is `unknown`, never a comfortable zero."""
    if value is None:
        return "unknown"
    if value < 0:
        return f"−{dollars(-value)}"
    if value == 0:
        return "$0"
    return f"${value:.4f}" if value < 0.1 else f"${value:,.2f}"


@register.filter
def heat(value: float | None) -> str:
    """The class of one of six colour steps: h0 for nothing, h5 for everything, and neither for anything between."""
    if value is None:
        return "h-none"
    if value >= 1:
        return f"h{STEPS}"
    if value <= 0:
        return "h0"
    return f"h{min(STEPS - 1, max(1, round(value * STEPS)))}"


@register.filter
def minus(value: int, other: int) -> int:
    """What is left."""
    return value - other


@register.filter
def at(values: Sequence[Any], place: int) -> Any:
    """The element at a place, counted from 0."""
    return values[place]


@register.filter
def key(mapping: Mapping[str, Any], name: str) -> Any:
    """What a mapping holds under a name; None where it holds nothing."""
    return mapping.get(name)


@register.filter
def words(value: str) -> str:
    """A name of the code as words: `infrastructure_failed`, `pass_at_1_pct`."""
    text = value.replace("_pct", " %").replace("_halfwidth", " ±").replace("pass_at_", "pass@")
    return text.replace("_", " ")


@register.filter
def mark(status: str) -> str:
    """A test's status as one character, for a matrix."""
    marks = {"passed": "✓", "failed": "✕", "error": "!", "missing": "?", "": "·"}
    return marks.get(status, "s")


@register.filter
def tidy(value: object) -> str:
    """Anything on one line, without what terminals or bidirectional text would make of it."""
    return one_line(str(value), SHOWN)


@register.filter
def stopped(value: object) -> str:
    """A sentence with one full stop at its end, whether it came with one or not."""
    text = str(value)
    return text if text.endswith((".", "…", "!", "?")) else f"{text}."


@register.filter
def ends(value: object) -> str:
    """The beginning and the end of a long reason, on one line: the last lines of a build's log say why it failed."""
    text = str(value)
    return tidy(text if len(text) <= SHOWN else f"{text[: SHOWN // 3]} … {text[-SHOWN // 2 :]}")


@register.filter
def setting(value: object) -> str:
    """A setting's value in words: None is what nobody has decided here."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return tidy(int(value) if isinstance(value, float) and value.is_integer() else value)


@register.simple_tag
def rate(value: Rate | None, kind: str = "") -> SafeString:
    """A rate drawn with its interval and written out. `kind` is a class of the dot."""
    return filled(*_drawn(value, kind))


@register.simple_tag
def figure_rate(figure: Figure, kind: str = "") -> SafeString:
    """A figure drawn with its interval and written out; without either, why not."""
    return filled(*_drawn(rate_of(figure), kind, reason=figure.reason))


def against(figure: Figure, others: Figure) -> Markup:
    """A figure drawn with its interval, and a tick where others are."""
    return _drawn(rate_of(figure), reason=figure.reason, others=others.value)


@register.inclusion_tag("runs/_share_bar.html")
def share_bar(value: float | None) -> dict[str, object]:
    """A share from 0 to 1 as a bar; an empty one for None. The number stands beside it."""
    return {"width": f"{100 * (value or 0):.1f}"}


@register.simple_tag
@cache
def method(anchor: str) -> SafeString:
    """A link to how a number is made. KeyError for an anchor that the methods page does not have."""
    title = f"How it is made: {titles()[anchor]}"
    return filled(_METHOD, (f"{reverse('methods')}#{anchor}", title, title))


@register.simple_tag
@cache
def named_method(anchor: str) -> SafeString:
    """The same with its title, for where several stand together. KeyError as above."""
    return filled('<a href="{}">{}</a>', (f"{reverse('methods')}#{anchor}", titles()[anchor]))


def _drawn(value: Rate | None, kind: str = "", reason: str = "", others: float | None = None) -> Markup:
    if value is None:
        return Markup('<span class="faint">{}</span>', (reason or "n too small",))
    low, high = percent(value.interval.low, 0), percent(value.interval.high, 0)
    text, small = percent(value.value), f"{low} to {high}"
    return rate_line(value.value, value.interval, text=text, small=small, tone=kind, others=others)
