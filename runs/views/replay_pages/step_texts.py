"""Texts of a step for a page: cut, cleaned, and with syntax or terminal colours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from runs.presentation.formatting.text import MAX_BLOCK_LENGTH, Text, cut
from runs.views.source_display.spans import Pieces, Span, lines, pieces, plain
from runs.views.source_display.syntax import Painter
from runs.views.source_display.terminal import coloured

# Arguments that are always shown as code blocks.
CODE = ("command", "content", "diagram", "new", "old", "pattern")

# Line numbers in the output of tools that show files.
_NUMBERED = re.compile(r"( *\d{1,7}(?:\t|\N{RIGHTWARDS ARROW}))")


@dataclass(frozen=True, slots=True)
class StepText:
    """A text of a step. `key` names it in the URL of its full text. `pieces`: the part that is shown."""

    key: str
    name: str
    text: Text
    pieces: Pieces = field(repr=False)

    @property
    def is_block(self) -> bool:
        """Whether it is shown below its name: code, and text of several lines."""
        return self.text.multiline or self.name.rpartition(".")[2] in CODE


def prose(key: str, name: str, written: str) -> StepText:
    """Plain text."""
    text = cut(written)
    return StepText(key, name, text, plain(text.shown))


def source(key: str, name: str, written: str, language: str, painter: Painter) -> StepText:
    """Source code in a known language; '' for none."""
    text = cut(written)
    return StepText(key, name, text, painter.code(text.shown, language))


def output(key: str, name: str, written: str, language: str, painter: Painter) -> StepText:
    """The result of a tool: in terminal colours if it has any, else as a file in `language`, numbered or not."""
    text = cut(written)
    shown = written[:MAX_BLOCK_LENGTH]
    if "\x1b[" in shown or "\x9b" in shown:
        return StepText(key, name, text, coloured(shown))
    return StepText(key, name, text, _listing(text.shown, language, painter))


def _listing(text: str, language: str, painter: Painter) -> Pieces:
    """Source code. If lines are numbered, those without a number are not source."""
    if not language or not _NUMBERED.search(text):
        return painter.code(text, language)
    return pieces(_numbered(text, language, painter))


def _numbered(text: str, language: str, painter: Painter) -> Iterator[Span]:
    gathered: list[tuple[str, str]] = []
    for number, line in enumerate(text.split("\n")):
        if number and not gathered:
            yield "", "\n"
        found = _NUMBERED.match(line)
        if found:
            gathered.append((found[1], line[found.end() :]))
            continue
        if gathered:
            yield from _stretch(gathered, language, painter)
            yield "", "\n"
            gathered = []
        yield "", line
    if gathered:
        yield from _stretch(gathered, language, painter)


def _stretch(gathered: list[tuple[str, str]], language: str, painter: Painter) -> Iterator[Span]:
    """Consecutive numbered lines, highlighted as one text."""
    spans = lines(painter.spans("\n".join(code for _, code in gathered), language))
    for place, ((number, _), line) in enumerate(zip(gathered, spans, strict=True)):
        yield "", "\n" if place else ""
        yield "t-line", number
        yield from line
