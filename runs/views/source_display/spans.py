"""Text in pieces that templates show with classes: what stands between two marks, and what is marked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

Span = tuple[str, str]
"""Classes, none of them from a text that somebody else wrote, and the text that has them."""


class Piece(NamedTuple):
    """Plain text, and behind it `marked` text with its `classes`; both of the last are '' at a text's end."""

    plain: str
    classes: str = ""
    marked: str = ""


Pieces = tuple[Piece, ...]


def pieces(spans: Iterable[Span]) -> Pieces:
    """The spans in order, neighbours of the same classes joined."""
    return tuple(_pieces(_joined(spans)))


def plain(text: str) -> Pieces:
    """A text without any mark."""
    return (Piece(text),) if text else ()


def text_of(found: Pieces) -> str:
    """What the pieces say."""
    return "".join(piece.plain + piece.marked for piece in found)


def lines(spans: Iterable[Span]) -> list[list[Span]]:
    """The spans cut at line ends, which are left out; always one line at least."""
    found: list[list[Span]] = [[]]
    for classes, text in spans:
        first, *others = text.split("\n")
        if first:
            found[-1].append((classes, first))
        for other in others:
            found.append([(classes, other)] if other else [])
    return found


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    kept: Span | None = None
    for classes, text in spans:
        if kept is not None and classes == kept[0]:
            kept = (classes, kept[1] + text)
        else:
            if kept is not None:
                yield kept
            kept = (classes, text)
    if kept is not None:
        yield kept


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
