"""Template filters for numbers and short texts, and links to the methods page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache
from typing import Any

from django import template
from django.template.context import Context
from django.template.loader import render_to_string
from django.template.loader_tags import ExtendsNode
from django.utils.safestring import SafeString, mark_safe

from runs.models.agent import plain_name
from runs.presentation.analysis_docs import method_path, methods
from runs.presentation.formatting import cron_words, numbers, text
from runs.templatetags.markup import agent_name, figure_rate, rate

_ASKED = "_benchbench_asked_methods"  # of a request: the anchors of its question marks, with their counts

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
    cron_words.times_in_words,
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
def iso(moment: datetime | None) -> str:
    """A moment in the form of ISO 8601, to the second: HTML forbids microseconds. '' for None."""
    return moment.isoformat(timespec="seconds") if moment else ""


@register.filter
def minus(value: int, other: int) -> int:
    """The difference of two numbers."""
    return value - other


@register.filter
def at(values: Sequence[Any], place: int) -> Any:
    """The element at a place, counted from 0."""
    return values[place]


@register.filter
def known(rows: Iterable[Any], path: str) -> bool:
    """Whether one of these rows has a value at this path, as templates write it: "line.rate.value".

    0 is a value; an empty text or list is none.
    """
    names = path.split(".")

    def value(row: Any) -> Any:
        for name in names:
            if name.isdecimal():
                row = row[int(name)]
            else:
                row = row.get(name) if isinstance(row, Mapping) else getattr(row, name, None)
        return row

    return any(found is not None and found not in ("", (), [], {}) for found in map(value, rows))


@register.filter
def key(mapping: Mapping[str, Any], name: str) -> Any:
    """The value under a name; None where there is none."""
    return mapping.get(name)


@register.inclusion_tag("runs/_share_bar.html")
def share_bar(value: float | None) -> dict[str, object]:
    """A share from 0 to 1 as a bar; an empty bar for None. The template writes the number beside it."""
    return {"width": f"{100 * (value or 0):.1f}"}


@register.simple_tag(takes_context=True)
def method(context: Context, anchor: str) -> SafeString:
    """A question mark that opens what a number is, with an example and a link to how it is computed.

    A page has one box for each method, which `method_popovers` writes at its end: no table clips it, and no closed
    element hides it. A part that is rendered without its page has a box beside each question mark instead, because a
    script puts such a part into a page that may lack the box. A method without a short text is a plain link. KeyError
    for an anchor that the methods pages do not have.
    """
    if not methods()[anchor].short:
        return _plain_link(anchor)
    request = context.get("request")
    counts = {} if request is None else request.__dict__.setdefault(_ASKED, {})
    counts[anchor] = counts.get(anchor, 0) + 1
    return _asked(anchor) if _is_whole_page(context) else _asked_beside(anchor, counts[anchor])


@register.simple_tag(takes_context=True)
def method_popovers(context: Context) -> SafeString:
    """The box of each method that a question mark before this place names, once. It is hidden until asked for."""
    request = context.get("request")
    asked = request.__dict__.pop(_ASKED, {}) if request is not None else {}
    return mark_safe("".join(_popover(anchor) for anchor in asked))  # noqa: S308 - of rendered templates


@register.simple_tag
@cache
def named_method(anchor: str) -> SafeString:
    """A link to how a number is computed, with its title as text, for lists of methods."""
    return _link(anchor, kind="named")


def _is_whole_page(context: Context) -> bool:
    """Whether a page with its end is being rendered for a request, not a part by itself."""
    page = context.template
    extends = page is not None and any(isinstance(node, ExtendsNode) for node in page.nodelist)
    return extends and context.get("request") is not None


@cache
def _asked(anchor: str) -> SafeString:
    return _link(anchor, kind="asked")


@cache
def _plain_link(anchor: str) -> SafeString:
    return _link(anchor, kind="plain")


@lru_cache(maxsize=1024)
def _asked_beside(anchor: str, number: int) -> SafeString:
    place = f"-{number}"
    return mark_safe(_link(anchor, kind="asked", place=place) + _popover(anchor, place))  # noqa: S308


@lru_cache(maxsize=1024)
def _popover(anchor: str, place: str = "") -> SafeString:
    """The box of a method. Without white space at its end, which would be seen in a sentence."""
    context = {"method": methods()[anchor], "address": method_path(anchor), "place": place}
    return mark_safe(render_to_string("runs/_method_popover.html", context).strip())  # noqa: S308


def _link(anchor: str, *, kind: str, place: str = "") -> SafeString:
    context = {"method": methods()[anchor], "address": method_path(anchor), "kind": kind, "place": place}
    return render_to_string("runs/_method_link.html", context)
