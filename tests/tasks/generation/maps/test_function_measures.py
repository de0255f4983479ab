"""Measures of functions, counted by hand."""

from __future__ import annotations

from math import log2

import pytest

from harness.functions import UnreadableSource, functions_in
from tasks.generation.maps.function_measures import MEASURES, measures

LEDGER = '''\
"""Money."""


class Ledger:
    """Keeps accounts.

    In two paragraphs.
    """

    total = 0  # of all accounts

    @staticmethod
    def rate(years, base):
        """The rate after some years."""

        # compounded
        if years < 0:
            raise ValueError

        elif years == 0 and base:
            return base
        text = """first

        last"""
        for year in range(years):
            with open(text) as file:
                if file:
                    base += base * 2
        return base

    def rate(self):  # the second of this name
        return [line for line in self if line]


def outer(a):
    def inner(b):
        if b:
            while b:
                b -= 1
        return b

    return inner(a) + a
'''


def of(text: str, path: str = "ledger.py") -> dict[tuple[str, int], dict[str, float]]:
    functions = functions_in(path, text)
    found = measures(path, text, functions)
    return {
        (function.name, function.occurrence): dict(values)
        for function, values in zip(functions, found, strict=True)
    }


def test_code_lines_leave_out_comments_docstrings_and_blank_lines() -> None:
    found = of(LEDGER)
    assert found["Ledger.rate", 0]["code_lines"] == 13
    assert found["Ledger.rate", 1]["code_lines"] == 2
    assert found["Ledger", 0]["code_lines"] == 17
    assert found["outer", 0]["code_lines"] == 7


def test_cyclomatic_complexity_counts_the_branches_of_each_function_of_a_name() -> None:
    found = of(LEDGER)
    assert found["Ledger.rate", 0]["cyclomatic"] == 6  # if, elif, and, for, if
    assert found["Ledger.rate", 1]["cyclomatic"] == 3  # the comprehension and its condition
    assert found["outer", 0]["cyclomatic"] == 1
    assert found["outer.inner", 0]["cyclomatic"] == 3


def test_halstead_follows_its_formulas() -> None:
    """Five operators, each once: < == and += *. Ten operands, of which six are distinct: years, 0, base, 2, and two
    expressions."""
    found = of(LEDGER)["Ledger.rate", 0]
    assert found["halstead_difficulty"] == pytest.approx(5 / 2 * 10 / 6)
    assert found["halstead_volume"] == pytest.approx((5 + 10) * log2(5 + 6))
    assert of(LEDGER)["Ledger.rate", 1]["halstead_volume"] == 0  # no operator in an expression


def test_nesting_counts_the_blocks_around_the_innermost_statement() -> None:
    found = of(LEDGER)
    assert found["Ledger.rate", 0]["nesting"] == 3
    assert found["Ledger.rate", 1]["nesting"] == 0
    assert found["outer", 0]["nesting"] == 0
    assert found["outer.inner", 0]["nesting"] == 2


def test_an_elif_is_as_deep_as_its_if_and_an_if_in_an_else_is_deeper() -> None:
    chain = (
        "def f(a):\n    if a:\n        pass\n    elif a > 1:\n        pass\n    elif a > 2:\n        pass\n"
    )
    assert of(chain)["f", 0]["nesting"] == 1
    inside = "def f(a):\n    if a:\n        pass\n    else:\n        if a > 1:\n            pass\n"
    assert of(inside)["f", 0]["nesting"] == 2


def test_a_class_has_the_complexity_of_all_its_methods() -> None:
    assert of(LEDGER)["Ledger", 0]["cyclomatic"] == 1 + 6 + 3
    assert set(of(LEDGER)["Ledger", 0]) == set(MEASURES)


@pytest.mark.parametrize("text", ["def f(:\n", "x = '''\n", "\0"])
def test_python_that_cannot_be_parsed_is_named(text: str) -> None:
    with pytest.raises(UnreadableSource, match=r"ledger\.py"):
        measures("ledger.py", text, ())
