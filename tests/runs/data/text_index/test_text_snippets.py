"""Snippets of a match."""

from __future__ import annotations

import pytest

from runs.data.text_index.text_query import TextQuery
from runs.data.text_index.text_snippets import snippet_of


def marked(q: str, **texts: str) -> str:
    """The snippet, with its kind in front and brackets around matches."""
    snippet = snippet_of(texts, TextQuery.parse(q))
    if snippet is None:
        return ""
    pieces = "".join(
        f"{piece.plain}[{piece.marked}]" if piece.classes else piece.plain for piece in snippet.pieces
    )
    return f"{snippet.kind}: {pieces}"


@pytest.mark.parametrize(
    ("q", "text", "shown"),
    [
        ("error", "An Error, no errors", "output: An [Error], no errors"),
        ("err*", "An Error, no errors", "output: An [Error], no [errors]"),
        ("foo_bar.baz", "in foo_bar . baz()", "output: in [foo_bar . baz]()"),
        ("a b", "b c a", "output: [b] c [a]"),
        ("x -y", "a x y", "output: a [x] y"),
        ("x", "begin\n\n  x\tend", "output: begin [x] end"),
        ("x", "x\x1b[31m\u202e", "output: [x]⟨U+202E⟩"),
        ("x", "=" * 40 + " x", "output: === [x]"),
        ("x", "no match", ""),
        ("x kind:message", "x", ""),
    ],
)
def test_the_first_match_is_shown_on_one_line_with_all_matches_marked(q: str, text: str, shown: str) -> None:
    assert marked(q, output=text) == shown


def test_long_texts_are_cut_around_the_match() -> None:
    shown = marked("x", output="a" * 500 + " x " + "b" * 500)
    assert shown == f"output: …{'a' * 89} [x] {'b' * 89}…"
    assert marked("x", output="x", message="of x") == "message: of [x]"
