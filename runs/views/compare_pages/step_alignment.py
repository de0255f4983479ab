"""The steps of two runs side by side, from their indexes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from runs.analysis.trajectories.alignment import MAX_STEPS, Alignment, align
from runs.analysis.trajectories.kinds import relative
from runs.data.replay.open_index import outline
from runs.data.replay.outline import OutlineRow
from runs.data.replay.record import version
from runs.data.replay.step_filter import StepCondition


@dataclass(frozen=True, slots=True)
class StepPair:
    """One line of the comparison, with a step of each run. `diverges`: the first line on which they differ."""

    one: OutlineRow | None
    two: OutlineRow | None
    alike: bool
    diverges: bool


def aligned(one: Path, two: Path) -> Alignment:
    """The aligned steps of both runs, cached until their files change."""
    return _aligned(one, version(one), two, version(two))


@lru_cache(maxsize=32)
def _aligned(one: Path, _one: str, two: Path, _two: str) -> Alignment:
    return align(list(_acts(one)), list(_acts(two)))


def _acts(directory: Path) -> Iterator[tuple[str, str]]:
    """The kind and subject of each step; a file by its path in the workspace."""
    with outline(directory) as steps:
        found = steps.acts(MAX_STEPS + 1)
    for source, kind, about in found:
        if not kind:
            yield source, ""
        elif kind in {"read", "edit"}:
            yield kind, relative(about)
        else:
            yield kind, " ".join(about.split())


def window(one: Path, two: Path, steps: Alignment, first: int, most: int) -> tuple[StepPair, ...]:
    """At most `most` lines, after the first `first` lines."""
    lines = steps.lines[first : first + most]
    ours = _steps(one, [line.one for line in lines if line.one is not None])
    theirs = _steps(two, [line.two for line in lines if line.two is not None])
    return tuple(
        StepPair(
            None if line.one is None else ours.get(line.one),
            None if line.two is None else theirs.get(line.two),
            line.alike,
            first + place == steps.parting,
        )
        for place, line in enumerate(lines)
    )


def _steps(directory: Path, places: list[int]) -> dict[int, OutlineRow]:
    """Steps by place; the places are consecutive."""
    if not places:
        return {}
    with outline(directory) as steps:
        return {row.place: row for row in steps.rows(StepCondition(), places[0], len(places))}
