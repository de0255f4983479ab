"""Pie charts, after packages/parser/src/language/pie/pie.langium of Mermaid."""

from __future__ import annotations

import re

from .source import DiagramError, Source

_HEAD = re.compile(r"pie(?![\w-])[ \t]*(?:showData(?!\w))?", re.ASCII)
_TITLE = re.compile(
    r"[ \t]*(?:title(?:[ \t][^\n]*|(?![ \t]))|accTitle[ \t]*:[^\n]*|accDescr[ \t]*:[^\n]*)", re.ASCII
)
_DESCRIPTION = re.compile(r"[ \t]*accDescr[ \t]*\{[^}]*\}", re.ASCII)
_LABEL = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", re.DOTALL)
_NUMBER = re.compile(r"(?:-?[0-9]+\.[0-9]+|-?(?:0|[1-9][0-9]*))(?!\.)", re.ASCII)
_BLANK = re.compile(r"[ \t]*(?:%%[^\n]*)?")


def check(source: Source) -> None:
    """Raises DiagramError for what is no pie chart."""
    head = _HEAD.match(source.text)
    if head is None:
        raise DiagramError(source.line(0), "expected 'pie', then a title or slices")
    position = head.end()
    while position < len(source.text):
        title = _TITLE.match(source.text, position) or _DESCRIPTION.match(source.text, position)
        if title:
            position = _line_end(source, title.end())
            continue
        position = _skip(source, position)
        if source.text[position : position + 1] in ("\n", ""):
            position += 1
            continue
        position = _slice(source, position)


def _slice(source: Source, position: int) -> int:
    label = _LABEL.match(source.text, position)
    if label is None:
        raise _expected(source, position, 'a slice such as "label" : 12, its label in quotes')
    position = _skip(source, label.end())
    if source.text[position] != ":":
        raise _expected(source, position, "':' and a number behind the label")
    position = _skip(source, position + 1)
    number = _NUMBER.match(source.text, position)
    if number is None:
        raise _expected(source, position, "a number such as 12 or 12.5")
    if float(number.group()) < 0:
        raise DiagramError(
            source.line(position), f"{label.group()} is {number.group()}: a slice cannot be negative"
        )
    return _line_end(source, number.end())


def _line_end(source: Source, position: int) -> int:
    position = _skip(source, position)
    if source.text[position] != "\n":
        raise _expected(source, position, "the end of the line")
    return position


def _skip(source: Source, position: int) -> int:
    blank = _BLANK.match(source.text, position)
    assert blank is not None
    return blank.end()


def _expected(source: Source, position: int, what: str) -> DiagramError:
    found = source.text[position:].split("\n", 1)[0].strip()[:60]
    return DiagramError(
        source.line(position), f"expected {what}, found {repr(found) if found else 'the end of the line'}"
    )
