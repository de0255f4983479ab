"""Template filters for numbers and short texts, and links to the methods page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from runs.models.agent import plain_name
from runs.presentation.analysis_docs import titles
from runs.presentation.formatting import numbers, text
from runs.templatetags.markup import agent_name, figure_rate, rate

register = template.Library()
register.simple_tag(rate)
register.simple_tag(figure_rate)
register.filter(agent_name)
register.filter(plain_name)
for written in (
    numbers.signed,
    numbers.percent,
    numbers.whole_percent,
    numbers.points,
    numbers.unsigned_points,
    numbers.points_interval,
    numbers.p_value,
    numbers.correlation,
    numbers.count,
    numbers.duration,
    numbers.span,
    numbers.dollars,
    numbers.heat,
    numbers.shown_number,
    numbers.unbroken,
    numbers.typeset,
    numbers.gigabytes,
    text.one_line,
    text.words,
    text.mark,
    text.tidy,
    text.stopped,
    text.beginning_and_end,
    text.setting,
):
    register.filter(written)


@register.filter
def minus(value: int, other: int) -> int:
    """The difference of two numbers."""
    return value - other


@register.filter
def at(values: Sequence[Any], place: int) -> Any:
    """The element at a place, counted from 0."""
    return values[place]


@register.filter
def key(mapping: Mapping[str, Any], name: str) -> Any:
    """The value under a name; None where there is none."""
    return mapping.get(name)


@register.inclusion_tag("runs/_share_bar.html")
def share_bar(value: float | None) -> dict[str, object]:
    """A share from 0 to 1 as a bar; an empty bar for None. The template writes the number beside it."""
    return {"width": f"{100 * (value or 0):.1f}"}


@register.simple_tag
@cache
def method(anchor: str) -> SafeString:
    """A link to how a number is computed. KeyError for an anchor that the methods page does not have."""
    return _method_link(anchor, named=False)


@register.simple_tag
@cache
def named_method(anchor: str) -> SafeString:
    """The same link with its title as text, for lists of methods."""
    return _method_link(anchor, named=True)


def _method_link(anchor: str, *, named: bool) -> SafeString:
    context = {"anchor": anchor, "title": titles()[anchor], "named": named}
    return render_to_string("runs/_method_link.html", context)
