"""Results are limited in size, and readable in any case."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from harness.toolbox.inside.result import RESULT_LIMIT, clip, cut, presentable, pretty


def test_a_text_within_the_limit_is_whole() -> None:
    assert clip("abcd", "x", 4) == "abcd"
    assert clip("a" * RESULT_LIMIT, "x") == "a" * RESULT_LIMIT


def test_of_a_longer_text_head_and_tail_remain_with_the_number_of_missing_characters_and_a_remedy() -> None:
    assert clip("abcdefg", "ask for less", 5) == (
        "ab\n[... 3 characters left out here: ask for less ...]\nfg"
    )
    assert "\n[... 1,000,000 characters left out here: x ...]\n" in clip(
        "a" * (1_000_000 + RESULT_LIMIT), "x"
    )


@pytest.mark.parametrize(
    ("text", "limit", "line"),
    [
        ("abcd", 4, "abcd"),
        ("abcde", 4, "abc…"),
        (" a\n\tb  c ", 10, "a b c"),
        ("", 4, ""),
        ("\n" * 10, 4, ""),
    ],
)
def test_the_beginning_of_a_text_is_one_line(text: str, limit: int, line: str) -> None:
    assert cut(text, limit) == line


def test_json_is_indented_with_letters_and_values_of_other_types_unchanged() -> None:
    assert pretty({"é": [1], "path": PurePosixPath("/a")}) == ('{\n  "é": [\n    1\n  ],\n  "path": "/a"\n}')


def test_what_utf8_cannot_carry_is_replaced() -> None:
    assert presentable("a\0b\ud83dé") == "a␀b?é"
