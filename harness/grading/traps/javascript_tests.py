"""Reads the tests of a JavaScript or TypeScript file: of node:test, Jest, Mocha and Vitest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import tree_sitter_javascript
import tree_sitter_typescript
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from harness.grading.traps.javascript_assertions import JavaScriptBody, table
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

_LITERALS = "(number) @number (string) @text (template_string (string_fragment) @fragment)"
_COMMENT = rb"//.*|/\*[^\n]*\*/"
_TESTS = {"test", "it", "specify"}
_SUITES = {"describe", "context", "suite"}
_SKIPPED = re.compile(r"\.(?:skip|todo|failing|fails|skipIf|runIf)\b")
_SKIPS = re.compile(rb"\b(?:this|t|ctx|context)\.skip\(")
_OFF = re.compile(r"\b(?:skip|todo)\s*:")
_PLACEHOLDER = re.compile(r"\s*(?:%[a-zA-Z#%$]|\$[\w#{])")
_CALLBACKS = ("arrow_function", "function_expression", "generator_function")
_ESCAPE = re.compile(r"\\(['\"`\\])")


def _read(language: Language, text: bytes) -> TestFile | None:
    """The file's tests; None if it cannot be parsed."""
    root = Parser(language).parse(text).root_node
    if root.has_error:
        return None
    found = QueryCursor(Query(language, _LITERALS)).captures(root)
    literals = [Spot(node.start_byte, node.end_byte, Kind.NUMBER) for node in found.get("number", ())]
    texts = (node for node in found.get("text", ()) if not _is_title(node))
    literals += [Spot(node.start_byte + 1, node.end_byte - 1, Kind.TEXT) for node in texts]
    literals += [Spot(node.start_byte, node.end_byte, Kind.TEXT) for node in found.get("fragment", ())]
    literals.sort(key=lambda spot: spot.start)
    return TestFile(text, tuple(_Scope(text, "").tests(root)), tuple(literals))


read_javascript = partial(_read, Language(tree_sitter_javascript.language()))
read_typescript = partial(_read, Language(tree_sitter_typescript.language_typescript()))
read_tsx = partial(_read, Language(tree_sitter_typescript.language_tsx()))


@dataclass(frozen=True)
class _Call:
    """A statement `test(title, ...)`, `it.each(rows)(title, ...)`, `describe.only(title, ...)`."""

    head: str  # `test`, `it.each`
    rows: Node | None
    title: Node
    rest: Sequence[Node]

    @property
    def kind(self) -> str:
        return self.head.partition(".")[0]

    @property
    def callback(self) -> Node | None:
        found = [node for node in self.rest if node.type in _CALLBACKS]
        return field(found[0], "body") if found and field(found[0], "body") != found[0] else None

    @property
    def is_off(self) -> bool:
        return bool(
            _SKIPPED.search(self.head)
            or self.kind.startswith("x")
            or any(node.type == "object" and _OFF.search(text_of(node)) for node in self.rest)
        )


@dataclass(frozen=True)
class _Scope:
    """The module or the callback of a suite."""

    text: bytes
    path: str

    def tests(self, block: Node) -> Iterator[TestCode]:
        """The tests of this block and of the suites in it."""
        children = block.named_children
        bindings = Bindings((child, _bound(child)) for child in children)
        calls = [_call(child) for child in children]
        for place, (child, call) in enumerate(zip(children, calls, strict=True)):
            if call is None or call.callback is None or call.is_off:
                continue
            if call.kind in _SUITES:
                title = _title(call.title) or text_of(call.title)
                inner = replace(self, path=f"{self.path}{title} > ")
                yield from inner.tests(call.callback)
            elif call.kind in _TESTS and (test := self._test(children[:place], child, call, bindings)):
                yield test

    def _test(self, before: Sequence[Node], whole: Node, call: _Call, bindings: Bindings) -> TestCode | None:
        name, callback = _name(call), call.callback
        lines = lines_around(self.text, whole.start_byte, whole.end_byte, _COMMENT)
        if lines is None or callback is None or not name:
            return None
        # The names that are looked up when the test is registered are all but those of the callback.
        callbacks = {node.id for node in call.rest if node.type in _CALLBACKS}
        earliest, latest = bindings.range(
            whole, {text_of(node) for node in walk(whole, callbacks) if node.type == "identifier"}
        )
        skipped = _SKIPS.search(self.text, callback.start_byte, callback.end_byte)
        start = call.title.start_byte + 1
        return TestCode(
            path=self.path + name,
            name=name,
            start=with_comments(self.text, lines[0], before),
            end=lines[1],
            name_start=start,
            name_end=start + len(_written(call)),
            quote=self.text[start - 1 : start],
            level=(whole.parent or whole).start_byte,
            earliest=earliest,
            latest=latest,
            alterations=() if skipped else JavaScriptBody(callback, _cases(call)).alterations(),
        )


