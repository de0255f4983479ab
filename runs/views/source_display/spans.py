"""Text in pieces that templates show with CSS classes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

Span = tuple[str, str]
"""CSS classes, never taken from untrusted text, and the text that has them."""


class Piece(NamedTuple):
    """Plain text, followed by `marked` text with its `classes`. Both may be '' in the last piece."""

    plain: str
    classes: str = ""
    marked: str = ""


Pieces = tuple[Piece, ...]


def pieces(spans: Iterable[Span]) -> Pieces:
    """The spans in order, with neighbours of the same classes joined."""
    groups = groupby(spans, itemgetter(0))
    return tuple(_pieces((classes, "".join(text for _, text in group)) for classes, group in groups))


def plain(text: str) -> Pieces:
    """A text without classes."""
    return (Piece(text),) if text else ()


def text_of(found: Pieces) -> str:
    """The text of the pieces."""
    return "".join(piece.plain + piece.marked for piece in found)


def lines(spans: Iterable[Span]) -> list[list[Span]]:
    """The spans split into lines, without line ends; at least one line."""
    found: list[list[Span]] = [[]]
    for classes, text in spans:
        first, *others = text.split("\n")
        if first:
            found[-1].append((classes, first))
        for other in others:
            found.append([(classes, other)] if other else [])
    return found


def _pieces(spans: Iterable[Span]) -> Iterator[Piece]:
    waiting = ""
    for classes, text in spans:
        if classes:
            yield Piece(waiting, classes, text)
            waiting = ""
        else:
            waiting = text
    if waiting:
        yield Piece(waiting)
