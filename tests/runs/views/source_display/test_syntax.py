"""Syntax highlighting: classes, limits, and unchanged text."""

from __future__ import annotations

import time
from typing import Any

import pytest
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name

from runs.views.source_display import syntax
from runs.views.source_display.spans import Piece, text_of
from runs.views.source_display.syntax import MAX_CHARACTERS, SECONDS, Painter, language_of

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
def test_the_file_name_decides_the_language(path: str, language: str) -> None:
    assert language_of(path) == language


def test_keywords_names_strings_numbers_and_comments_have_classes() -> None:
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
def test_every_character_of_hostile_source_is_shown(language: str, text: str) -> None:
    assert text_of(Painter().code(text, language)) == text


def test_text_beyond_the_limit_stays_plain() -> None:
    painter = Painter(most=40)
    first = painter.code("x = 1\n" * 10, "python")

    assert text_of(first) == "x = 1\n" * 10
    assert first[-1].plain.count("x = 1") == 4
    assert painter.code("y = 2\n", "python") == (Piece("y = 2\n"),)
    assert Painter(most=MAX_CHARACTERS).code("x" * 1_001, "python") == (Piece("x" * 1_001),)


def test_highlighting_is_limited_in_time() -> None:
    text = "x = 1\n" * 100

    assert text_of(Painter(seconds=-1).code(text, "python")) == text


def test_the_first_text_of_a_process_is_highlighted_like_later_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(name: str, **options: Any) -> Lexer:
        """As some lexers are, when they are made."""
        end = time.thread_time() + 2 * SECONDS
        while time.thread_time() < end:
            pass
        return get_lexer_by_name(name, **options)

    monkeypatch.setattr(syntax, "get_lexer_by_name", slow)
    syntax._lexer.cache_clear()
    text = "def tide():\n    return 12\n"

    assert Painter().code(text, "python") == Painter().code(text, "python")
