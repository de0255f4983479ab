"""The outline beside a replay: a window of the steps that a reader chose, ready for its template."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict

from runs.formatting.numbers import count, duration
from runs.formatting.text import one_line
from runs.replay.outline import Outline, OutlineRow
from runs.replay.step_filter import Chosen, StepFilter
from runs.replay.step_search import MOST_MATCHES, MOST_SECONDS, Excerpt, SearchHits, excerpts, search

# Rows come in chunks; a page brings two of them, so that the current step has company on both sides.
CHUNK = 40
WINDOW = 2 * CHUNK
LONGEST_PATH = 24


class RowView(NamedTuple):
    """One line of the outline; a tuple, as templates take one apart faster than they ask for attributes.

    `tokens` and `time` are '' where nothing was measured, `edited` where nothing changed.
    """

    number: str
    kind: str
    tool: str
    about: str
    more: str
    failed: bool
    edited: str
    again: bool
    exit_code: int | None
    tokens: str
    time: str
    excerpt: Excerpt | None


@dataclass(frozen=True, slots=True)
class OutlineView:
    """A window of the chosen steps. `first`: how many of them stand before it; `total`: how many there are.

    `before` and `after` are the numbers of the nearest chosen steps outside of it. `link` is the address of a step
    without its number; `note` says why there may be more matches than are shown.
    """

    rows: tuple[RowView, ...]
    first: int
    total: int
    count: int
    filter: StepFilter
    before: int | None
    after: int | None
    link: str
    note: str


@dataclass(frozen=True, slots=True)
class StepSelection:
    """What the reader chose, and what the search for it gave."""

    chosen: Chosen
    found: SearchHits | None

    @property
    def filter(self) -> StepFilter:
        """As the address has it."""
        return self.chosen.filter


def choice(outline: Outline, filter_: StepFilter) -> StepSelection:
    """Runs the search, when there is one."""
    if not filter_.q:
        return StepSelection(Chosen(filter_), None)
    found = search(outline, filter_.q)
    return StepSelection(Chosen(filter_, found.places), found)


def window_around(
    request: HttpRequest, outline: Outline, choice: StepSelection, place: int | None
) -> OutlineView:
    """The chunks around a place, or around where it would be among the chosen steps."""
    before = 0 if place is None else outline.before(place, choice.chosen)
    return window_from(request, outline, choice, max(0, (before - CHUNK // 2) // CHUNK * CHUNK), WINDOW)


def window_from(
    request: HttpRequest, outline: Outline, choice: StepSelection, first: int, most: int = CHUNK
) -> OutlineView:
    """At most so many chosen steps, from the one that `first` of them stand before."""
    # One more on each side, to have their numbers.
    reach = outline.rows(choice.chosen, max(0, first - 1), most + 2)
    lead = 1 if first else 0
    rows = reach[lead : lead + most]
    found = excerpts(outline, rows, choice.filter.q) if choice.filter.q else {}
    return OutlineView(
        rows=tuple(_row(row, found) for row in rows),
        first=first,
        total=outline.count(None if choice.filter.empty else choice.chosen),
        count=outline.count(),
        filter=choice.filter,
        before=reach[0].number if lead and reach else None,
        after=reach[lead + most].number if len(reach) > lead + most else None,
        link=step_link(request.GET),
        note=_note(choice.found),
    )


def step_link(query: QueryDict) -> str:
    """The address of a step of the same page, without its number: what else the address says stays."""
    kept = [(name, value) for name, value in query.items() if name not in {"step", "first"} and value]
    return f"?{urlencode([*kept, ('step', '')])}"


def _row(row: OutlineRow, found: Mapping[int, Excerpt]) -> RowView:
    return RowView(
        number=str(row.number),
        kind=row.kind,
        tool=one_line(row.tool, 60),
        about=_short(one_line(row.about, 80)),
        more=f" +{row.calls - 1}" if row.calls > 1 else "",
        failed=row.failed,
        edited=f"+{row.added} −{row.removed}" if row.edited else "",
        again=row.again,
        exit_code=row.exit_code,
        tokens="" if row.tokens is None else count(row.tokens),
        time=duration(row.seconds) if row.seconds else "",
        excerpt=_cleaned(found.get(row.place)),
    )


def _short(about: str) -> str:
    """Of a long path the end: that is what tells it from others."""
    is_path = "/" in about and " " not in about and not about.endswith("…")
    return f"…{about[-LONGEST_PATH:]}" if is_path and len(about) > LONGEST_PATH else about


def _cleaned(found: Excerpt | None) -> Excerpt | None:
    if found is None:
        return None
    texts = (_spaced(text) for text in (found.before, found.match, found.after))
    return Excerpt(one_line(found.where, 30), *texts)


def _spaced(text: str) -> str:
    """A short text on one line that keeps the spaces to what stands beside it."""
    line = one_line(text, 400)
    return f"{' ' if text[:1].isspace() else ''}{line}{' ' if line and text[-1:].isspace() else ''}"


def _note(found: SearchHits | None) -> str:
    if found is None or not found.cut:
        return ""
    share = f"{found.until:.0%}".replace("%", "\N{NO-BREAK SPACE}%")
    if found.cut == "number":
        return f"The first {MOST_MATCHES:,} steps that hold it, in {share} of the run. The rest was not searched."
    return f"The search ended after {MOST_SECONDS:.0f} s, in {share} of the run. The rest was not searched."
