"""Work on the text of an agent's file ends, whatever is in it."""

from __future__ import annotations

import time

import pytest

from harness.functions import contents
from harness.host_tools import functions_of_files
from harness.host_tools.functions_of_files import (
    FunctionsRefused,
    Likeness,
    compared,
    likeness,
    listed,
    shown,
    source,
    stub,
    with_source,
)

SOURCE = "class A:\n    def f(self):\n        return 'ü'\n"


def test_functions_are_listed_shown_and_replaced() -> None:
    assert listed("a.py", SOURCE).splitlines()[2] == "     2-3        A.f"
    assert shown("a.py", SOURCE, "A.f", 0) == "     2\t    def f(self):\n     3\t        return 'ü'"
    changed = with_source("a.py", SOURCE, "A.f", 0, "def f(self):\n    return 1")
    assert changed == "class A:\n    def f(self):\n        return 1\n"


def test_the_source_and_the_digests_of_functions_are_returned() -> None:
    assert source("a.py", SOURCE, "A.f", 0) == "    def f(self):\n        return 'ü'\n"
    assert compared("a.py", SOURCE) == contents("a.py", SOURCE)


def test_a_refusal_says_why() -> None:
    with pytest.raises(FunctionsRefused, match=r"^a\.py has no function or class 'g'$"):
        shown("a.py", SOURCE, "g", 0)
    with pytest.raises(FunctionsRefused, match="must define the function f, not g"):
        with_source("a.py", SOURCE, "A.f", 0, "def g(self):\n    return 1")
    with pytest.raises(FunctionsRefused, match=r"a\.py"):
        listed("a.py", "x = '\ud800'")


def test_a_text_that_keeps_the_parser_busy_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(functions_of_files, "MAX_SECONDS", 2.0)
    began = time.monotonic()
    with pytest.raises(FunctionsRefused, match=r"^a\.py: its functions were not read within 2 s$"):
        listed("a.py", "x = f'" + "{1}" * 300_000 + "'")  # CPython 3.11 takes minutes
    assert time.monotonic() - began < 5


def test_new_source_is_compared_with_the_old_body() -> None:
    text = "def f(a, b=(1)):\n    '''Adds.'''\n    # a sum\n    return (a + b)\n"
    assert stub("a.py", text, "f", 0) == "def f(a, b=(1)):\n    '''Adds.'''\n"

    same = likeness("a.py", text, "f", 0, "def f(a, b=1): return a+b")
    other = likeness("a.py", text, "f", 0, "def f(a, b=1):\n    return a - b")

    assert same == Likeness(1.0, True, 4)
    assert other == Likeness(0.75, False, 4)
    with pytest.raises(FunctionsRefused, match="must define the function f, not g"):
        likeness("a.py", text, "f", 0, "def g(): pass")


def test_a_comparison_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(functions_of_files, "MAX_SECONDS", 1.0)
    began = time.monotonic()
    with pytest.raises(FunctionsRefused, match="within 1 s"):
        likeness("a.py", SOURCE, "A.f", 0, "def f(self):\n    return " + "[" + "1," * 400_000 + "]")
    assert time.monotonic() - began < 5
