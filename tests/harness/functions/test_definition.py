"""Lines as Python's parser counts them."""

from __future__ import annotations

from harness.functions.definition import Function, UnreadableSource, lines_of


def test_only_line_feeds_and_carriage_returns_end_a_line() -> None:
    assert lines_of("a\r\nb\rc\nd\x0ce\u2028f") == ["a\r\n", "b\r", "c\n", "d\x0ce\u2028f"]
    assert lines_of("") == []
    assert lines_of("\n\n") == ["\n", "\n"]


def test_a_function_is_identified_by_name_and_occurrence() -> None:
    assert Function("Cart.add", 1, "function", 1, 2, 1, 2).key == ("Cart.add", 1)


def test_an_unreadable_source_names_the_file_and_the_line() -> None:
    assert str(UnreadableSource("a.py", 3, "is broken")) == "a.py, line 3: is broken"
    assert str(UnreadableSource("a.py", 0, "is broken")) == "a.py: is broken"
