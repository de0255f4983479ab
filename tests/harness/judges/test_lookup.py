"""How quotes are compared and found."""

from __future__ import annotations

import time

import pytest

from harness.judges.lookup import Found, Fragment, QuoteIndex, plain, visible

NFC, NFD = "caf\u00e9", "cafe\u0301"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a  b\tc\r\nd", "a b c d"),
        ("a\u00a0b\u2009c\u3000d\u2028e\x0bf\x85g", "a b c d e f g"),
        ("  a ", "a"),
        (NFD, NFC),
        ("a\u200bb\ufeffc\u00add\u200ee", "abcde"),
        ("e\u200b\u0301", "\u00e9"),
        ("a \u200b b", "a b"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\u202eabc\U000e0041", "\\u202eabc\\U000e0041"),
        ("\ufb01", "\ufb01"),
    ],
)
def test_texts_are_compared_without_what_copying_changes(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_hidden_characters_are_shown_as_escapes_and_white_space_stays() -> None:
    assert visible("a\x00\x1b\x7f\u2066b\n\t\r\u00a0c") == "a\\x00\\x1b\\x7f\\u2066b\n\t\r\u00a0c"


def fragments(*texts: str) -> QuoteIndex:
    return QuoteIndex(
        [Fragment(step, "message", 100 * step, text) for step, text in enumerate(texts, start=1)]
    )


def test_a_quote_is_found_in_its_step_first_and_else_in_the_nearest() -> None:
    index = fragments("same words", "other", "same words", "more", "more", "same words")
    assert index.find("same words", 3) == Found(3, "message", 300, 310)
    assert index.find("same words", 2) == Found(1, "message", 100, 110)
    assert index.find("same words", 5) == Found(6, "message", 600, 610)
    assert index.find("same words", 4) == Found(3, "message", 300, 310)
    assert index.find("same words", 99) == Found(6, "message", 600, 610)
    assert index.find("no words", 3) is None


def test_no_quote_joins_two_fragments() -> None:
    index = fragments("one two", "three four")
    assert index.find("two three", 1) is None
    assert QuoteIndex([]).find("two three", 1) is None


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("run the tests now", "the tests"),
        ("run\r\n\r\n  the   tests now", "the tests"),
        (f"in the {NFD} at noon", f"the {NFC} at"),
        (f"in the {NFD}", f"{NFC}"),
        (f"{NFD}{NFD} end", f"{NFC} end"),
        ("in\u200b the\u200b tests\u200b now", "the tests"),
        ("\u200b \u200b the tests", "the tests"),
        ("see \x1b[1mbold\x1b[0m text", "\\x1b[1mbold\\x1b[0m"),
        ("ab\u0301\u0323 xy", "b\u0323\u0301 xy"),
        ("\u1112\u1161\u11ab\u1112\u1161\u11ab end", "\ud55c end"),
        ("\U0001f44d\U0001f3fd fine, thanks", "\U0001f44d\U0001f3fd fine,"),
    ],
)
def test_the_place_is_that_of_the_original_text(text: str, quote: str) -> None:
    found = fragments(text).find(plain(quote), 1)
    assert found is not None
    taken = text[found.start - 100 : found.end - 100]
    assert plain(taken) == plain(quote)


def test_a_part_of_an_escape_is_the_whole_character() -> None:
    assert fragments("see \x1b[1mbold").find("e \\x1", 1) == Found(1, "message", 102, 105)
    assert fragments("see \x1b[1mbold").find("1b[1m", 1) == Found(1, "message", 104, 108)


def test_time_is_linear_in_the_text() -> None:
    text = "a " * 1_000_000 + "the end of it"
    index = fragments(text)
    began = time.process_time()
    assert index.find("the end of it", 1) == Found(1, "message", 2_000_100, 2_000_113)
    assert index.find("a " * 150 + "b", 1) is None
    assert time.process_time() - began < 5
