"""The usual parts of a section."""

from __future__ import annotations

from runs.analysis.estimate import Estimate, Interval
from runs.presentation.charts.axis import share_axis
from runs.presentation.charts.dots import Dots
from runs.reporting.topics.section_parts import (
    Columns,
    Field,
    alternatives,
    estimate_dot,
    matrix,
    of_agent,
    one_picture,
    table_of,
)
from runs.reporting.topics.topic_result import TableColumn, Term

HEAD = TableColumn("mode", "Mode", "text")


def test_a_matrix_has_a_row_and_a_column_for_each_name() -> None:
    (found,) = matrix(
        "m", "M", [Term("a", "A"), "b"], [("x", "X"), ("y", "Y")], lambda row, column: row + column, head=HEAD
    )
    assert found.rows == ((Term("a", "A"), "ax", "ay"), ("b", "bx", "by"))
    assert [column.title for column in found.columns] == ["Mode", "X", "Y"]
    assert matrix("m", "M", ["a"], [("x", "X")], lambda *_names: None, head=HEAD, shown=False) == ()


def test_a_table_has_a_row_for_each_object() -> None:
    columns: Columns[str] = (
        Field("word", "Word", "text", lambda it: it),
        Field("length", "Length", "count", len, "lengths"),
    )
    (found,) = table_of("words", "Words", columns, ["a", "abc"])
    assert found.columns == (
        TableColumn("word", "Word", "text"),
        TableColumn("length", "Length", "count", "lengths"),
    )
    assert found.rows == (("a", 1), ("abc", 3))


def test_alternatives_have_labels_if_there_are_several_with_rows() -> None:
    columns: Columns[str] = (Field("word", "Word", "text", lambda it: it),)
    first, second, empty = (table_of(name, name, columns, name[:1]) for name in ("a", "b", ""))
    assert [
        (each.name, each.choice) for each in alternatives([("A", first), ("B", second), ("C", empty)])
    ] == [
        ("a", "A"),
        ("b", "B"),
    ]
    assert [each.choice for each in alternatives([("A", first), ("C", empty)])] == [""]


def test_without_a_chart_there_is_no_picture() -> None:
    assert one_picture("p", "P", None) == ()
    (picture,) = one_picture("p", "P", Dots((), share_axis("x")))
    assert (picture.name, picture.title) == ("p", "P")


def test_a_dot_has_the_interval_of_its_estimate() -> None:
    dot = estimate_dot("alice", Estimate(0.5, 6, interval=Interval(0.2, 0.8)), hollow=True)
    assert (dot.value, dot.low, dot.high, dot.hollow) == (0.5, 0.2, 0.8, True)
    assert dot.note.endswith("n 6")
    assert estimate_dot("bob", Estimate.unknown("no run")).note == "no run"


def test_the_table_of_an_agent_has_a_name_that_an_address_can_have() -> None:
    assert (of_agent("t", "GPT_5-2", 1), of_agent("t", "=1+1", 2)) == ("t-GPT_5-2", "t-2")
