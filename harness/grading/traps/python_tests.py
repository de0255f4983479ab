"""Reads the tests of a Python file: pytest's functions and classes, and unittest's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from tree_sitter import Node, Parser, Query, QueryCursor

from harness.grading.traps.assertions import columns
from harness.grading.traps.python_assertions import LANGUAGE, LIBRARY, PythonBody
from harness.grading.traps.source import (
    Bindings,
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

_LITERALS = Query(LANGUAGE, "[(integer) (float)] @number (string_content) @text")
_SKIPPED = re.compile(r"skip|xfail|expectedFailure", re.IGNORECASE)
_CASES = re.compile(r"parametrize")
_SKIPS = re.compile(rb"\b(?:pytest\.(?:skip|xfail)|self\.skipTest|importorskip)\b")
_COMMENT = rb"#.*"


def read_python(text: bytes) -> TestFile | None:
    """The file's tests; None if it cannot be parsed."""
    root = Parser(LANGUAGE).parse(text).root_node
    if root.has_error:
        return None
    found = QueryCursor(_LITERALS).captures(root)
    literals = [Spot(node.start_byte, node.end_byte, Kind.NUMBER) for node in found.get("number", ())]
    literals += [Spot(node.start_byte, node.end_byte, Kind.TEXT) for node in found.get("text", ())]
    literals.sort(key=lambda spot: spot.start)
    aliases = {name: value for node in root.named_children for name, value in _assignment(node)}
    scope = _Scope(text, "", _marks(root.named_children, aliases), aliases, frozenset(_library(root)))
    return TestFile(text, tuple(scope.tests(root)), tuple(literals))


@dataclass(frozen=True)
class _Scope:
    """A module or class, with what holds for all tests in it."""

    text: bytes
    path: str
    marks: Sequence[Node]
    aliases: Mapping[str, Node]  # what names of the module stand for, of which some are marks
    library: Set[str]  # the names of functions and classes of LIBRARY

    def tests(self, block: Node) -> Iterator[TestCode]:
        """The tests of this block and of the classes in it."""
        children = block.named_children
        bindings = Bindings((child, _bound(child)) for child in children)
        definitions = [_definition(child) for child in children]
        names = [text_of(field(found, "name")) if found else "" for found in definitions]
        for place, (child, found) in enumerate(zip(children, definitions, strict=True)):
            if found is None:
                continue
            if found.type == "class_definition" and _holds_tests(found):
                body = field(found, "body")
                inner = replace(
                    self,
                    path=f"{self.path}{names[place]}.",
                    marks=[*self.marks, *_marks([*child.children, *body.named_children], self.aliases)],
                )
                yield from inner.tests(body)
            elif names[place].startswith("test") and (test := self._test(children, place, found, bindings)):
                yield test

    def _test(
        self, siblings: Sequence[Node], place: int, definition: Node, bindings: Bindings
    ) -> TestCode | None:
        whole, name = siblings[place], field(definition, "name")
        block, parameters = field(definition, "body"), field(definition, "parameters")
        lines = lines_around(self.text, whole.start_byte, whole.end_byte, _COMMENT)
        if lines is None:
            return None
        decorators = [node for node in whole.children if node.type == "decorator"]
        own = _marks(decorators, self.aliases)
        marks = [*self.marks, *own]
        skipped = _is_marked(marks, _SKIPPED) or _SKIPS.search(self.text, block.start_byte, block.end_byte)
        earliest, latest = bindings.range(whole, _eager_names([*decorators, parameters]))
        return TestCode(
            path=self.path + text_of(name),
            name=text_of(name),
            start=with_comments(self.text, lines[0], siblings[:place]),
            end=lines[1],
            name_start=name.start_byte,
            name_end=name.end_byte,
            level=(whole.parent or whole).start_byte,
            earliest=earliest,
            latest=latest,
            alterations=() if skipped else PythonBody(block, _cases(own), self.library).alterations(),
        )


