"""A little Markdown as data, so that templates can show it with nothing but escaping."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["heading", "paragraph", "list", "code"]
Weight = Literal["plain", "code", "strong"]

_BULLET = re.compile(r"\s{0,3}(?:[-*+]|\d{1,3}[.)])\s+(.*)")
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*")
_MARKED = re.compile(r"`(?P<code>[^`\n]+)`|\*\*(?P<strong>[^*\n]+)\*\*")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a line."""

    text: str
    weight: Weight = "plain"


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph, a list with its items, or code as it stands."""

    kind: Kind
    items: tuple[tuple[Span, ...], ...] = ()
    text: str = ""


def blocks(source: str) -> tuple[Block, ...]:
    """Headings, paragraphs, flat lists, tables, fenced code, `code`, **strong**. HTML, links and all else stay text."""
    return tuple(_blocks(source.splitlines()))


def _blocks(lines: list[str]) -> Iterator[Block]:
    rest = list(reversed(lines))
    while rest:
        line = rest.pop()
        if not line.strip():
            continue
        if line.lstrip().startswith("```"):
            yield Block("code", text="\n".join(_fenced(rest)))
        elif line.startswith("|"):
            # A table is readable as it was typed.
            rest.append(line)
            yield Block("code", text="\n".join(_table(rest)))
        elif heading := _HEADING.fullmatch(line):
            yield Block("heading", (spans(heading[1]),))
        elif _BULLET.fullmatch(line):
            rest.append(line)
            yield Block("list", tuple(spans(item) for item in _items(rest)))
        else:
            rest.append(line)
            yield Block("paragraph", (spans(" ".join(_paragraph(rest))),))


def spans(line: str) -> tuple[Span, ...]:
    """A line cut at its `code` and its **strong words**."""
    return tuple(span for span in _spans(line) if span.text)


def _spans(line: str) -> Iterator[Span]:
    end = 0
    for mark in _MARKED.finditer(line):
        yield Span(line[end : mark.start()])
        code = mark["code"]
        yield Span(mark["strong"], "strong") if code is None else Span(code, "code")
        end = mark.end()
    yield Span(line[end:])


def _fenced(rest: list[str]) -> Iterator[str]:
    while rest:
        line = rest.pop()
        if line.lstrip().startswith("```"):
            return
        yield line


def _table(rest: list[str]) -> Iterator[str]:
    while rest and rest[-1].startswith("|"):
        yield rest.pop()


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
        starts_anew = rest[-1].lstrip().startswith(("```", "|")) or _HEADING.fullmatch(rest[-1])
        if not first and (starts_anew or _BULLET.fullmatch(rest[-1])):
            return
        first = False
        yield rest.pop().strip()
