"""A little Markdown as data, so that templates can show it with nothing but escaping."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["heading", "paragraph", "list", "code"]

_BULLET = re.compile(r"\s{0,3}(?:[-*+]|\d{1,3}[.)])\s+(.*)")
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*")
_CODE = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a line: plain, or code."""

    text: str
    code: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph, a list with its items, or code as it stands."""

    kind: Kind
    items: tuple[tuple[Span, ...], ...] = ()
    text: str = ""


def blocks(source: str) -> tuple[Block, ...]:
    """Headings, paragraphs, flat lists, fenced code and `code`. All else, HTML and links too, stays text."""
    return tuple(_blocks(source.splitlines()))


def _blocks(lines: list[str]) -> Iterator[Block]:
    rest = list(reversed(lines))
    while rest:
        line = rest.pop()
        if not line.strip():
            continue
        if line.lstrip().startswith("```"):
            yield Block("code", text="\n".join(_fenced(rest)))
        elif heading := _HEADING.fullmatch(line):
            yield Block("heading", (spans(heading[1]),))
        elif _BULLET.fullmatch(line):
            rest.append(line)
            yield Block("list", tuple(spans(item) for item in _items(rest)))
        else:
            rest.append(line)
            yield Block("paragraph", (spans(" ".join(_paragraph(rest))),))


def spans(line: str) -> tuple[Span, ...]:
    """A line cut at its code."""
    parts = _CODE.split(line)
    return tuple(Span(part, bool(place % 2)) for place, part in enumerate(parts) if part)


def _fenced(rest: list[str]) -> Iterator[str]:
    while rest:
        line = rest.pop()
        if line.lstrip().startswith("```"):
            return
        yield line


def _items(rest: list[str]) -> list[str]:
    """Items until a blank line or something that starts anew; an indented line continues its item."""
    items: list[str] = []
    while rest and rest[-1].strip():
        bullet = _BULLET.fullmatch(rest[-1])
        if not bullet and not rest[-1].startswith(" "):
            break
        line = rest.pop()
        if bullet:
            items.append(bullet[1])
        else:
            items[-1] += " " + line.strip()
    return items


def _paragraph(rest: list[str]) -> Iterator[str]:
    first = True
    while rest and rest[-1].strip():
        starts_anew = rest[-1].lstrip().startswith("```") or _HEADING.fullmatch(rest[-1])
        if not first and (starts_anew or _BULLET.fullmatch(rest[-1])):
            return
        first = False
        yield rest.pop().strip()
