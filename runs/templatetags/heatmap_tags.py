"""The rows of heatmaps, written in Python: a page has up to 5,775 cells.

The page of 231 tasks and 25 agents takes 38 ms to compute; with a template for each row it took 152 ms
(`benchmarks.pages`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from runs.analysis.estimate import Estimate
from runs.models import Agent
from runs.presentation.charts.distinct_names import distinct
from runs.presentation.formatting.html import Markup, filled, joined
from runs.presentation.formatting.numbers import counted, heat, percent, whole_percent
from runs.views.result_pages.heatmap_view import MAX_READABLE, DenseMap, Heatmap, HeatmapCell, HeatmapRow
from tasks.models import Repository

register = template.Library()

_UNKNOWN = '<span class="cell muted" title="{}">–<span class="sr"> {}</span></span>'
_TOTAL = '<span class="cell" title="{}"><b>{}</b><small>n {}</small></span>'
_TOTAL_WITH_INTERVAL = '<span class="cell" title="{}"><b>{}</b><small>{}–{}</small><small>n {}</small></span>'
_VALUE = '<td><a class="{}" href="{}" title="{}">{}</a></td>'
_NO_VALUE = '<td><span class="cell h-none" title="{}">–</span></td>'


@register.simple_tag
def heat_total(figure: Estimate, of: str) -> SafeString:
    """A mean over rows or columns with its interval. `of`: the noun of what it is a mean of."""
    if figure.value is None:
        return filled(_UNKNOWN, (figure.reason, figure.reason))
    hint, value, ends = _in_words(figure, of), percent(figure.value, 0), figure.interval
    if ends is None:
        return filled(_TOTAL, (hint, value, str(figure.n)))
    low, high = whole_percent(ends.low), whole_percent(ends.high)
    return filled(_TOTAL_WITH_INTERVAL, (hint, value, low, high, str(figure.n)))


@register.simple_tag
def heat_figures(
    values: Sequence[Estimate], agents: Sequence[tuple[Agent, Any]], repository: Repository
) -> SafeString:
    """The row of a repository: a pass rate for each agent, which leads to its runs there."""
    runs = reverse("runs")
    return joined(
        Markup(_NO_VALUE, (f"{agent.name}, {repository.title}: {figure.reason}",))
        if figure.value is None
        else Markup(
            _VALUE,
            (
                heat(figure.value),
                f"{runs}?agent={agent.slug}&repository={repository.slug}",
                f"{agent.name}, {repository.title}: {_in_words(figure, 'task')}",
                whole_percent(figure.value),
            ),
        )
        for figure, (agent, _) in zip(values, agents, strict=True)
    )


@register.simple_tag
def heat_rows(heatmap: Heatmap) -> SafeString:
    """The rows of a heatmap: a task, a cell for each agent, and the task's rate.

    A cell leads to its runs; one with a single replay leads there.
    """
    texts = _Texts(heatmap)
    total = cache(heat_total)

    def cells(row: HeatmapRow) -> Iterator[str]:
        title = texts.of(row.task.title)
        for place, (agent, cell) in enumerate(zip(texts.agents, row.cells, strict=True)):
            hint = f"{agent}, {title}: {texts.of(cell.outcome)}"
            label = texts.of(cell.label)
            if not cell.has_runs:
                yield f'<td><span class="cell h-none" title="{hint}">{label}</span></td>'
                continue
            address, replays = texts.address(row, place)
            shade, more = (f"{cell.heat} r", "; replay") if replays else (cell.heat, "")
            yield f'<td><a class="{shade}" href="{address}" title="{hint}{more}">{label}</a></td>'

    def line(row: HeatmapRow) -> str:
        rated = f'<td class="total">{total(row.rate, "agent")}</td>' if heatmap.is_rated else ""
        about = f"{texts.of(row.task.difficulty)} {texts.of(row.task.category)}"
        return (
            f'<tr><th scope="row"><a class="plain" href="{texts.task(row)}">{texts.of(row.task.title)}</a> '
            f"<small>{about}</small></th>"
            f"{''.join(cells(row))}{rated}</tr>"
        )

    return mark_safe("".join(map(line, heatmap.rows)))  # noqa: S308 - every text is escaped


class _Texts:
    """The escaped texts and addresses of a heatmap: each name and each outcome stands in many cells."""

    def __init__(self, heatmap: Heatmap) -> None:
        self.of = cache(escape)
        self.agents = [self.of(agent.name) for agent, _ in heatmap.columns]
        self._keys = [agent.pk for agent, _ in heatmap.columns]
        self._replays = heatmap.replays
        self._run = reverse("run", args=[0]).removesuffix("0/")
        runs = f"{reverse('runs')}?agent="
        self._runs = [f"{runs}{self.of(agent.slug)}&amp;task=" for agent, _ in heatmap.columns]
        self._task = reverse("task", args=["-", "-"]).removesuffix("-/-/")

    def task(self, row: HeatmapRow) -> str:
        """The address of the page of a task."""
        return f"{self._task}{self.slug(row)}/"

    def slug(self, row: HeatmapRow) -> str:
        """The task as addresses name it."""
        return f"{self.of(row.task.repository.slug)}/{self.of(row.task.slug)}"

    def address(self, row: HeatmapRow, place: int) -> tuple[str, bool]:
        """Where the cell of a task and the agent at this place leads, and whether it has a replay."""
        key = (row.task.pk, self._keys[place])
        replays = key in self._replays
        if replays and (run := self._replays[key]):
            return f"{self._run}{run}/", True
        return f"{self._runs[place]}{self.slug(row)}", replays


_NAME_WIDTH = 196.0  # pixels, as in results.css
# Tasks that are drawn as one column: the class of its colour, and what is said of them.
_FOLDS = {
    "solved": ("h5", "solved in every attempt"),
    "unsolved": ("h0", "solved in no attempt"),
    "untried": ("h-none", "not tried"),
}


@register.simple_tag
def dense_tables(dense: DenseMap) -> SafeString:
    """The tables of a dense map: a row for each agent, and a narrow column for each task that separates agents.

    A map in several bands has a table for each. The cells of an agent are one drawing with a shape for each outcome:
    as elements, thousands of cells would block a phone for seconds. `dense.js` makes the cell that is pointed at a
    link. Heads are links for pointers only: the parts of the map have them for the keyboard, too.
    """
    texts = _Texts(dense.heatmap)
    labels = dense.names.labels
    names = distinct([labels[agent.slug] for agent, _ in dense.heatmap.columns], _NAME_WIDTH)
    heads = _dense_heads(dense, texts)
    folds = {kind: _fold(dense, kind) for kind in _FOLDS}
    many = len(heads)
    size = max(1, -(-many // dense.bands))
    classes = filter(None, ("dense", dense.sizes, (dense.focus.agent or dense.focus.task) and "chosen"))
    style = " ".join(map(str, classes))
    tables = []
    for start in range(0, max(1, many), size):
        stop = min(start + size, many)
        left = [folds["solved"]] if not start else []
        right = [folds["unsolved"], folds["untried"]] if stop == many else []
        rows = dense.separating[start:stop]
        tasks = [row.task.pk for row in rows]
        band = _Band(
            f"Tasks {start + 1} to {stop}",
            heads[start:stop],
            rows,
            tasks,
            tasks.index(dense.focus.task.pk) if dense.focus.task and dense.focus.task.pk in tasks else None,
            *(list(filter(any, side)) for side in (left, right)),
        )
        said = counted(len(names), "agent")
        if many:
            said += f" down, tasks {start + 1} to {stop} of {many} across"
        tables.append(
            f'<table class="{style}" data-runs="{reverse("runs")}">'
            f'<caption class="sr">{said}</caption>{_band_markup(dense, band, names, texts)}</table>'
        )
    return mark_safe("".join(tables))  # noqa: S308 - every text is escaped


class _Band(NamedTuple):
    """Some of the tasks of a dense map, and their name. `chosen`: the place of the one that a reader chose, if any.

    `left`, `right`: folded columns, each a head and a cell.
    """

    name: str
    heads: list[str]
    rows: tuple[HeatmapRow, ...]
    tasks: list[int]
    chosen: int | None
    left: list[tuple[str, str]]
    right: list[tuple[str, str]]


def _band_markup(dense: DenseMap, band: _Band, names: Sequence[str], texts: _Texts) -> str:
    squares = [_Square.at(place) for place in range(len(band.rows))]

    def line(place: int) -> str:
        agent, rate = dense.heatmap.columns[place]
        kind = ' class="calibrates"' if agent.is_calibration else ""
        here = agent == dense.focus.agent
        marked = ' class="here"' if here else ""
        row = f'<tr{marked} data-agent="{texts.of(agent.slug)}">'
        address = texts.of(dense.query.focus("" if here else agent.slug, dense.query.task))
        first, last = ("" if place else "".join(cell for _, cell in side) for side in (band.left, band.right))
        return (
            f'{row}<th scope="row"{kind}><a class="plain" tabindex="-1" rel="nofollow" href="{address}" '
            f'data-in-place="agent {place}" title="{texts.agents[place]}"><bdi>{texts.of(names[place])}</bdi></a></th>'
            f'<td class="total">{_short(rate)}</td>{first}'
            f"{_drawing(dense, band, place, squares, texts) if squares else ''}{last}</tr>"
        )

    heads = f'<td><nav aria-label="{band.name}">{"".join(band.heads)}</nav></td>' if band.heads else ""
    left, right = ("".join(head for head, _ in side) for side in (band.left, band.right))
    columns = (
        '<col class="names"><col class="total">'
        f"{'<col class=fold>' * len(band.left)}{'<col>' if heads else ''}{'<col class=fold>' * len(band.right)}"
    )
    return (
        f'<colgroup>{columns}</colgroup><thead><tr><th scope="col">Agent</th><th scope="col" class="total">Mean</th>'
        f"{left}{heads}{right}</tr></thead><tbody>{''.join(map(line, range(len(names))))}</tbody>"
    )


def _dense_heads(dense: DenseMap, texts: _Texts) -> list[str]:
    """The heads of the tasks: coloured by the rate of all agents; each emphasises its task and opens its part."""
    part = dense.shown
    first = len(dense.solved)
    kept = replace(dense.query, task="").query()
    query = texts.of(f"?{kept}&task=" if kept else "?task=")
    heads = []
    for place, row in enumerate(dense.separating, first):
        start = place - place % MAX_READABLE + 1
        marked = " in" if part and part.first == start else ""
        marked += " at" if row.task == dense.focus.task else ""
        title = texts.of(row.task.title)
        address = query + texts.of(f"{row.task.repository.slug}/{row.task.slug}&from={start}#focus")
        heads.append(
            f'<a class="{heat(row.rate.value)}{marked}" tabindex="-1" rel="nofollow" href="{address}" '
            f'title="{title}: {texts.of(percent(row.rate.value, 0))} of {row.rate.n} agents">{title}</a>'
        )
    return heads


def _fold(dense: DenseMap, kind: str) -> tuple[str, str]:
    """The head of a folded column, with its number of tasks, and its cell, which opens their first part."""
    rows = getattr(dense, kind)
    if not rows:
        return "", ""
    shade, said = _FOLDS[kind]
    place = dense.heatmap.rows.index(rows[0])
    address = escape(dense.query.part(place - place % MAX_READABLE + 1))
    many = counted(len(rows), "task")
    return (
        f'<th scope="col" class="fold">{len(rows)}</th>',
        f'<td class="fold {shade}" rowspan="{len(dense.heatmap.columns)}"><a tabindex="-1" href="{address}">'
        f"{many} {said}</a></td>",
    )


class _Square(NamedTuple):
    """The paths of a cell: filled, crossed out because it has no rate, and the line of one with a replay."""

    filled: str
    crossed: str
    line: str

    @classmethod
    def at(cls, place: int) -> _Square:
        """Those of the cell in this place, each one unit wide and high."""
        square = f"M{place} 0h1v1h-1z"
        return cls(square, f"{square}l1 1", f"M{place} 1h1")


def _drawing(dense: DenseMap, band: _Band, place: int, squares: Sequence[_Square], texts: _Texts) -> str:
    """The cells of the agent at this place: a shape for each outcome, and one for the marks of those with a replay.

    `data-replays`: the cells with a replay, each with its run; without one if there are several.
    """
    agent = dense.heatmap.columns[place][0].pk
    alike: defaultdict[tuple[HeatmapCell, bool], list[int]] = defaultdict(list)
    for number, row in enumerate(band.rows):
        alike[row.cells[place], number == band.chosen].append(number)
    shapes: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    tried = solved = 0
    for (cell, is_chosen), numbers in alike.items():  # hundreds of cells have one of a few outcomes
        tried += cell.is_tried * len(numbers)
        solved += cell.is_solved * len(numbers)
        said = f' data-label="{texts.of(cell.label)}"' if cell.has_runs else ""
        drawn = shapes[cell.heat + (" at" if is_chosen else ""), said]
        if cell.heat == "h-none":
            drawn += [squares[number].crossed for number in numbers]
        else:
            drawn += [squares[number].filled for number in numbers]
    replays: dict[str, int | str] = {}
    for number, task in enumerate(band.tasks if dense.heatmap.replays else ()):
        if (task, agent) in dense.heatmap.replays:
            replays[str(number)] = dense.heatmap.replays[task, agent] or ""
            at = " at" if number == band.chosen else ""
            shapes[f"{band.rows[number].cells[place].heat} r{at}", ""].append(squares[number].line)
    paths = "".join(
        f'<path class="{shade}"{said} d="' + "".join(drawn) + '"/>' for (shade, said), drawn in shapes.items()
    )
    known = f' data-replays="{texts.of(urlencode(replays))}"' if replays else ""
    return (
        f'<td><svg viewBox="0 0 {len(band.rows)} 1" preserveAspectRatio="none" role="img" '
        f'aria-label="{solved} of {counted(tried, "task")} solved"{known}>{paths}</svg></td>'
    )


def _short(rate: Estimate) -> str:
    """A mean without its interval; in words why there is none."""
    if rate.value is None:
        return f'–<span class="sr"> {escape(rate.reason)}</span>'
    return percent(rate.value, 0)


def _in_words(figure: Estimate, of: str) -> str:
    ends = figure.interval
    interval = f", 95 % interval {percent(ends.low)} to {percent(ends.high)}" if ends else ""
    return f"{percent(figure.value)}{interval}, {counted(figure.n, of)}"
