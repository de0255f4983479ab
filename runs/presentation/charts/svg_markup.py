"""Drawings as SVG: an element for pages, and a file that needs nothing else."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path

from django.contrib.staticfiles import finders
from django.utils.safestring import SafeString

from runs.presentation.charts.svg_shapes import Drawing, Sheet, SvgShape, pixels
from runs.presentation.formatting.html import filled

MARGIN = 24.0  # of a file: text may be wider than estimated
LEGEND_LINE = 18.0
_VARIABLES = re.compile(r"--([\w-]+):\s*([^;}]+)")
_RULES = re.compile(r"([^{}@/]+)\{([^{}]*)\}")
_VISIBLE = re.compile(r"\b(?:fill|stroke|font)\b")
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg_element(drawn: Drawing, title: str) -> SafeString:
    """The SVG element of a drawing. Every attribute and every text is escaped.

    Links in it are for pointers: there may be hundreds, so that a page has them as text, too.
    """
    # One call for all: a call for each element takes ten times as long. The pattern holds no text of others.
    pattern = "".join(map(_pattern, drawn.shapes))
    values = [value for shape in drawn.shapes for value in _values(shape)]
    role = "group" if any(shape.href for shape in drawn.shapes) else "img"  # nothing in an image is a link
    return filled(
        '<svg viewBox="0 0 {} {}" role="{}" aria-label="{}">' + pattern + "</svg>",
        (pixels(drawn.width), pixels(drawn.height), role, title, *values),
    )


def svg_file(drawn: Drawing, title: str) -> str:
    """An SVG file with its legend and its styles, in the light colours of the site."""
    whole = _with_legend(drawn)
    shapes = svg_element(whole, "").partition(">")[2]
    width, height = pixels(whole.width + 2 * MARGIN), pixels(whole.height)
    root = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" width="{width}" height="{height}" '
        f'viewBox="{pixels(-MARGIN)} 0 {width} {height}" role="img" aria-label="{escape(title)}">'
    )
    paper = f'<rect x="{pixels(-MARGIN)}" width="100%" height="100%" fill="#fff"/>'
    text = f"{root}<style>{chart_style()}</style>{paper}{shapes}\n"
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)


@cache
def chart_style() -> str:
    """The rules of the site's style sheet for charts that concern drawings, with the colours of the light mode."""
    site, chart = (_style_sheet(name) for name in ("benchbench", "chart"))
    variables = dict(_VARIABLES.findall(site.partition("@media")[0]))
    rules = [
        f"{selector.strip()}{{{body.strip()}}}"
        for selector, body in _RULES.findall(chart)
        if _VISIBLE.search(body)
    ]
    return re.sub(r"var\(--([\w-]+)\)", lambda found: variables[found[1]], "".join(rules))


def _style_sheet(name: str) -> str:
    path = finders.find(f"css/{name}.css")
    assert path is not None, f"css/{name}.css is part of the site"
    return re.sub(r"/\*.*?\*/", "", Path(path).read_text(encoding="utf-8"), flags=re.DOTALL)


def _with_legend(drawn: Drawing) -> Drawing:
    """A page shows the legend below the drawing; a file has it in the drawing."""
    sheet = Sheet(list(drawn.shapes))
    for place, entry in enumerate(drawn.legend, 1):
        y = drawn.height + place * LEGEND_LINE
        if entry.numbered:
            sheet.text("name", 12, y, f"{entry.mark} {entry.name}")
        else:
            sheet.box(f"bar {entry.mark}", 12, y - 10, 12, 12)
            sheet.text("name", 30, y, entry.name)
    height = drawn.height + (len(drawn.legend) + 0.5) * LEGEND_LINE if drawn.legend else drawn.height
    return Drawing(drawn.width, height, tuple(sheet.shapes))


def _pattern(shape: SvgShape) -> str:
    """The element with a place for each attribute's value, and one for its text; with its link around it."""
    attributes = "".join(f' {name}="{{}}"' for name in shape.attributes)
    element = f"<{shape.tag}{attributes}>{{}}</{shape.tag}>"
    return f'<a href="{{}}" aria-label="{{}}" tabindex="-1">{element}</a>' if shape.href else element


def _values(shape: SvgShape) -> tuple[str, ...]:
    """What fills the places of the pattern."""
    link = (shape.href, shape.label) if shape.href else ()
    return (*link, *shape.attributes.values(), shape.text)