def _call(statement: Node) -> _Call | None:
    """The call of a statement, if its first argument may be a title."""
    if statement.type != "expression_statement" or not statement.named_children:
        return None
    call = statement.named_children[0]
    if call.type == "await_expression" and call.named_children:
        call = call.named_children[0]
    arguments = [node for node in field(call, "arguments").named_children if node.type != "comment"]
    if call.type != "call_expression" or field(call, "arguments").type != "arguments" or len(arguments) < 2:
        return None
    function, rows = field(call, "function"), None
    if function.type == "call_expression":
        rows = field(function, "arguments")
        function = field(function, "function")
    return _Call(text_of(function), rows, arguments[0], arguments[1:])


def _is_title(text: Node) -> bool:
    """Whether a text is the title of a test or suite, or the name of an imported module."""
    parent = text.parent
    if parent is None or parent.type != "arguments" or parent.named_children[0] != text:
        return parent is not None and parent.type == "import_statement"
    head = text_of(field(parent.parent or parent, "function")).partition(".")[0].partition("(")[0]
    return head.lstrip("x") in _TESTS | _SUITES | {"require"}


def _title(node: Node) -> str | None:
    """A title as runners report it; None if it is computed or has escapes that are not of quotes."""
    written = text_of(node)[1:-1]
    if node.type not in ("string", "template_string") or "${" in written or "\n" in written:
        return None
    plain = _ESCAPE.sub(r"\1", written)
    return None if "\\" in plain else plain


def _name(call: _Call) -> str:
    """The title; of a test with cases, what stands before the first value."""
    title = _title(call.title) or ""
    return _PLACEHOLDER.split(title)[0] if call.rows else title


def _written(call: _Call) -> bytes:
    """The part of the title's text that gives its name."""
    written = text_of(call.title)[1:-1]
    return (_PLACEHOLDER.split(written)[0] if call.rows else written).encode("utf-8")


def _cases(call: _Call) -> dict[str, list[Node]]:
    """The values of each parameter of the callback, in the order of the rows."""
    rows = call.rows.named_children[0] if call.rows and call.rows.named_children else None
    callbacks = [node for node in call.rest if node.type in _CALLBACKS]
    if rows is None or rows.type != "array" or not callbacks:
        return {}
    parameters = field(callbacks[0], "parameters").named_children
    cells = [row for row in rows.named_children if row.type != "comment"]
    found: dict[str, list[Node]] = {}
    for place, parameter in enumerate(parameters):
        pattern = field(parameter, "pattern")  # TypeScript wraps a parameter and its type
        if all(row.type == "array" and len(row.named_children) > place for row in cells):
            if pattern.type == "identifier":
                found[text_of(pattern)] = [row.named_children[place] for row in cells]
        elif place == 0:
            found |= table(pattern, rows)
    return found


def _bound(statement: Node) -> set[str]:
    """The names that a statement defines."""
    match statement.type:
        case "comment" | "expression_statement":
            return set()
        case "function_declaration" | "class_declaration":
            return {text_of(field(statement, "name"))}
        case "lexical_declaration" | "variable_declaration":
            names = [field(child, "name") for child in statement.named_children]
            return {text_of(node) for name in names for node in walk(name) if "identifier" in node.type}
    return {text_of(node) for node in walk(statement) if "identifier" in node.type}
