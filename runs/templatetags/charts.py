"""Charts in templates: drawn on the server, in two widths, with what the script needs to make them live."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from runs.charts.mark import Chart, figure
from runs.charts.shapes import NARROW, WIDE, Drawing, Shape, pixels

register = template.Library()


@register.inclusion_tag("runs/charts/figure.html")
def chart(shown: Chart, name: str, title: str) -> dict[str, object]:
    """A figure. `name` is its id, unique in the page; `title` says in words what it shows to whom cannot see it."""
    return {
        "name": name,
        "title": title,
        "drawings": [("wide", shown.draw(WIDE)), ("narrow", shown.draw(NARROW))],
        "figure": figure(shown),
    }


@register.simple_tag
def drawing(drawn: Drawing, title: str) -> SafeString:
    """The SVG element of a drawing. Every attribute and every text is escaped."""
    # One call for all: a call for each element takes ten times as long. The pattern has nobody's words in it.
    pattern = "".join(map(_pattern, drawn.shapes))
    values = [value for shape in drawn.shapes for value in (*shape.attributes.values(), shape.text)]
    return format_html(
        '<svg viewBox="0 0 {} {}" role="img" aria-label="{}">' + pattern + "</svg>",
        *(pixels(drawn.width), pixels(drawn.height), title, *values),
    )


def _pattern(shape: Shape) -> str:
    """The element with a place for each attribute's value, and one for its text."""
    attributes = "".join(f' {name}="{{}}"' for name in shape.attributes)
    return f"<{shape.tag}{attributes}>{{}}</{shape.tag}>"
