"""The tabs of boards, and the tables of the leaderboard, as HTML that Python writes: see `markup`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django import template
from django.template import Context
from django.urls import get_script_prefix, reverse
from django.utils.safestring import SafeString, mark_safe

from runs.data.cells.boards import BoardEntry, Boards
from runs.models.agent import plain_name
from runs.presentation.charts.axis import Axis, near_share_axis
from runs.presentation.formatting.html import Markup, joined
from runs.presentation.formatting.numbers import DASH, counted, heat, percent, whole_percent
from runs.presentation.formatting.text import tidy
from runs.rankings.leaderboard.board import Board, Heading
from runs.rankings.leaderboard.column import BoardRow, CellText, Column
from runs.rankings.leaderboard.cost_plot import FrontPlot, Placed
from runs.templatetags.markup import PERSON_CHIP, address_of, agent_markup, rate_line
from runs.templatetags.number_tags import method

register = template.Library()

# The tabs of boards.

_TAB = '<a href="?dataset={}" title="{}"%s>%s{}</a>'
_CURRENT = ' aria-current="true"'
_SERIES = '<span class="series" aria-hidden="true">{}</span>'
_DIVIDER = '<span class="divider" aria-hidden="true"></span>'
_PREFIX = '<span class="prefix">{}: </span>'


@register.simple_tag
def tabbed_boards(boards: Boards, current: BoardEntry | None, *, leading: bool) -> tuple[BoardEntry, ...]:
    """The boards that always have a tab, which the current one is among; not `leading`: the others, behind a button."""
    chosen = current.dataset if current else ""
    return tuple(
        board for board in boards.entries if (board in boards.leading or board.dataset == chosen) is leading
    )


@register.simple_tag
def board_tabs(boards: Iterable[BoardEntry], current: BoardEntry | None) -> SafeString:
    """A link for each board. Boards of a series, such as `OpenHands: Commit0 lite`, have its name once, before them."""
    entries = list(boards)
    series = [one.title.partition(": ")[0] if ": " in one.title else "" for one in entries]
    parts = []
    for place, one in enumerate(entries):
        name = series[place] if series.count(series[place]) > 1 else ""
        title = one.title.partition(": ")[2] if name else one.title
        if name and name not in series[:place]:
            parts.append(Markup(_SERIES, (tidy(name),)))
        here = _CURRENT if current and one.dataset == current.dataset else ""
        competitors = counted(one.competitors, "competitor")
        day = f", {one.day.day} {one.day:%b %Y}" if one.day else ""
        about = f"{competitors}, {counted(one.tasks, 'task')}, {one.origin}{day}"
        tab = _TAB % (here, _PREFIX if name else "")
        parts.append(Markup(tab, (one.dataset, tidy(about), *([tidy(name)] if name else []), tidy(title))))
        if name and name not in series[place + 1 :] and place + 1 < len(entries):
            parts.append(Markup(_DIVIDER))
    return joined(parts, "\n")


# The table of the leaderboard.

_AGENT = '<th scope="row" class="agent"><b><a class="plain" href="{}">%s</a></b>%s<span class="under">{}</span></th>'
_WARNING = '<small class="warning">{}</small>'
_TILE = '<li><a class="{}" href="{}" title="{}" aria-label="{}: {}">{}</a></li>'


_HEADING = '<th scope="col" class="{}"%s>%s%s%s</th>'
_SORTED = ' aria-sort="{}"'
_SORTS = '<a href="{}" data-in-place="{}"%s>{}%s</a>'
_ARROW = ' <span class="arrow" aria-hidden="true">{}</span>'


@register.simple_tag(takes_context=True)
def board_head(context: Context, board: Board) -> SafeString:
    """The headings of the columns; most of them sort by their column."""
    axis = board.rate_axis
    ends = f"; line {whole_percent(axis.low)} to {percent(axis.high, 0)}"
    return joined((_heading(context, heading, ends) for heading in board.headings()), "\n")


def _heading(context: Context, heading: Heading, ends: str) -> Markup:
    """`ends`: of the axis of rates."""
    column = heading.column
    values = ["num of-" + column.kind if column.align_right else "of-" + column.kind]
    is_sorted = arrow = hint = ""
    if heading.sort:
        is_sorted, arrow = _SORTED, _ARROW
        values.append(heading.sort)
    if heading.href:
        values += [heading.href, column.key]
        if column.hint:
            hint = ' title="{}"'
            values.append(column.hint)
    values.append(heading.title)
    if heading.href and heading.sort:
        values.append("▾" if heading.sort == "descending" else "▴")
    title = _SORTS % (hint, arrow) if heading.href else "{}"
    # The link to a method is escaped already; its braces would be places.
    how = str(method(context, column.method)).replace("{", "{{").replace("}", "}}") if column.method else ""
    under = "<small>{}</small>" if column.under else ""
    if column.under:
        values.append(column.under + (ends if column.kind == "rate" else ""))
    return Markup(_HEADING % (is_sorted, title, how, under), tuple(values))


MAX_CACHED_ROWS = 1024  # of all boards together, about 3 kB each

_BOARD_ROW = '<tr class="{}">'
_CHOOSE = (
    '<td class="choose"><label><input type="checkbox" name="agent" value="{}" form="compare">'
    '<span class="sr">Compare {}</span></label></td>'
)


@dataclass(frozen=True, slots=True)
class _RowContent:
    """All that the markup of a row is made of. `linked`: whether numbers of runs lead to them."""

    row: BoardRow
    columns: tuple[Column, ...]
    axis: Axis
    starts_group: bool
    linked: bool


_cached_rows: dict[tuple[str, str, str], tuple[_RowContent, SafeString]] = {}


@register.simple_tag
def board_rows(board: Board, frozen: object = None) -> SafeString:
    """The rows of the table. In a frozen one nothing links to runs, which are those of today."""
    dataset = board.parameters.chosen.dataset
    rows = (
        _RowContent(row, board.shown_columns, board.rate_axis, board.grouped and row.leads, linked=not frozen)
        for row in board.shown
    )
    return mark_safe("\n".join(_cached_row(dataset, content) for content in rows))  # noqa: S308 - of escaped rows


def _cached_row(dataset: str, content: _RowContent) -> SafeString:
    """The markup of a row, cached until its content changes.

    A settled run changes the row of one of 15 agents: 0.4 ms in place of 2.4 ms (`benchmarks.markup`).
    """
    key = (get_script_prefix(), dataset, content.row.agent.slug)
    cached = _cached_rows.get(key)
    if cached is not None and cached[0] == content:
        return cached[1]
    if len(_cached_rows) >= MAX_CACHED_ROWS:
        _cached_rows.clear()
    written = joined(_board_row(content), "\n")
    _cached_rows[key] = (content, written)
    return written


def _board_row(content: _RowContent) -> Iterator[Markup]:
    row = content.row
    yield Markup(_BOARD_ROW, ("stick group-start" if content.starts_group else "stick",))
    if content.linked:
        yield Markup(_CHOOSE, (row.agent.slug, tidy(row.name)))
    yield from (board_cell(column, row, content.linked, content.axis) for column in content.columns)
    yield Markup("</tr>")


def board_cell(column: Column, row: BoardRow, linked: bool, axis: Axis) -> Markup:
    """The cell of a row; `linked`: numbers of runs lead to them; `axis`: of rates."""
    if column.kind == "strip":
        return _repositories(row)
    shown = column.cell(row)
    if column.kind == "agent":
        name = agent_markup(shown.text)
        values = (row.agent.get_absolute_url(), *name.values, shown.small)
        return Markup(_AGENT % (name.pattern, PERSON_CHIP if row.agent.is_person else ""), values)
    if column.kind == "place":
        place = row.standing.place
        undecided = "<small>undecided</small>" if place and place.last > place.first else ""
        return Markup(f'<td class="rank num" title="{{}}">{{}}{undecided}</td>', (shown.title, shown.text))
    if column.kind == "rate":
        return _rate_cell(shown, axis, "k" if column.with_retries else "")
    return _number_cell(shown, linked, f"{column.heading or column.title} {column.under}".strip())


def _number_cell(shown: CellText, linked: bool, heading: str) -> Markup:
    """`heading` stands before it where the row is a card."""
    values = ["num muted" if shown.muted else "num", heading]
    title = below = ""
    if shown.title:
        title = ' title="{}"'
        values.append(shown.title)
    values.append(shown.text)
    if shown.small and shown.runs and linked:
        below = '<small><a href="{}?{}">{}</a></small>'
        values += [reverse("runs"), shown.runs, shown.small]
    elif shown.small:
        below = "<small>{}</small>"
        values.append(shown.small)
    return Markup(f'<td class="{{}}" data-heading="{{}}"{title}>{{}}{below}</td>', tuple(values))


def _rate_cell(shown: CellText, axis: Axis, tone: str) -> Markup:
    if shown.interval is None or shown.value is None:
        return Markup('<td><span class="faint">{}</span><small>{}</small></td>', (shown.text, shown.small))
    line = rate_line(shown.value, shown.interval, shown.text, shown.small, tone, axis=axis)
    warning, values = "", line.values
    if shown.warning:
        warning, values = _WARNING, (*values, shown.warning)
    if not shown.title:
        return Markup(f"<td>{line.pattern}{warning}</td>", values)
    return Markup(f'<td title="{{}}">{line.pattern}{warning}</td>', (shown.title, *values))


def _repositories(row: BoardRow) -> Markup:
    values = []
    for one in row.standing.repositories:
        shown = DASH if one.value is None else whole_percent(one.value)
        values += [heat(one.value), address_of("repository", one.repository), one.repository]
        values += [one.repository, shown, shown]
    tiles = _TILE * len(row.standing.repositories)
    return Markup(f'<td><ul class="strip">{tiles}</ul></td>', tuple(values))


# The best agents beside the plot, with their intervals on an axis of their own.

_TOP_ROW = (
    '<tr><td class="rank">{}</td><th scope="row"><a class="plain" href="{}" title="{}">{}</a></th>'
    '<td class="zoom">'
    '<svg aria-hidden="true">%s<line class="whisker" x1="{}" x2="{}" y1="12" y2="12"/>'
    '<circle class="dot" cx="{}" cy="12" r="4.5"/></svg></td>'
    '<td class="num"><b>{}</b><small><span class="sr">95 %% interval </span>{}</small></td>%s</tr>'
)
_TOP_GRID = '<line class="grid" x1="{}" x2="{}" y1="0" y2="24"/>'
_TOP_TICK = '<text x="{}" y="12" text-anchor="{}">{}</text>'
_TOP_AXIS = (
    '<tfoot aria-hidden="true"><tr><td></td><td></td><td class="zoom"><svg>%s</svg></td>'
    "<td></td>%s</tr></tfoot>"
)


@register.simple_tag
def top_rows(board: Board) -> SafeString:
    """The best rows of a board, and the axis of their intervals, which does not begin at 0."""
    rates = [row.standing.pass_1 for row in board.top]
    axis = near_share_axis("", [end for rate in rates for end in (rate.interval.low, rate.interval.high)])
    places = [_zoomed(axis, tick.value) for tick in axis.ticks]
    grid = _TOP_GRID * len(places)
    lines = [place for place in places for _ in range(2)]
    currency = board.front.currency if board.front else None
    names = board.chart_names.labels
    parts = [Markup("<tbody>")]
    for row in board.top:
        rate = row.standing.pass_1
        name, whole = names[row.agent.slug], tidy(row.name)
        values = [str(row.standing.place), row.agent.get_absolute_url(), whole, name]
        dot = (_zoomed(axis, rate.interval.low), _zoomed(axis, rate.interval.high), _zoomed(axis, rate.value))
        values += [*lines, *dot, percent(rate.value), row.interval]
        amount = '<td class="num">{}</td>' if currency else ""
        if currency:
            found = currency.amount(row).value
            values.append("unknown" if found is None else currency.write(found))
        parts.append(Markup(_TOP_ROW % (grid, amount), tuple(values)))
    anchors = ("start", "end")
    ends_of_axis = [
        (places[0], anchors[0], axis.ticks[0].label),
        (places[-1], anchors[1], axis.ticks[-1].label),
    ]
    ticks = [value for tick in ends_of_axis for value in tick]
    pattern = _TOP_AXIS % (_TOP_TICK * 2, "<td></td>" if currency else "")
    return joined([*parts, Markup("</tbody>"), Markup(pattern, tuple(ticks))])


def _zoomed(axis: Axis, share: float) -> str:
    return f"{5 + 90 * axis.at(share):.1f}%"


_FRONT_ROW = (
    '<tr><th scope="row">%s</th><td class="num" data-name="Solved per attempt">{}</td>'
    '<td class="num" data-name="{} per attempt">{}</td>%s</tr>'
)


@register.simple_tag
def front_rows(plot: FrontPlot) -> SafeString:
    """The rows of the numbers of the plot."""
    amount = plot.currency.label.capitalize()
    return joined(_front_row(one, amount) for one in plot.placed)


def _front_row(one: Placed, amount: str) -> Markup:
    """`amount`: what an attempt takes, as the heading of its column."""
    name = agent_markup(tidy(one.agent.name))
    values = (*name.values, one.rate, amount, one.amount)
    if one.beaten_by:
        more = f" and {one.others} more" if one.others else ""
        beaten = '<td data-name="Solves less for more than">{}</td>'
        return Markup(
            _FRONT_ROW % (name.pattern, beaten), (*values, f"{tidy(plain_name(one.beaten_by.name))}{more}")
        )
    chip = '<span class="chip good">on the front</span>' if one.on_front else "solves nothing"
    return Markup(_FRONT_ROW % (name.pattern, f"<td>{chip}</td>"), values)
