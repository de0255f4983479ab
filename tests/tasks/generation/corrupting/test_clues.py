"""What makes a corruption inadmissible, and that no operator makes such a one in real code."""

from __future__ import annotations

import io
import tokenize
from pathlib import Path

import pytest

from harness.functions import contents, find, functions_in
from tasks.generation.corrupting.clues import Clue, find_clues, has_code, known_names
from tasks.generation.corrupting.operators import OPERATORS, FunctionBody

PATH = "package/module.py"
SOURCE = '''\
import os

@cached
def area(width, height=2):
    """The area."""
    # In metres.
    if width < height:
        return width * f"{height} m"
    return width

def other():
    return area(1)
'''
ROOT = Path(__file__).parents[4]
# Packages of this project, with code of all kinds.
REAL = ("harness/grading", "harness/users")
MAX_LINES = 110


def clues(old: str, new: str, source: str = SOURCE) -> tuple[Clue, ...]:
    assert old in source
    function = find(PATH, source, "area")
    return find_clues(PATH, source, source.replace(old, new, 1), function, known_names([source]))


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("width < height", "width <= height", ()),
        ("width * f", "area(other(), os) * f", ()),
        ("width < height", "width < ", (Clue.SYNTAX,)),
        ("return width\n", "break\n", (Clue.SYNTAX,)),
        ("return width\n", "return \0\n", (Clue.SYNTAX,)),
        ("width < height", "(width < height)", (Clue.UNCHANGED,)),
        ("    # In metres.\n", "", (Clue.UNCHANGED,)),
        ("return area(1)", "return area(2)", (Clue.UNCHANGED, Clue.ELSEWHERE)),
        ("def area", "def areas", (Clue.ELSEWHERE,)),
        ("height=2", "height=3", (Clue.SIGNATURE,)),
        ("@cached\n", "", (Clue.SIGNATURE,)),
        ('"""The area."""', '"""The area"""', (Clue.UNCHANGED, Clue.SIGNATURE, Clue.TEXT)),
        ("return width\n", "return height  # In metres.\n", (Clue.COMMENT,)),
        ("return width\n", "return 'm'\n", (Clue.TEXT,)),
        ("return width\n", "return b'm'\n", (Clue.TEXT,)),
        ('{height} m"', '{height} cm"', (Clue.TEXT,)),
        ("{height} m", "{height:x} m", (Clue.TEXT,)),
        ("return width\n", "return depth\n", (Clue.NAME,)),
        ("return width\n", "return width.depth\n", (Clue.NAME,)),
        ("return width\n", "import sys.x as os\n", (Clue.NAME,)),
    ],
)  # fmt: skip
def test_each_clue_is_found(old: str, new: str, found: tuple[Clue, ...]) -> None:
    assert clues(old, new) == found


@pytest.mark.parametrize(
    "body", ["pass", "...", "raise NotImplementedError", "raise NotImplementedError()", "pass; 1"]
)
def test_a_body_that_does_nothing_is_none(body: str) -> None:
    source = SOURCE + "\nassert NotImplementedError\n"
    old = source[source.index("    if width") : source.index("def other")]
    assert clues(old, f"    {body}\n\n", source) == (Clue.EMPTY,)
    source = f"def area():\n    '''The area.'''\n    {body}\n"
    assert not has_code(source, find(PATH, source, "area"))


def test_deep_nesting_is_no_valid_python() -> None:
    assert clues("return width\n", f"return {'(' * 5000}width{')' * 5000}\n") == (Clue.SYNTAX,)


def test_no_operator_gives_a_clue_in_real_code() -> None:
    """Of each function of these files, one site of each operator. Checked here without the code of `find_clues`."""
    files = [path for package in REAL for path in sorted((ROOT / package).glob("*.py"))]
    files = [path for path in files if path.read_text(encoding="utf-8").count("\n") < MAX_LINES]
    names = known_names(path.read_text(encoding="utf-8") for path in files)
    checked = 0
    for name in files:
        text = name.read_text(encoding="utf-8")
        for function in functions_in(PATH, text):
            if function.kind == "class":
                continue
            body = FunctionBody(text, function)
            for operator in OPERATORS.values():
                sites = list(operator(body))
                if not sites:
                    continue
                after = sites[len(sites) // 2].applied(text)
                if find_clues(PATH, text, after, function, names):
                    continue
                assert_unobtrusive(text, after, function.start, function.end)
                before, changed = contents(PATH, text), contents(PATH, after)
                assert {key for key in before if before[key] != changed[key]} == {function.key}
                checked += 1
    assert checked >= 200


def assert_unobtrusive(before: str, after: str, start: int, end: int) -> None:
    """One place within these lines was changed; comments and the texts of the file are those of before."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    assert old[: start - 1] == new[: start - 1]
    assert old[end:] == new[len(new) - (len(old) - end) :]
    kinds = [tokenize.COMMENT, tokenize.STRING]
    old_tokens, new_tokens = (
        [
            token.string
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type in kinds
        ]
        for text in (before, after)
    )
    assert set(new_tokens) <= set(old_tokens)
    comments = [[one for one in side if one.startswith("#")] for side in (old_tokens, new_tokens)]
    assert comments[0] == comments[1]
