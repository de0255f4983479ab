"""Reads the tests of a Java file: of JUnit 3, 4 and 5, and of TestNG."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import tree_sitter_java
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from harness.grading.traps.assertions import columns
from harness.grading.traps.java_assertions import JavaBody, raised, text_spot
from harness.grading.traps.source import (
    FAR,
    Alteration,
    Kind,
    Spot,
    TestCode,
    TestFile,
    field,
    lines_around,
    text_of,
    walk,
    with_comments,
)

LANGUAGE = Language(tree_sitter_java.language())
_LITERALS = Query(
    LANGUAGE,
    "[(decimal_integer_literal) (decimal_floating_point_literal) (hex_integer_literal)] @number (string_literal) @text",
)
_COMMENT = rb"//.*|/\*[^\n]*\*/"
_TESTS = {"Test", "ParameterizedTest", "RepeatedTest"}
_SKIPPED = re.compile(r"^(?:Disabled|Ignore|Enabled)")
_SKIPS = re.compile(rb"\b(?:assume\w*|abort)\(")
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")


def read_java(text: bytes) -> TestFile | None:
    """The file's tests; None if it cannot be parsed."""
    root = Parser(LANGUAGE).parse(text).root_node
    if root.has_error:
        return None
    found = QueryCursor(_LITERALS).captures(root)
    literals = [Spot(node.start_byte, node.end_byte, Kind.NUMBER) for node in found.get("number", ())]
    literals += [text_spot(node) for node in found.get("text", ())]
    literals.sort(key=lambda spot: spot.start)
    return TestFile(text, tuple(_Scope(text, "").classes(root)), tuple(literals))


@dataclass(frozen=True)
class _Scope:
    """The file or a class."""

    text: bytes
    path: str

    def classes(self, block: Node) -> Iterator[TestCode]:
        """The tests of the classes in this block."""
        for found in block.named_children:
            marks = _annotations(found)
            if found.type == "class_declaration" and not any(map(_SKIPPED.match, marks)):
                inner = _Scope(self.text, f"{self.path}{text_of(field(found, 'name'))}.")
                body = field(found, "body")
                is_old = text_of(found.child_by_field_name("superclass")).endswith("TestCase")
                yield from inner.methods(body, is_old)
                yield from inner.classes(body)

    def methods(self, block: Node, is_old: bool) -> Iterator[TestCode]:
        """The tests of this class. `is_old`: whether methods are tests by their names, as in JUnit 3."""
        children = block.named_children
        for place, method in enumerate(children):
            if method.type == "method_declaration":
                marks = _annotations(method)
                by_name = is_old and text_of(field(method, "name")).startswith("test")
                if (_TESTS & marks.keys() or by_name) and (test := self._test(children[:place], method)):
                    yield test

    def _test(self, before: Sequence[Node], method: Node) -> TestCode | None:
        marks, name, body = _annotations(method), field(method, "name"), method.child_by_field_name("body")
        lines = lines_around(self.text, method.start_byte, method.end_byte, _COMMENT)
        if lines is None or body is None:
            return None
        skipped = any(map(_SKIPPED.match, marks)) or _SKIPS.search(self.text, body.start_byte, body.end_byte)
        return TestCode(
            path=self.path + text_of(name),
            name=text_of(name),
            start=with_comments(self.text, lines[0], before),
            end=lines[1],
            name_start=name.start_byte,
            name_end=name.end_byte,
            level=(method.parent or method).start_byte,
            earliest=0,
            latest=FAR,
            alterations=() if skipped else self._alterations(method, body, marks),
        )

    def _alterations(self, method: Node, body: Node, marks: dict[str, Node]) -> tuple[Alteration, ...]:
        names = [
            text_of(parameter.child_by_field_name("name"))
            for parameter in field(method, "parameters").named_children
        ]
        rows = [_cells(self.text, row) for row in _rows(marks.get("CsvSource"))]
        cases = columns(names, [row[: len(names)] for row in rows])
        found = JavaBody(body, cases, self.text).alterations()
        expected = (
            [node for node in walk(marks["Test"]) if node.type == "class_literal"] if "Test" in marks else []
        )
        return found or tuple(one for place in expected for one in raised(place))


def _annotations(declaration: Node) -> dict[str, Node]:
    """The annotations of a class or method by their simple names."""
    modifiers = next((child for child in declaration.named_children if child.type == "modifiers"), None)
    return {
        text_of(field(node, "name")).rpartition(".")[2]: node
        for node in (modifiers.named_children if modifiers else ())
        if node.type in ("annotation", "marker_annotation")
    }


def _rows(annotation: Node | None) -> list[Node]:
    """The texts of a `@CsvSource` of plain rows."""
    if annotation is None or "=" in re.sub(r'"[^"]*"', "", text_of(annotation)):
        return []
    return [node for node in walk(annotation) if node.type == "string_literal"]


def _cells(text: bytes, row: Node) -> list[Spot]:
    """The values of one row, without the space around them. A row with quotes has none."""
    whole = text_spot(row)
    content = text[whole.start : whole.end]
    if b"'" in content or b"\\" in content:
        return []
    found, start = [], whole.start
    for cell in content.split(b","):
        value = cell.strip()
        first = start + len(cell) - len(cell.lstrip())
        kind = Kind.NUMBER if _NUMBER.fullmatch(value) else Kind.TEXT
        found.append(Spot(first, first + len(value), kind))
        start += len(cell) + 1
    return found
