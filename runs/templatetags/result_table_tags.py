"""The rows of tables of results, written in Python: a page has up to 1,800 cells.

The page of tools with 39 tables takes 41 ms; with a template for each cell it took 140 ms (`benchmarks.pages`).
"""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.safestring import SafeString

from runs.presentation.formatting.html import Markup, joined
from runs.presentation.formatting.numbers import DASH
from runs.reporting.topics.table_values import TableValue
from runs.views.analysis_pages.shown_tables import ColumnHead, ShownTable

register = template.Library()

_LONG = 40  # characters: longer texts may wrap
_SMALL = "<small>{}</small>"
_NOTHING = TableValue(DASH)


@register.simple_tag
def result_rows(shown: ShownTable) -> SafeString:
    """The rows of a table; the first value of each names it."""
    return joined(_row(shown.head, row) for row in shown.rows)


def _row(heads: Sequence[ColumnHead], row: Sequence[TableValue]) -> Markup:
    name = _and(_text(row[0]), _SMALL, row[0].small)
    cells = [
        Markup(f'<tr><th scope="row">{name.pattern}</th>', name.values),
        *(_cell(head, value) for head, value in zip(heads[1:], row[1:], strict=True)),
    ]
    pattern = "".join(cell.pattern for cell in cells)
    return Markup(f"{pattern}</tr>", tuple(text for cell in cells for text in cell.values))


def _cell(head: ColumnHead, value: TableValue) -> Markup:
    """A cell; on a card it follows the title of its column, and a bare dash is left out."""
    kind = (
        ' class="num"'
        if head.numeric
        else ' class="long"'
        if len(value.text) > _LONG and not value.parts
        else ""
    )
    if value.shade:
        begin = _and(Markup('<span class="cell {}"', (value.shade,)), ' title="{}"', value.hint)
        inner = _and(Markup(f"{begin.pattern}>{{}}", (*begin.values, value.text)), _SMALL, value.small)
        return Markup(f"<td{kind}>{inner.pattern}</span></td>", inner.values)
    name = head.column.title if head.n is None else f"{head.column.title}, n {head.n}"
    if value == _NOTHING:
        return Markup(f'<td{kind} data-name="{{}}"><span class="muted">{{}}</span></td>', (name, DASH))
    inner = _and(_and(_text(value), _SMALL, value.small), '<small class="why">{}</small>', value.why)
    return Markup(f'<td{kind} data-name="{{}}">{inner.pattern}</td>', (name, *inner.values))


def _text(value: TableValue) -> Markup:
    if value.parts:
        # No line begins with a comma.
        links = ",</span> ".join(['<span class="ref"><a href="{}">{}</a>'] * len(value.parts))
        return Markup(
            f"{links}</span>", tuple(text for part in value.parts for text in (part.href, part.text))
        )
    link = Markup('<a class="plain" href="{}">{}</a>', (value.href, value.text))
    return _and(
        link if value.href else Markup("{}", (value.text,)), ' <span class="chip">{}</span>', value.chip
    )


def _and(markup: Markup, pattern: str, text: str) -> Markup:
    """With one more piece, if there is a text for it."""
    return Markup(markup.pattern + pattern, (*markup.values, text)) if text else markup
