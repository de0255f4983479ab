"""Terminal output: the text stays, colours become classes, other sequences have no effect."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from runs.presentation.formatting.text import clean
from runs.views.source_display.spans import Piece, text_of
from runs.views.source_display.terminal import MAX_SPANS, coloured

TERMINAL = some.lists(
    some.sampled_from(
        [
            "\x1b[",
            "\x1b",
            "\x9b",
            "31",
            "38;5;",
            "48;2;",
            "m",
            "0m",
            ";",
            ":",
            "H",
            "\x1b]0;",
            "\x07",
            "\x1b\\",
            "\x1bP",
        ]
    )
    | some.sampled_from(
        ["\r", "\n", "\r\n", "words", "\u202e", "\x00", "99999", "\x1b[1;31m", "\x1b[0m", "<b>"]
    ),
    max_size=40,
).map("".join)


def marks(text: str) -> list[tuple[str, str]]:
    return [(piece.classes, piece.marked) for piece in coloured(text) if piece.classes]


@given(TERMINAL)
def test_the_text_is_the_cleaned_text(text: str) -> None:
    assert text_of(coloured(text)) == clean(text)


@pytest.mark.parametrize(
    ("written", "classes"),
    [
        ("\x1b[31mred", "ansi-1"),
        ("\x9b32mgreen", "ansi-2"),
        ("\x1b[1;4;33mloud", "ansi-bold ansi-underlined ansi-3"),
        ("\x1b[91mbright red", "ansi-1"),
        ("\x1b[2mdim", "ansi-dim"),
        ("\x1b[1;2mboth", "ansi-bold"),
        ("\x1b[3;9mitalic and struck", "ansi-italic ansi-struck"),
        ("\x1b[41mon red", "ansi-on-1"),
        ("\x1b[31;42mred on green keeps the page's ink", "ansi-on-2"),
        ("\x1b[7;31minverse", "ansi-inverse"),
        ("\x1b[38;5;196mof 256", "ansi-1"),
        ("\x1b[38;5;12mof the first sixteen", "ansi-4"),
        ("\x1b[38;5;244mgrey", "ansi-7"),
        ("\x1b[38;2;10;200;30mof all", "ansi-2"),
        ("\x1b[48;2;0;0;0mon black", "ansi-on-0"),
        ("\x1b[38:5:196mwith colons", "ansi-1"),
    ],
)
def test_colours_and_weights_become_classes(written: str, classes: str) -> None:
    assert [found for found, _ in marks(written)] == [classes]


@pytest.mark.parametrize(
    "written",
    [
        "\x1b[31m\x1b[0mplain again",
        "\x1b[31m\x1b[mplain again",
        "\x1b[31m\x1b[39mplain again",
        "\x1b[1m\x1b[22mplain again",
        "\x1b[8mconcealed",
        "\x1b[2J\x1b[Hcleared",
        "\x1b[" + "1;" * 40 + "mmore numbers than a terminal takes",
        "\x1b[1000mno such number",
        "\x1b[38;5mno number behind",
        "\x1b[38;9;1mno such palette",
        "\x1b]8;;javascript:alert(1)\x1b\\link",
    ],
)
def test_sequences_without_colours_add_no_classes(written: str) -> None:
    assert [found for found in marks(written) if found[0] != "ansi-bold"] == []


def test_colours_end_at_a_reset() -> None:
    assert coloured("\x1b[32m5 passed\x1b[0m in 0.1 s") == (
        Piece("", "ansi-2", "5 passed"),
        Piece(" in 0.1 s"),
    )


def test_a_colour_change_does_not_split_a_line_end() -> None:
    assert text_of(coloured("a\r\x1b[31m\nb")) == "a\nb"


def test_text_after_too_many_changes_is_plain() -> None:
    found = coloured("".join(f"\x1b[3{n % 7 + 1}mx" for n in range(MAX_SPANS * 2)))

    assert sum(bool(piece.classes) for piece in found) == MAX_SPANS
    assert len(text_of(found)) == MAX_SPANS * 2
