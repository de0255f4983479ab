"""Spans are joined, and split at line ends."""

from __future__ import annotations

from runs.views.source_display.spans import Piece, lines, pieces


def test_spans_are_joined_and_cut_at_line_ends() -> None:
    spans = [("", "a"), ("", "b"), ("k", "c\nd"), ("", "\n")]

    assert pieces(spans) == (Piece("ab", "k", "c\nd"), Piece("\n"))
    assert lines(spans) == [[("", "a"), ("", "b"), ("k", "c")], [("k", "d")], []]
