"""Markup with hundreds of values in it, all escaped in one go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe

_BETWEEN = "\0"  # in no HTML document
_IN_ITS_PLACE = "\ufffd"


class Markup(NamedTuple):
    """A pattern that has nobody's words in it, and the values for its places, not yet escaped."""

    pattern: str
    values: tuple[str, ...] = ()


def filled(pattern: str, values: Sequence[str]) -> SafeString:
    """`pattern` with each `{}` replaced by the next value, escaped as text or as a quoted attribute.

    What `format_html` does, at a fraction of its time: that calls five functions for each value. The pattern is ours
    and has nobody's words in it. A NUL becomes U+FFFD, as in every HTML parser. IndexError with too few values.
    """
    together = _BETWEEN.join([value.replace(_BETWEEN, _IN_ITS_PLACE) for value in values])
    escaped = escape(together).split(_BETWEEN) if values else ()
    return mark_safe(pattern.format(*escaped))  # noqa: S308 - every value is escaped


def joined(parts: Iterable[Markup]) -> SafeString:
    """Several pieces of markup one after the other, all their values escaped in one go."""
    pieces = list(parts)
    return filled("".join(piece.pattern for piece in pieces), [v for piece in pieces for v in piece.values])
