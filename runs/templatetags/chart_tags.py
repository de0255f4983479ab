"""Charts in templates: drawn on the server in two widths, with the data that the script needs for Plotly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.safestring import SafeString

from runs.presentation.charts.miniature import miniature
from runs.presentation.charts.svg_markup import svg_element
from runs.presentation.charts.svg_shapes import NARROW, WIDE, Chart, figure
from runs.templatetags.markup import json_script

register = template.Library()
register.simple_tag(svg_element, name="drawing")


@register.inclusion_tag("runs/charts/figure.html", takes_context=True)
def chart(context: Mapping[str, Any], shown: Chart, name: str, title: str) -> dict[str, object]:
    """A figure. `name` is its id, unique in the page; `title` is its text alternative.

    On the page of a board (`board` in the context) with reported results, it says who reported them.
    """
    reported_by = getattr(context.get("board"), "reported_by", "")
    return {
        "name": name,
        "title": f"{title} Reported by {reported_by}, not run here." if reported_by else title,
        "drawings": [("wide", shown.draw(WIDE)), ("narrow", shown.draw(NARROW))],
        "figure": json_script(figure(shown)),
    }


@register.simple_tag
def miniature_of(shown: Chart, title: str) -> SafeString:
    """A chart in little, for a card. `title` is its text alternative."""
    return svg_element(miniature(shown), title)
