"""Charts in templates: drawn on the server, in two widths, with what the script needs to make them live."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe

from runs.charts.mark import Chart, figure
from runs.charts.svg_markup import svg_element
from runs.charts.svg_shapes import NARROW, WIDE, Drawing

register = template.Library()


@register.inclusion_tag("runs/charts/figure.html")
def chart(shown: Chart, name: str, title: str) -> dict[str, object]:
    """A figure. `name` is its id, unique in the page; `title` says in words what it shows to whom cannot see it."""
    return {
        "name": name,
        "title": title,
        "drawings": [("wide", shown.draw(WIDE)), ("narrow", shown.draw(NARROW))],
        "figure": _as_script(figure(shown)),
    }


@register.simple_tag
def drawing(drawn: Drawing, title: str) -> SafeString:
    """The SVG element of a drawing."""
    return svg_element(drawn, title)


def _as_script(data: Mapping[str, Any]) -> SafeString:
    """As `json_script` writes it; its table of characters takes four times as long as all else."""
    written = json.dumps(data).replace("<", "\\u003C").replace(">", "\\u003E").replace("&", "\\u0026")
    return mark_safe(f'<script type="application/json">{written}</script>')  # noqa: S308 - nothing ends it
