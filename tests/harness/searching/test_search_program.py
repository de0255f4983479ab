"""The program that counts matches."""

from __future__ import annotations

from typing import Any

import pytest

from harness.searching.search_program import answer, without_comments


def ask(pattern: str, *texts: tuple[str, str], most: int = 100, **options: bool) -> dict[str, Any]:
    return answer(
        {"pattern": pattern, "texts": texts, "most": most, "whole": False, "uncommented": False, **options}
    )


def test_matches_of_all_texts_are_counted_up_to_a_limit() -> None:
    assert ask("a", ("one", "b\naa"), ("two", "a")) == {"count": 3, "first": ["one", 2, "a"]}
    assert ask("a", ("one", "aaaa"), most=2)["count"] == 2
    assert ask("z", ("one", "a")) == {"count": 0, "first": None}


def test_a_whole_text_has_to_match_on_request() -> None:
    assert ask("a+", ("one", "aab"), ("two", "aa"), whole=True) == {"count": 1, "first": ["two", 1, "aa"]}


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        (
            "a.py",
            '#!/usr/bin/python TODO\nx = "TODO"  # TODO\n',
            '#!/usr/bin/python TODO\nx = "TODO"        \n',
        ),
        (
            "a.c",
            "#include <TODO>\n/* TODO\n*/ int x; // TODO\n",
            "#include <TODO>\n       \n   int x;        \n",
        ),
        ("A.java", "/** TODO */ class A {} // TODO\n", "            class A {}        \n"),
        ("a.ts", "const a = `// TODO`; // TODO\n", "const a = `// TODO`;        \n"),
        ("a.sql", "SELECT 1; -- TODO\n", "SELECT 1;        \n"),
        ("Makefile", "a: # TODO\n", "a:       \n"),
        ("a.unknown", "# TODO\n", "# TODO\n"),
    ],
)
def test_comments_are_blanked_in_every_language_and_nothing_else(name: str, text: str, code: str) -> None:
    assert without_comments(f"src/{name}", text) == code


def test_lines_keep_their_numbers_without_comments() -> None:
    found = ask("TODO", ("a.c", "/* TODO\n\n*/\nint TODO;\n"), uncommented=True)
    assert found == {"count": 1, "first": ["a.c", 4, "TODO"]}
