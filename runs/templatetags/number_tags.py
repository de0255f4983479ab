"""Numbers in templates: `formatting.numbers` as filters, numbers with their intervals, and links to methods."""

from __future__ import annotations

from functools import cache

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString

from runs.analysis.estimate import Estimate
from runs.analysis.outcomes.standings import Rate, rate_of
from runs.analysis_docs import titles
from runs.formatting import numbers
from runs.formatting.html import filled
from runs.formatting.interval_svg import drawn

register = template.Library()
for written in (
    numbers.percent,
    numbers.hundred,
    numbers.points,
    numbers.points_apart,
    numbers.points_between,
    numbers.p_value,
    numbers.count,
    numbers.duration,
    numbers.span,
    numbers.dollars,
    numbers.heat,
    numbers.minus,
    numbers.at,
    numbers.key,
    numbers.words,
    numbers.mark,
    numbers.tidy,
    numbers.stopped,
    numbers.ends,
    numbers.setting,
    numbers.unbroken,
    numbers.gigabytes,
):
    register.filter(written)

_METHOD = (
    '<a class="how" href="{}" title="{}"><span aria-hidden="true">?</span><span class="sr">{}</span></a>'
)


@register.simple_tag
def rate(value: Rate | None, kind: str = "") -> SafeString:
    """A rate drawn with its interval and written out. `kind` is a class of the dot."""
    return filled(*drawn(value, kind))


@register.simple_tag
def figure_rate(figure: Estimate, kind: str = "") -> SafeString:
    """A figure drawn with its interval and written out; without either, why not."""
    return filled(*drawn(rate_of(figure), kind, reason=figure.reason))


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
