"""Positions in a test file."""

from __future__ import annotations

import pytest
import tree_sitter_python
from tree_sitter import Language, Node, Parser

from harness.grading.traps.source import Bindings, field, lines_around, text_of, walk, with_comments


def parsed(text: str) -> Node:
    return Parser(Language(tree_sitter_python.language())).parse(text.encode()).root_node


@pytest.mark.parametrize(
    ("text", "code", "lines"),
    [
        ("a\n  bb\nc\n", "bb", "  bb"),
        ("a\n\tbb;  # c\nd\n", "bb", "\tbb;  # c"),
        ("a\r\nbb\r\nc", "bb", "bb"),
        ("bb", "bb", "bb"),
        ("a bb\n", "bb", None),
        ("bb a\n", "bb", None),
    ],
)
def test_whole_lines_stand_around_code_that_has_them_alone(text: str, code: str, lines: str | None) -> None:
    start = text.index(code)
    found = lines_around(text.encode(), start, start + len(code), rb"#.*")
    assert (None if found is None else text[slice(*found)]) == lines


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("# a\n# b\nx\n", "# a"),
        ("# a\n\n# b\nx\n", "# b"),
        ("# a\n\nx\n", "x"),
        ("y  # a\nx\n", "x"),
        ("# a\r\nx\r\n", "# a"),
    ],
)
def test_comments_directly_above_belong_to_the_code(text: str, first: str) -> None:
    *before, _ = parsed(text).named_children
    assert with_comments(text.encode(), text.index("x"), before) == text.index(first)


def test_a_copy_stays_between_the_definitions_around_it() -> None:
    before, test, behind = parsed("a = 1\nb = a\na = 2\n").named_children
    bindings = Bindings([(before, ["a"]), (test, ["b"]), (behind, ["a"])])
    assert bindings.range(test, ["a", "c"]) == (before.end_byte, behind.start_byte)
    earliest, latest = bindings.range(test, ["c"])
    assert earliest == 0
    assert latest > behind.end_byte


def test_walking_visits_every_named_node_in_order() -> None:
    assert [node.type for node in walk(parsed("a = f(1)"))] == [
        "module", "expression_statement", "assignment", "identifier", "call", "identifier", "argument_list", "integer",
    ]  # fmt: skip


def test_walking_may_leave_out_what_is_below_a_node() -> None:
    root = parsed("f(1)")
    call = root.named_children[0].named_children[0]
    assert [node.type for node in walk(root, {call.id})] == ["module", "expression_statement", "call"]


def test_a_missing_child_is_the_node_itself_and_has_its_text() -> None:
    root = parsed("größe")
    assert field(root, "left") == root
    assert text_of(root) == "größe"
    assert text_of(None) == ""
