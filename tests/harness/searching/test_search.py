"""Searches with limits."""

from __future__ import annotations

import time

import pytest

from harness.searching.search import MAX_MATCHES, MAX_TEXT, Matches, SearchStopped, count_matches


def test_matches_are_counted_with_the_place_of_the_first() -> None:
    texts = [("a", "x"), ("b", "one\ntwo two")]
    assert count_matches("tw.", texts) == Matches(2, ("b", 2, "two"))


def test_a_text_of_any_characters_can_be_searched() -> None:
    assert count_matches("é", [("a\udcff", "\udcff\0é")]) == Matches(1, ("a\udcff", 1, "é"))


def test_not_more_than_a_limit_is_counted() -> None:
    assert count_matches("a", [("a", "a" * (MAX_MATCHES + 5))]).count == MAX_MATCHES


@pytest.mark.parametrize(
    ("pattern", "text"),
    [("(a+)+$", "a" * 60 + "b"), ("(.*)(.*)(.*)(.*)x", "y" * 20_000), ("(x+x+)+y", "x" * 60)],
)
def test_a_pattern_that_backtracks_is_stopped(pattern: str, text: str) -> None:
    before = time.monotonic()
    with pytest.raises(SearchStopped, match=r"^the search took more than 1 s$"):
        count_matches(pattern, [("a", text)], seconds=1.0)
    assert time.monotonic() - before < 5


def test_a_pattern_that_needs_too_much_memory_is_stopped() -> None:
    with pytest.raises(SearchStopped, match=r"^the search (needed more than 2048 MB|took more than)"):
        count_matches("(?:(a)|(b)|(c))*d", [("a", "abc" * 10_000_000)], seconds=20.0)


def test_too_long_texts_are_refused() -> None:
    with pytest.raises(
        SearchStopped, match=r"^there are 33,554,433 characters to search; at most 33,554,432"
    ):
        count_matches("a", [("a", "b" * (MAX_TEXT + 1))])


def test_an_interrupt_ends_a_search() -> None:
    class Stop(Exception):
        pass

    def interrupt() -> None:
        raise Stop

    with pytest.raises(Stop):
        count_matches("(a+)+$", [("a", "a" * 60 + "b")], interrupt=interrupt)
