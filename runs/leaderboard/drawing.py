"""Cells as the template writes them out: hundreds of them on a page, so that nothing is left to be worked out there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from runs.leaderboard.columns import Column
from runs.leaderboard.rows import Row
from runs.templatetags.numbers import DASH, drawn_at, heat, hundred

Tile = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Drawn:
    """One cell. `number`, `rate` and `strip` say what it is drawn as; what is none of them is the place or the agent.

    `low`, `high` and `dot` are places on the line of a rate, `tone` is the class of its dot or of a number. `tiles` of
    a strip are (class, address, repository, percent).
    """

    text: str
    small: str
    title: str
    more: str
    tone: str
    number: bool = False
    rate: bool = False
    strip: bool = False
    place: bool = False
    low: str = ""
    high: str = ""
    dot: str = ""
    tiles: tuple[Tile, ...] = ()


def drawn(column: Column, row: Row, hrefs: Mapping[str, str]) -> Drawn:
    """What a column says of a row. `hrefs` has the address of each repository."""
    if column.kind == "strip":
        return Drawn("", "", "", "", "", strip=True, tiles=_tiles(row, hrefs))
    said = column.said(row)
    words = (said.text, said.small, said.title, said.more)
    if column.kind == "rate":
        if said.interval is None or said.value is None:
            return Drawn(*words, tone="", rate=True)
        low, high, dot = (drawn_at(share) for share in (said.interval.low, said.interval.high, said.value))
        return Drawn(
            *words, tone="k" if column.key == "passk" else "", rate=True, low=low, high=high, dot=dot
        )
    return Drawn(
        *words,
        tone="num muted" if said.muted else "num",
        number=column.kind == "number",
        place=column.kind == "place",
    )


def _tiles(row: Row, hrefs: Mapping[str, str]) -> tuple[Tile, ...]:
    return tuple(
        (
            heat(one.value),
            hrefs[one.repository],
            one.repository,
            DASH if one.value is None else hundred(one.value),
        )
        for one in row.standing.repositories
    )
