"""Cells as the template writes them out: hundreds of them on a page, so that nothing is left to be worked out there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from runs.leaderboard.columns import Column
from runs.leaderboard.rows import Row
from runs.templatetags.numbers import DASH, drawn_at, heat, hundred

Tile = tuple[str, str, str, str]


class Drawn(TypedDict, total=False):
    """One cell. `number`, `rate`, `strip` and `place` say what it is drawn as; what is none of them is the agent.

    `low`, `high` and `dot` are places on the line of a rate, `tone` is the class of its dot or of a number. `tiles` of
    a strip are (class, address, repository, percent). A dict, because templates look into those first.
    """

    text: str
    small: str
    title: str
    more: str
    tone: str
    number: bool
    rate: bool
    strip: bool
    place: bool
    low: str
    high: str
    dot: str
    tiles: tuple[Tile, ...]


def drawn(column: Column, row: Row, hrefs: Mapping[str, str]) -> Drawn:
    """What a column says of a row. `hrefs` has the address of each repository."""
    if column.kind == "strip":
        return Drawn(number=False, rate=False, strip=True, tiles=_tiles(row, hrefs))
    said = column.said(row)
    cell = Drawn(text=said.text, small=said.small, title=said.title, more=said.more, strip=False)
    if column.kind == "rate":
        cell |= {"number": False, "rate": True, "dot": "", "tone": "k" if column.key == "passk" else ""}
        if said.interval is not None and said.value is not None:
            low, high, dot = (
                drawn_at(share) for share in (said.interval.low, said.interval.high, said.value)
            )
            cell |= {"low": low, "high": high, "dot": dot}
        return cell
    cell |= {"number": column.kind == "number", "rate": False, "place": column.kind == "place"}
    cell["tone"] = "num muted" if said.muted else "num"
    return cell


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
