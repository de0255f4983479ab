"""Texts of a step: source code and numbered tool output."""

from __future__ import annotations

from runs.views.replay_pages.step_texts import output, source
from runs.views.source_display.spans import text_of
from runs.views.source_display.syntax import Painter


def test_numbered_lines_are_read_as_one_source() -> None:
    text = "tide.py\n     1\t'''Two\n     2\tlines'''\n[lines 1-2 of 9]"
    found = output("r", "result", text, "python", Painter())

    assert text_of(found.pieces) == text
    marked = [(piece.classes, piece.marked) for piece in found.pieces if piece.classes]
    assert marked == [
        ("t-line", "     1\t"),
        ("t-str", "'''Two"),
        ("t-line", "     2\t"),
        ("t-str", "lines'''"),
    ]
    assert found.pieces[-1].plain == "\n[lines 1-2 of 9]"


def test_source_is_cut_and_cleaned_before_highlighting() -> None:
    part = source("a", "content", "x = '\x1b[31m'\u202e" + "#" * 30_000, "python", Painter())

    assert part.text.is_cut
    assert text_of(part.pieces) == part.text.shown
    assert "\x1b" not in part.text.shown
    assert "⟨U+202E⟩" in part.text.shown
