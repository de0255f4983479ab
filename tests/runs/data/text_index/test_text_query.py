"""The language of the search."""

from __future__ import annotations

import random
import sqlite3

import pytest

from runs.data.text_index.index_file import text_index
from runs.data.text_index.text_query import BadQuery, TextQuery


@pytest.mark.parametrize(
    ("typed", "match"),
    [
        ("ECONNREFUSED", '"ECONNREFUSED"'),
        ("connect refused", '"connect" AND "refused"'),
        ('"connect refused" x', '"connect refused" AND "x"'),
        ('"not closed', '"not closed"'),
        ("foo_bar.baz", '"foo_bar baz"'),
        ("src/app.py:10", '"src app py 10"'),
        ("conn*", '"conn" *'),
        ("timeout -retry", '("timeout") NOT ("retry")'),
        ("--no-cache", '"no cache"'),
        ('a" OR b*) NEAR(', '"a" AND "OR b NEAR"'),
        ("kind:command npm", '{command} : ("npm")'),
        ("-kind:output -kind:message npm", '{command test path patch} : ("npm")'),
        ("outcome:resolved board:starter", ""),
        ("std::string http://x", '"std string" AND "http x"'),
        ("--- ...", ""),
        ("", ""),
    ],
)
def test_every_term_is_quoted(typed: str, match: str) -> None:
    assert TextQuery.parse(typed).match() == match


def test_filters_are_read_beside_the_words() -> None:
    query = TextQuery.parse('"connect refused" outcome:Unresolved -agent:"Ada Works" board:starter')
    assert [(part.name, part.text, part.excludes) for part in query.filters] == [
        ("outcome", "unresolved", False),
        ("agent", "Ada Works", True),
        ("board", "starter", False),
    ]
    assert str(query) == '"connect refused" outcome:unresolved -agent:"Ada Works" board:starter'
    assert (
        str(query.only("board", "swe")) == '"connect refused" outcome:unresolved -agent:"Ada Works" board:swe'
    )
    assert TextQuery.parse(str(query)) == query
    assert (query.names, TextQuery.parse("tide one").names) == ("", "tide one")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("x outcome:solved", "There is no outcome “solved”. Write outcome:resolved"),
        ("x kind:thought", "or kind:patch."),
        ("-only -without", "A search needs a word that has to be there"),
        ("ab*", "at least 3 letters"),
        (" ".join("abcdefghijklm"), "at most 12 words"),
    ],
)
def test_a_query_that_cannot_be_answered_says_why(typed: str, message: str) -> None:
    with pytest.raises(BadQuery) as caught:
        TextQuery.parse(typed)
    assert message in str(caught.value)


def test_no_text_that_is_typed_is_an_error_of_the_index() -> None:
    chance = random.Random(7)
    pieces = [*"\"*-:(){}^+,'\\%_. aé中\u0301🦀", "NEAR", "AND", "NOT", "OR", "kind:", "path", "-kind:test"]
    with text_index() as index:
        asked = 0
        for _ in range(600):
            try:
                match = TextQuery.parse("".join(chance.choices(pieces, k=12))).match()
            except BadQuery:
                continue
            if match:
                asked += 1
                try:
                    index.count(match, [1], 1)
                except sqlite3.Error as error:
                    raise AssertionError(match) from error
    assert asked > 100
