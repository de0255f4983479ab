"""Syntax is marked in classes, within bounds, and never at the price of the text."""

from __future__ import annotations

import pytest

from runs.views.replay_pages.step_texts import output, source
from runs.views.source_display.spans import Piece, lines, pieces, text_of
from runs.views.source_display.syntax import MOST_CHARACTERS, Painter, language_of

HOSTILE = [
    "(" * 900,
    '"""' * 300,
    "<script>alert(1)</script>\n" * 90,
    "\\" * 900,
    "f'{" * 300,
    "/*",
    "#" * 900,
]


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("src/tide.py", "python"),
        ("Dockerfile", "docker"),
        ("a/b/Makefile", "make"),
        ("index.TSX", "typescript"),
        (".py", "python"),
        ("README", ""),
        ("", ""),
        ("notes.unheard", ""),
        ("dir.py/", ""),
    ],
)
def test_the_name_of_a_file_says_its_language(path: str, language: str) -> None:
    assert language_of(path) == language


def test_keywords_names_texts_numbers_and_comments_are_told_apart() -> None:
    found = Painter().code("def tide():\n    return 'low', 12  # metres\n", "python")

    marked = {piece.marked: piece.classes for piece in found if piece.classes}
    assert marked["def"] == "t-key"
    assert marked["tide"] == "t-fun"
    assert marked["'low'"] == "t-str"
    assert marked["12"] == "t-num"
    assert marked["# metres"] == "t-com"


@pytest.mark.parametrize(
    "language", ["python", "c", "javascript", "html", "markdown", "bash", "rust", "yaml"]
)
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_source_keeps_every_character(language: str, text: str) -> None:
    assert text_of(Painter().code(text, language)) == text


def test_what_is_more_than_a_page_may_take_stays_plain() -> None:
    painter = Painter(most=40)
    first = painter.code("x = 1\n" * 10, "python")

    assert text_of(first) == "x = 1\n" * 10
    assert first[-1].plain.count("x = 1") == 4
    assert painter.code("y = 2\n", "python") == (Piece("y = 2\n"),)
    assert Painter(most=MOST_CHARACTERS).code("x" * 1_001, "python") == (Piece("x" * 1_001),)


def test_a_page_waits_only_so_long_for_colours() -> None:
    text = "x = 1\n" * 100

    assert text_of(Painter(seconds=-1).code(text, "python")) == text


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


def test_a_source_is_cut_and_cleaned_before_it_is_marked() -> None:
    part = source("a", "content", "x = '\x1b[31m'\u202e" + "#" * 30_000, "python", Painter())

    assert part.text.is_cut
    assert text_of(part.pieces) == part.text.shown
    assert "\x1b" not in part.text.shown
    assert "⟨U+202E⟩" in part.text.shown


def test_spans_are_joined_and_cut_at_line_ends() -> None:
    spans = [("", "a"), ("", "b"), ("k", "c\nd"), ("", "\n")]

    assert pieces(spans) == (Piece("ab", "k", "c\nd"), Piece("\n"))
    assert lines(spans) == [[("", "a"), ("", "b"), ("k", "c")], [("k", "d")], []]
