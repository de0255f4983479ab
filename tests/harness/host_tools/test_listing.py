"""Lists and texts of functions, as a model reads them."""

from __future__ import annotations

import pytest

from harness.functions import FunctionNotFound, UnreadableSource
from harness.host_tools.listing import listed, shown
from harness.tools.inside.text import RESULT_LIMIT

SOURCE = """\
import os

@decorated
def parse(text):
    def inner():
        return text
    return inner

class Reader:
    class Part:
        def size(self):
            return 1

    def read(self):
        return 2

def parse(text):
    return text
"""


def test_top_level_definitions_and_methods_are_listed_with_their_lines() -> None:
    assert listed("a.py", SOURCE).splitlines() == [
        "6 definitions in a.py, with its lines:",
        "     3-7      parse",
        "     9-15     class Reader",
        "    10-12       class Reader.Part",
        "    11-12         Reader.Part.size",
        "    14-15       Reader.read",
        "    17-18     parse  [occurrence 1]",
    ]


def test_a_file_without_definitions_says_so() -> None:
    assert listed("a.py", "x = 1\n") == "a.py defines no function and no class"


@pytest.mark.parametrize(
    ("path", "text"), [("a.py", "def f(:\n"), ("a.txt", "f()"), ("a.py", "(" * 10_000), ("a.py", "x = 1\0")]
)
def test_what_cannot_be_read_is_refused(path: str, text: str) -> None:
    with pytest.raises(UnreadableSource, match=path):
        listed(path, text)


def test_a_function_is_shown_with_the_numbers_of_its_lines() -> None:
    assert shown("a.py", SOURCE, "Reader.read", 0) == (
        "    14\t    def read(self):\n    15\t        return 2"
    )
    assert shown("a.py", SOURCE, "parse", 1) == "    17\tdef parse(text):\n    18\t    return text"
    assert shown("a.py", SOURCE, "parse", 0).startswith("     3\t@decorated\n     4\tdef parse(text):")
    with pytest.raises(FunctionNotFound, match=r"no function or class 'read'; did you mean Reader\.read\?"):
        shown("a.py", SOURCE, "read", 0)


def test_long_results_are_cut() -> None:
    many = "".join(f"def f{number}():\n    pass\n" for number in range(5000))
    long = "def f():\n" + "    x = 1\n" * 5000
    for text in (listed("a.py", many), shown("a.py", long, "f", 0)):
        assert RESULT_LIMIT < len(text) < RESULT_LIMIT + 200
        assert "characters left out here" in text
