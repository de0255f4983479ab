"""The words that the readers of all languages share."""

from __future__ import annotations

from harness.grading.traps.assertions import both_ways, columns, replaced
from harness.grading.traps.source import Kind, Rank, Spot
from tests.harness.grading.traps.readers import alterable


def test_columns_give_each_name_its_values() -> None:
    assert columns(["a", "b"], [[1, 2], [3, 4]]) == {"a": [1, 3], "b": [2, 4]}


def test_rows_of_another_length_give_nothing() -> None:
    assert columns(["a", "b"], [[1, 2], [3]]) == {}
    assert columns(["a"], []) == {}


def test_pairs_are_read_both_ways() -> None:
    assert both_ways([("a", "b")]) == {"a": "b", "b": "a"}


def test_a_replacement_has_one_spot() -> None:
    one = replaced(Rank.SHAPE, 3, 5, "is")
    assert (one.rank, one.spots) == (Rank.SHAPE, (Spot(3, 5, Kind.FIXED, b"is"),))


def test_a_literal_that_two_assertions_expect_is_altered_once_with_its_better_rank() -> None:
    text = "def test_a():\n    two = 'ab'\n    assert 'x' + two in f()\n    assert f() == two\n"
    assert alterable("test_a.py", text) == [("EXPECTED", "ab"), ("FOUND", "x")]


def test_names_that_stand_for_each_other_end() -> None:
    text = "def test_a():\n    a = b\n    b = a\n    a = 5\n    assert f() == b\n"
    assert ("EXPECTED", "5") in alterable("test_a.py", text)
