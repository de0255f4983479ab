"""What a model reads when the text that it wants to replace is not there."""

from __future__ import annotations

import pytest

from harness.tools.inside.nearest import advice

PLAIN = "Read the file and copy the text exactly"


@pytest.mark.parametrize("old", ["", "   ", "\n\n", "elsewhere entirely"])
def test_a_text_that_resembles_nothing_gets_plain_advice(old: str) -> None:
    assert advice("a = 1\nb = 2\n", old) == PLAIN


def test_escaped_line_ends_are_recognised() -> None:
    assert advice("a\nb\n", "a\\nb") == (
        "`old` has a backslash and an n where the file has line ends: send real ones"
    )


def test_other_white_space_is_found_across_lines() -> None:
    assert advice("first\nif (a\n    and b):\n", "if (a and b):") == (
        "With other white space it is at line 2: copy it exactly\n     2\tif (a\n     3\t    and b):"
    )


def test_of_equal_places_the_first_is_shown() -> None:
    text = "start()\nother\nstart()\n"
    assert advice(text, "start()\nnot there") == (
        f"{PLAIN}; what comes closest begins at line 1\n     1\tstart()\n     2\tother"
    )


def test_the_place_with_the_most_matching_lines_wins() -> None:
    text = "alpha\nx\nalpha\nbeta\ny\n"
    assert advice(text, "alpha\nbeta\ngamma") == (
        f"{PLAIN}; what comes closest begins at line 3\n     3\talpha\n     4\tbeta\n     5\ty"
    )


def test_at_most_fifteen_lines_are_shown() -> None:
    text = "".join(f"line {number}\n" for number in range(1, 101))
    wanted = "".join(f"line {number}\n" for number in range(11, 61)).replace("line 20", "other")
    first, *shown = advice(text, wanted).split("\n")
    assert first == f"{PLAIN}; what comes closest begins at line 11"
    assert shown == [f"{number:>6}\tline {number}" for number in range(11, 26)]


def test_bytes_that_are_not_utf_8_can_be_shown() -> None:
    assert advice("caf\udce9 = 1\n", "caf\udce9  =  1") == (
        "With other white space it is at line 1: copy it exactly\n     1\tcaf\N{REPLACEMENT CHARACTER} = 1"
    )
