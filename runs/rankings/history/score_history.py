"""pass@1 of an agent over time, from frozen boards, older versions of sources, and the board as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from runs.analysis.outcomes.standings import Standing
from runs.data.cache.results import cached
from runs.data.cells.boards import BoardEntry
from runs.models import Agent
from runs.presentation.charts.axis import Axis, Tick, share_axis
from runs.presentation.charts.line_chart import Lines, Series
from runs.presentation.formatting.numbers import counted, percent
from runs.rankings.history import site_changes
from runs.rankings.history.board_states import (
    BoardState,
    PastRow,
    address_of,
    by_board,
    frozen_states,
    import_times,
    past_row,
    source_states,
    time_of,
)

MIN_POINTS = 2  # a single point is no history
DAY = 86_400.0  # seconds
TICKS = 3


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """The row of an agent at one time. `label` says where it comes from, `address` is its page."""

    when: datetime
    label: str
    address: str
    row: PastRow


def score_history(agent: Agent, entry: BoardEntry, standing: Standing) -> tuple[HistoryPoint, ...]:
    """The different rows of an agent on a board, up to the one that it has; () if its row never changed.

    Six queries, two of them if no board was frozen and no source imported since somebody read this history.
    """
    past, imported = cached("past states", entry.dataset, lambda: _past_of(entry), site_changes.past_version)
    points: list[HistoryPoint] = []
    for state in past:
        row = state.rows.get(agent.slug)
        if row is not None and not (points and points[-1].row == row):
            points.append(HistoryPoint(state.when, state.label, state.address, row))
    now, when = past_row(agent, standing), time_of(entry, imported)
    if when is not None and not (points and points[-1].row == now):
        # The day of a board has no hours, so a board that was frozen on that day may seem newer.
        latest = max(when, points[-1].when) if points else when
        points.append(HistoryPoint(latest, "now", address_of(entry.dataset), now))
    return tuple(points) if len(points) >= MIN_POINTS else ()


def _past_of(entry: BoardEntry) -> tuple[list[BoardState], dict[str, datetime]]:
    """The earlier states of a board, the oldest first, and when its source was imported."""
    states = by_board([*frozen_states(), *source_states([entry])])
    return states.get(entry.dataset, []), import_times()


def history_chart(points: Sequence[HistoryPoint]) -> Lines:
    """The rate over the days, with its interval as a band."""
    days = [point.when.timestamp() / DAY for point in points]
    said = tuple(
        f"{point.when:%Y-%m-%d}: {percent(point.row.rate)}, {counted(point.row.tasks, 'task')}, {point.label}"
        for point in points
    )
    rates = tuple(zip(days, (point.row.rate for point in points), strict=True))
    band = tuple((point.row.low, point.row.high) for point in points)
    return Lines(
        (Series("solved per attempt", rates, said, band),),
        _day_axis(days),
        share_axis("solved per attempt, 95 % interval"),
    )


def _day_axis(days: Sequence[float]) -> Axis:
    """An axis over these days, with the time of day in the ticks where they span less than two."""
    low, high = min(days), max(days)
    if high - low < 1 / 24:
        low, high = low - 0.5, high + 0.5
    form = "%-d %b, %H:%M" if high - low < 2 else "%-d %b %Y"
    places = [low + (high - low) * part / (TICKS - 1) for part in range(TICKS)]
    ticks = tuple(Tick(place, datetime.fromtimestamp(place * DAY, UTC).strftime(form)) for place in places)
    return Axis("", low, high, ticks)
