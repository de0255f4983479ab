"""Cleaning of hostile text: terminal escapes, control characters and long texts."""

from __future__ import annotations

import pytest

from runs.presentation.formatting.text import clean, cut, one_line

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;javascript:alert(1)\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("10 %\r20 %\r\ndone", "10 %\n20 %\ndone"),
        ("nul\x00bell\x07", "nul\N{REPLACEMENT CHARACTER}bell\N{REPLACEMENT CHARACTER}"),
        ("user\u202egnp.exe", "user⟨U+202E⟩gnp.exe"),
        ("a\u2066b\u2069\u200b", "a⟨U+2066⟩b⟨U+2069⟩⟨U+200B⟩"),
        ("\ud800", "\N{REPLACEMENT CHARACTER}"),
        ("tab\tand\nline, déjà vu, 日本語", "tab\tand\nline, déjà vu, 日本語"),
        ("unfinished \x1b[", "unfinished "),
    ],
)
def test_terminal_escapes_and_bidirectional_controls_are_made_harmless(given: str, shown: str) -> None:
    assert clean(given) == shown


def test_cut_texts_report_their_length() -> None:
    text = cut("x" * 30_000)

    assert (len(text.shown), text.length, text.is_cut) == (20_000, 30_000, True)
    assert one_line("a\n\n b" * 100, 10) == "a ba ba ba…"[:9] + "…"
