"""The place of a match in the text of a step, read from the record again, with the matches marked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from runs.data.text_index.run_texts import Texts
from runs.data.text_index.text_query import TextQuery
from runs.presentation.formatting.text import clean

AROUND = 90  # characters on each side of the first match
_SPACES = re.compile(r"\s+")
_RULES = re.compile(r"([^\w\s])\1{4,}")  # lines of signs, as below headings


class SnippetPiece(NamedTuple):
    """A part of a snippet: text without a match, a class, and the match after it, which may be missing at the end."""

    plain: str
    classes: str
    marked: str


@dataclass(frozen=True, slots=True)
class Snippet:
    """The first match in a step, on one line. `kind`: of the text in which it is."""

    kind: str
    pieces: tuple[SnippetPiece, ...]

    @property
    def text(self) -> str:
        """Without marks."""
        return "".join(f"{piece.plain}{piece.marked}" for piece in self.pieces)


def snippet_of(texts: Texts, query: TextQuery) -> Snippet | None:
    """The first match of the query in the kinds that it searches; None if the text has changed and has none."""
    pattern = query.pattern()
    for kind in query.kinds:
        text = texts.get(kind, "")
        match = pattern.search(text)
        if match:
            return Snippet(kind, tuple(_pieces(_window(text, match.start(), match.end()), pattern)))
    return None


def _window(text: str, begin: int, end: int) -> str:
    """The text around a match, on one line. Of a long match the beginning."""
    end = min(end, begin + 2 * AROUND)
    first, last = max(0, begin - AROUND), min(len(text), end + AROUND)
    shown = _RULES.sub(r"\1\1\1", _SPACES.sub(" ", clean(text[first:last])).strip())
    return f"{'…' if first else ''}{shown}{'…' if last < len(text) else ''}"


def _pieces(text: str, pattern: re.Pattern[str]) -> Iterator[SnippetPiece]:
    at = 0
    for match in pattern.finditer(text):
        yield SnippetPiece(text[at : match.start()], "match", match[0])
        at = match.end()
    yield SnippetPiece(text[at:], "", "")
