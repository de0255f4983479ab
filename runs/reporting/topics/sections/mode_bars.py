"""Stacked bars of failure modes by agent, a chart for each source of modes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runs.analysis.failures.groups import GroupFailures
from runs.analysis.failures.modes import SOURCES, Taxonomy
from runs.analysis.failures.report import ModeReport
from runs.presentation.charts.axis import share_axis
from runs.presentation.charts.bars import SHADES, Bar, Bars
from runs.presentation.formatting.numbers import counted, percent
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import Picture

OTHERS = "other signs"


def by_source(shown: Sequence[ModeReport]) -> Iterator[tuple[Taxonomy, list[ModeReport]]]:
    """The modes of each source that has some, in the order of the sources."""
    for source in SOURCES:
        theirs = [one for one in shown if one.mode.taxonomy == source]
        if theirs:
            yield source, theirs


def mode_bars(
    data: TopicData, groups: Sequence[GroupFailures], shown: Sequence[ModeReport]
) -> tuple[Picture, ...]:
    """For each source, what the signs in the failed runs of each agent are: shares of all of these signs.

    The most common modes have parts of their own, the rest are one part.
    """
    return tuple(
        Picture(
            f"by-agent-{source}-chart",
            f"Signs in the failed runs of each agent, as shares of all signs of one source: {SOURCES[source]}.",
            chart,
        )
        for source, theirs in by_source(shown)
        if (chart := _chart(data, groups, theirs, source))
    )


def _chart(
    data: TopicData, groups: Sequence[GroupFailures], modes: Sequence[ModeReport], source: Taxonomy
) -> Bars | None:
    room = len(SHADES)
    named = modes if len(modes) <= room else modes[: room - 1]
    rest = modes[len(named) :]
    rows = []
    for group in groups:
        counts = [group.shows.get(one.mode.slug, 0) for one in named]
        if rest:
            counts.append(sum(group.shows.get(one.mode.slug, 0) for one in rest))
        if total := sum(counts):
            rows.append(_bar(data.name(group.name), counts, total, group.failed))
    parts = (*(one.mode.title for one in named), *((OTHERS,) if rest else ()))
    return (
        Bars(tuple(rows), share_axis(f"share of signs, source: {SOURCES[source]}"), parts) if rows else None
    )


def _bar(name: str, counts: Sequence[int], total: int, failed: int) -> Bar:
    shares = tuple(count / total for count in counts)
    return Bar(
        name, shares, tuple(percent(share, 0) for share in shares), f"{counted(total, 'sign')}, n {failed:,}"
    )
