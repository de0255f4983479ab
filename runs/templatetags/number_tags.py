"""Numbers in templates: `formatting.numbers` as filters, numbers with their intervals, and links to methods."""

from __future__ import annotations

from functools import cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from runs.analysis_docs import titles
from runs.formatting import numbers
from runs.templatetags.markup import figure_rate, rate

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

register.simple_tag(rate)
register.simple_tag(figure_rate)


@register.inclusion_tag("runs/_share_bar.html")
def share_bar(value: float | None) -> dict[str, object]:
    """A share from 0 to 1 as a bar; an empty one for None. The number stands beside it."""
    return {"width": f"{100 * (value or 0):.1f}"}


@register.simple_tag
@cache
def method(anchor: str) -> SafeString:
    """A link to how a number is made. KeyError for an anchor that the methods page does not have."""
    return _method_link(anchor, named=False)


@register.simple_tag
@cache
def named_method(anchor: str) -> SafeString:
    """The same with its title, for where several stand together. KeyError as above."""
    return _method_link(anchor, named=True)


def _method_link(anchor: str, *, named: bool) -> SafeString:
    context = {"anchor": anchor, "title": titles()[anchor], "named": named}
    return render_to_string("runs/_method_link.html", context)
