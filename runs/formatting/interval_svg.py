"""A rate as a dot on a line with its interval, and the same in words beside it."""

from __future__ import annotations

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.outcomes.standings import Rate, rate_of
from runs.formatting.html import Markup
from runs.formatting.numbers import percent

LEFT, WIDTH = 7.0, 96.0

_BEGIN = (
    '<div class="rate"><svg class="ci" viewBox="0 0 110 18" aria-hidden="true">'
    '<line class="track" x1="7" x2="103" y1="9" y2="9"/><line class="whisker" x1="{}" x2="{}" y1="9" y2="9"/>'
    '<circle class="dot {}" cx="{}" cy="9" r="5"/>'
)
_TICK = '<line class="others" x1="{}" x2="{}" y1="1" y2="17"/>'
_END = '</svg><span><b>{}</b><small><span class="sr">95 % interval </span>{}</small></span></div>'


def rate_line(
    value: float, interval: Interval, *, text: str, small: str, tone: str = "", others: float | None = None
) -> Markup:
    """A share from 0 to 1, written as `text` and `small`. `tone`: a class of the dot; `others`: where a tick stands."""
    dot = (_at(interval.low), _at(interval.high), tone, _at(value))
    if others is None:
        return Markup(_BEGIN + _END, (*dot, text, small))
    return Markup(_BEGIN + _TICK + _END, (*dot, _at(others), _at(others), text, small))


def _at(share: float) -> str:
    return f"{LEFT + WIDTH * share:.1f}"


def drawn(value: Rate | None, kind: str = "", reason: str = "", others: float | None = None) -> Markup:
    """A rate drawn with its interval and written out; without one, why not. `kind` is a class of the dot."""
    if value is None:
        return Markup('<span class="faint">{}</span>', (reason or "n too small",))
    low, high = percent(value.interval.low, 0), percent(value.interval.high, 0)
    text, small = percent(value.value), f"{low} to {high}"
    return rate_line(value.value, value.interval, text=text, small=small, tone=kind, others=others)


def against(figure: Estimate, others: Estimate) -> Markup:
    """A figure drawn with its interval, and a tick where others are."""
    return drawn(rate_of(figure), reason=figure.reason, others=others.value)
