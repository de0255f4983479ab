"""Parses a small subset of Markdown into data, so that templates need no unescaped HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

BlockKind = Literal["heading", "paragraph", "list", "code", "table"]
Weight = Literal["plain", "code", "strong", "em"]

_BULLET = re.compile(r"\s{0,3}(?:[-*+]|\d{1,3}[.)])\s+(.*)")
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*")
_MARKED = re.compile(
    # Two backticks, for code with single ones; a space on each side belongs to the marks.
    r"(?<!`)``(?!`) ?(?P<quoted>(?:[^`\n]|`(?!`))+?) ?``(?!`)|"
    r"`(?P<code>[^`\n]+)`|\*\*(?P<strong>[^*\n]+)\*\*|(?<![*\w])\*(?P<em>[^*\s](?:[^*\n]*[^*\s])?)\*(?![*\w])"
)
_INDENT = "    "
_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")


@dataclass(frozen=True, slots=True)
class ProseSpan:
    """A part of a line with its weight."""

    text: str
    weight: Weight = "plain"


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph, a list with its items, code (`text`), or a table with its rows, the head first."""

    kind: BlockKind
    items: tuple[tuple[ProseSpan, ...], ...] = ()
    text: str = ""
    rows: tuple[tuple[tuple[ProseSpan, ...], ...], ...] = ()


def blocks(source: str) -> tuple[Block, ...]:
    """Headings, paragraphs, flat lists, tables, fenced and indented code, `code`, **strong** and *emphasized* words.

    HTML, links and everything else stay text.
    """
    return tuple(_blocks(source.splitlines()))


def _blocks(lines: list[str]) -> Iterator[Block]:
    rest = list(reversed(lines))
    while rest:
        line = rest.pop()
        if not line.strip():
            continue
        if line.lstrip().startswith("```"):
            yield Block("code", text="\n".join(_fenced(rest)))
        elif line.startswith(_INDENT):
            rest.append(line)
            yield Block("code", text="\n".join(_indented(rest)))
        elif line.startswith("|"):
            rest.append(line)
            yield _table(list(_barred(rest)))
        elif heading := _HEADING.fullmatch(line):
            yield Block("heading", (spans(heading[1]),))
        elif _BULLET.fullmatch(line):
            rest.append(line)
            yield Block("list", tuple(spans(item) for item in _items(rest)))
        else:
            rest.append(line)
            yield Block("paragraph", (spans(" ".join(_paragraph(rest))),))


def spans(line: str) -> tuple[ProseSpan, ...]:
    """A line cut at its `code`, its **strong** and its *stressed* words."""
    return tuple(span for span in _spans(line) if span.text)


def _spans(line: str) -> Iterator[ProseSpan]:
    end = 0
    for mark in _MARKED.finditer(line):
        yield ProseSpan(line[end : mark.start()])
        if mark["quoted"] is not None:
            yield ProseSpan(mark["quoted"], "code")
        for weight in ("code", "strong", "em"):
            if mark[weight] is not None:
                yield ProseSpan(mark[weight], weight)
        end = mark.end()
    yield ProseSpan(line[end:])


def _fenced(rest: list[str]) -> Iterator[str]:
    while rest:
        line = rest.pop()
        if line.lstrip().startswith("```"):
            return
        yield line


def _indented(rest: list[str]) -> list[str]:
    """Code up to the next line with less indent. Blank lines at its end do not belong to it."""
    lines: list[str] = []
    while rest and (rest[-1].startswith(_INDENT) or not rest[-1].strip()):
        lines.append(rest.pop().removeprefix(_INDENT))
    while not lines[-1].strip():
        lines.pop()
    return lines


def _barred(rest: list[str]) -> Iterator[str]:
    while rest and rest[-1].startswith("|"):
        yield rest.pop()


def _table(lines: list[str]) -> Block:
    """A table; without a delimiter row below its first line, it is shown as code."""
    if len(lines) < 2 or not _RULE.fullmatch(lines[1].strip()):
        return Block("code", text="\n".join(lines))
    rows = [[cell.strip().replace("\\|", "|") for cell in _cells(line)] for line in (lines[0], *lines[2:])]
    width = len(rows[0])
    squared = ([*row, *[""] * (width - len(row))][:width] for row in rows)
    return Block("table", rows=tuple(tuple(map(spans, row)) for row in squared))


def _cells(line: str) -> list[str]:
    return _BAR.split(line.strip().removeprefix("|").removesuffix("|"))


def _items(rest: list[str]) -> list[str]:
    """Items up to a blank line or another block; an indented line continues its item."""
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
        is_block = rest[-1].lstrip().startswith(("```", "|")) or _HEADING.fullmatch(rest[-1])
        if not first and (is_block or _BULLET.fullmatch(rest[-1])):
            return
        first = False
        yield rest.pop().strip()
