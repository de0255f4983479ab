"""Cells of the table as markup. There are hundreds on a page: nodes of a template take five times as long."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.utils.safestring import SafeString

from runs.formatting.html import Markup, filled
from runs.formatting.interval_svg import rate_line
from runs.formatting.numbers import DASH, heat, hundred
from runs.leaderboard.board_rows import BoardRow, Said
from runs.leaderboard.columns import BoardColumn

_CALIBRATION = (
    ' <span class="chip" title="Knows the reference patch: it measures the benchmark, it does not compete.">'
    "calibration</span>"
)
_AGENT = '<th scope="row" class="agent"><b><a class="plain" href="{}">{}</a></b><span class="under">{}%s</span></th>'
_TILE = '<li><a class="{}" href="{}" title="{}"><span class="sr">{}: </span>{}</a></li>'


class Links(NamedTuple):
    """Where cells lead: `repositories` to the page of each, `runs` to the list; '' where they lead to no runs."""

    repositories: Mapping[str, str]
    runs: str


def drawn(columns: Iterable[BoardColumn], row: BoardRow, links: Links) -> SafeString:
    """What these columns say of a row, one cell for each, every value escaped."""
    cells = [_cell(column, row, links) for column in columns]
    values = [value for cell in cells for value in cell.values]
    return filled("\n    ".join(cell.pattern for cell in cells), values)


def _cell(column: BoardColumn, row: BoardRow, links: Links) -> Markup:
    if column.kind == "strip":
        return _strip(row, links)
    said = column.said(row)
    if column.kind == "agent":
        mark = _CALIBRATION if row.agent.is_calibration else ""
        return Markup(_AGENT % mark, (row.agent.get_absolute_url(), said.text, said.small))
    if column.kind == "place":
        return Markup('<td class="rank num">{}</td>', (said.text,))
    if column.kind == "rate":
        return _rate(said, "k" if column.key == "passk" else "")
    return _number(said, links)


def _number(said: Said, links: Links) -> Markup:
    values = ["num muted" if said.muted else "num"]
    title = below = ""
    if said.title:
        title = ' title="{}"'
        values.append(said.title)
    values.append(said.text)
    if said.small and said.more and links.runs:
        below = '<small><a href="{}?{}">{}</a></small>'
        values += [links.runs, said.more, said.small]
    elif said.small:
        below = "<small>{}</small>"
        values.append(said.small)
    return Markup(f'<td class="{{}}"{title}>{{}}{below}</td>', tuple(values))


def _rate(said: Said, tone: str) -> Markup:
    if said.interval is None or said.value is None:
        return Markup('<td><span class="faint">{}</span><small>{}</small></td>', (said.text, said.small))
    line = rate_line(said.value, said.interval, text=said.text, small=said.small, tone=tone)
    return Markup(f"<td>{line.pattern}</td>", line.values)


def _strip(row: BoardRow, links: Links) -> Markup:
    values = []
    for one in row.standing.repositories:
        shown = DASH if one.value is None else hundred(one.value)
        href = links.repositories[one.repository]
        values += [heat(one.value), href, one.repository, one.repository, shown]
    tiles = _TILE * len(row.standing.repositories)
    return Markup(f'<td><ul class="strip">{tiles}</ul></td>', tuple(values))