def _definition(node: Node) -> Node | None:
    """The function or class that a statement defines."""
    if node.type == "decorated_definition":
        node = field(node, "definition")
    return node if node.type in ("function_definition", "class_definition") else None


def _holds_tests(definition: Node) -> bool:
    bases = definition.child_by_field_name("superclasses")
    return text_of(field(definition, "name")).startswith("Test") or bool(bases and bases.named_children)


def _marks(nodes: Iterable[Node], aliases: Mapping[str, Node]) -> list[Node]:
    """The expressions of the decorators among these nodes, and what is assigned to `pytestmark`."""
    found = []
    for node in nodes:
        if node.type == "decorator":
            mark = node.named_children[0]
            found.append(aliases.get(text_of(mark), mark))
        elif node.type == "expression_statement":
            found += [value for name, value in _assignment(node) if name == "pytestmark"]
    return found


def _assignment(statement: Node) -> Iterator[tuple[str, Node]]:
    for node in statement.named_children:
        if node.type == "assignment" and (right := node.child_by_field_name("right")):
            yield text_of(field(node, "left")), right


def _library(root: Node) -> Iterator[str]:
    """The names under which a module imports functions and classes of LIBRARY: `date`, `dt.date`."""
    for statement in root.named_children:
        if statement.type == "import_statement":
            for module, name in _imported(statement):
                yield from (f"{name}.{member}" for member in LIBRARY.get(module, ()))
        elif statement.type == "import_from_statement":
            members = LIBRARY.get(text_of(field(statement, "module_name")), frozenset())
            yield from (name for member, name in _imported(statement) if member in members)


def _imported(statement: Node) -> Iterator[tuple[str, str]]:
    """What an import statement names, and the name that it gets."""
    for node in statement.children_by_field_name("name"):
        if node.type == "aliased_import":
            yield text_of(field(node, "name")), text_of(field(node, "alias"))
        else:
            yield text_of(node), text_of(node)


def _is_marked(marks: Sequence[Node], pattern: re.Pattern[str]) -> bool:
    """Whether the name of a mark matches; in a list of marks, any text."""
    names = (field(mark, "function") if mark.type == "call" else mark for mark in marks)
    return any(pattern.search(text_of(name)) for name in names)


def _cases(marks: Sequence[Node]) -> Mapping[str, Sequence[Node]]:
    """The values of each parameter of each `parametrize`, in the order of the cases."""
    found: dict[str, Sequence[Node]] = {}
    for mark in marks:
        arguments = [node for node in field(mark, "arguments").named_children if node.type != "comment"]
        if mark.type == "call" and _is_marked([mark], _CASES) and len(arguments) > 1:
            titles = " ".join(text_of(node) for node in walk(arguments[0]) if node.type == "string_content")
            names = re.findall(r"\w+", titles)
            rows = arguments[1].named_children if arguments[1].type in ("list", "tuple") else []
            cells = [_cells(row, len(names)) for row in rows if row.type != "comment"]
            found.update(columns(names, cells))
    return found


def _cells(row: Node, count: int) -> list[Node]:
    """The values of one case."""
    if row.type == "call" and text_of(field(row, "function")).endswith("param"):
        children = field(row, "arguments").named_children
    elif count == 1:
        return [row]
    else:
        children = row.named_children if row.type in ("tuple", "list") else []
    return [node for node in children if node.type not in ("keyword_argument", "comment")]


def _eager_names(nodes: Iterable[Node]) -> set[str]:
    """The names that are looked up when the test is defined."""
    return {text_of(node) for part in nodes for node in walk(part) if node.type == "identifier"}


def _bound(statement: Node) -> set[str]:
    """The names that a statement defines."""
    match statement.type:
        case "comment":
            return set()
        case "decorated_definition" | "function_definition" | "class_definition":
            definition = _definition(statement)
            return {text_of(field(definition, "name"))} if definition else set()
        case "expression_statement" if statement.named_children:
            left = field(statement.named_children[0], "left")
            return {text_of(node) for node in walk(left) if node.type == "identifier"}
    return {text_of(node) for node in walk(statement) if node.type == "identifier"}
