"""Charts in templates: drawn on the server in two widths, with the data that the script needs for Plotly."""

from __future__ import annotations

from django import template

from runs.charts.mark import Chart, figure
from runs.charts.svg_markup import svg_element
from runs.charts.svg_shapes import NARROW, WIDE
from runs.templatetags.markup import json_script

register = template.Library()
register.simple_tag(svg_element, name="drawing")


@register.inclusion_tag("runs/charts/figure.html")
def chart(shown: Chart, name: str, title: str) -> dict[str, object]:
    """A figure. `name` is its id, unique in the page; `title` is its text alternative."""
    return {
        "name": name,
        "title": title,
        "drawings": [("wide", shown.draw(WIDE)), ("narrow", shown.draw(NARROW))],
        "figure": json_script(figure(shown)),
    }
