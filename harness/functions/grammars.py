"""Functions of C, TypeScript and JavaScript source, read with tree-sitter."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

import tree_sitter_c
import tree_sitter_javascript
import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

from harness.functions.definition import (
    Function,
    FunctionNotFound,
    InvalidReplacement,
    Key,
    UnreadableSource,
)

LANGUAGES = {
    **dict.fromkeys((".c", ".h"), "c"),
    **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), "javascript"),
    **dict.fromkeys((".ts", ".mts", ".cts"), "typescript"),
    ".tsx": "tsx",
}
_CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "class"})
_FUNCTIONS = frozenset(
    {
        "function_definition",
        "function_declaration",
        "generator_function_declaration",
        "method_definition",
    }
)
# A name in front of a function without one of its own: `const name = () => …`, `name = () => …` in a class.
_HOLDERS = {"variable_declarator": "name", "public_field_definition": "name", "field_definition": "property"}
_VALUES = frozenset({"arrow_function", "function_expression", "generator_function", "function"})
_STATEMENTS = frozenset({"lexical_declaration", "variable_declaration", "export_statement"})


@dataclass(frozen=True, slots=True)
class _Found:
    """A definition. `whole`: with its declaration or export around it. `body`: None if it has none."""

    key: Key
    node: Node
    whole: Node
    body: Node | None

    @property
    def is_class(self) -> bool:
        return self.node.type in _CLASSES

    def function(self) -> Function:
        """Its lines."""
        start, end = self.whole.start_point[0] + 1, self.whole.end_point[0] + 1
        header = self.body.start_point[0] + 1 if self.body else end
        return Function(
            name=self.key[0],
            occurrence=self.key[1],
            kind="class" if self.is_class else "function",
            start=start,
            end=end,
            header_end=header,
            body_start=min(header + 1, end),
        )


class GrammarSource:
    """The operations of `harness.functions` on languages with a grammar."""

    def functions_in(self, path: str, text: str) -> tuple[Function, ...]:
        """See `harness.functions.functions_in`."""
        return tuple(
            sorted((one.function() for one in _definitions(_root(path, text))), key=lambda one: one.start)
        )

    def without_body(self, path: str, text: str, function: Function) -> str:
        """See `harness.functions.without_body`."""
        body = _found(path, text, function).body
        if body is None:
            return text
        return _with(text, body.start_byte, body.end_byte, "{\n}")

    def replaced(self, path: str, text: str, function: Function, source: str) -> str:
        """See `harness.functions.replaced`."""
        whole = _found(path, text, function).whole
        result = _with(text, whole.start_byte, whole.end_byte, source.strip())
        try:
            before, after = (list(_definitions(_root(path, one))) for one in (text, result))
        except UnreadableSource as error:
            raise InvalidReplacement(f"with the new source, {error}") from error
        outside = [one.key for one in before if not _is_inside(one, function)]
        if [one.key for one in after if not _is_inside(one, function)] != outside or function.key not in [
            one.key for one in after
        ]:
            raise InvalidReplacement(
                f"the new source must be one whole definition of {function.name}, with its signature, and nothing else"
            )
        return result

    def contents(self, path: str, text: str) -> Mapping[Key, str]:
        """See `harness.functions.contents`."""
        root = _root(path, text)
        found = list(_definitions(root))
        inner = {one.node.id for one in found}
        digests = {one.key: _digest(one.node, inner - {one.node.id}) for one in found}
        digests["", 0] = _digest(root, inner)
        return digests

    def body_tokens(self, path: str, text: str, function: Function) -> tuple[str, ...]:
        """See `harness.functions.body_tokens`."""
        body = _found(path, text, function).body
        tokens = [] if body is None else [token.decode("utf-8", "replace") for token in _tokens(body, set())]
        return tuple(tokens[1:-1] if tokens[:1] == ["{"] else tokens)


SOURCE = GrammarSource()


@cache
def _language(name: str) -> Language:
    if name == "c":
        return Language(tree_sitter_c.language())
    if name == "javascript":
        return Language(tree_sitter_javascript.language())
    if name == "tsx":
        return Language(tree_sitter_typescript.language_tsx())
    return Language(tree_sitter_typescript.language_typescript())


def _root(path: str, text: str) -> Node:
    try:
        content = text.encode()
    except UnicodeEncodeError:
        raise UnreadableSource(path, 0, "is not text") from None
    language = LANGUAGES[PurePosixPath(path).suffix.lower()]
    root = Parser(_language(language)).parse(content).root_node
    if root.has_error and language != "c":  # macros make C look wrong
        wrong = next((node for node, _ in _walk(root) if node.is_error or node.is_missing), root)
        raise UnreadableSource(path, wrong.start_point[0] + 1, f"is not valid {language}")
    return root


def _walk(root: Node) -> Iterator[tuple[Node, str]]:
    """All named nodes in the order of the text, each with the qualified name of what holds it."""
    waiting = [(root, "")]
    while waiting:
        node, prefix = waiting.pop()
        yield node, prefix
        name = _name(node)
        inner = f"{prefix}{name}." if name else prefix
        waiting.extend((child, inner) for child in reversed(node.children))


def _definitions(root: Node) -> Iterator[_Found]:
    seen: Counter[str] = Counter()
    for node, prefix in _walk(root):
        if name := _name(node):
            qualified = prefix + name
            value = node.child_by_field_name("value") if node.type in _HOLDERS else node
            body = value.child_by_field_name("body") if value is not None else None
            yield _Found((qualified, seen[qualified]), node, _whole(node), body)
            seen[qualified] += 1


def _name(node: Node) -> str:
    """The name that a node defines, '' if it is no definition."""
    if node.type in _HOLDERS:
        value = node.child_by_field_name("value")
        named = node.child_by_field_name(_HOLDERS[node.type])
        return _text(named) if value is not None and value.type in _VALUES else ""
    if node.type == "function_definition":
        # The name of a C function is inside its declarators: `int *(*name(void))(int)`.
        declarator = node.child_by_field_name("declarator")
        while declarator is not None and declarator.type != "identifier":
            inner = declarator.child_by_field_name("declarator")
            declarator = inner or next(iter(declarator.named_children), None)
        return _text(declarator)
    if node.type in _FUNCTIONS or node.type in _CLASSES:
        return _text(node.child_by_field_name("name"))
    return ""


def _whole(node: Node) -> Node:
    """The node with the statement around it that holds nothing else."""
    whole = node
    while (parent := whole.parent) is not None and parent.type in _STATEMENTS:
        if sum(child.type == "variable_declarator" for child in parent.named_children) > 1:
            break
        whole = parent
    return whole


def _found(path: str, text: str, function: Function) -> _Found:
    for one in _definitions(_root(path, text)):
        if one.key == function.key:
            return one
    raise FunctionNotFound(f"{path} has no function or class {function.name!r}")


def _is_inside(one: _Found, function: Function) -> bool:
    return one.key == function.key or one.key[0].startswith(f"{function.name}.")


def _with(text: str, start: int, end: int, new: str) -> str:
    content = text.encode()
    return (content[:start] + new.encode("utf-8", "replace") + content[end:]).decode()


def _text(node: Node | None) -> str:
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


def _digest(root: Node, left_out: set[int]) -> str:
    """Of the tokens without comments. The nodes with ids in `left_out` count as one token each."""
    total = hashlib.sha256()
    for token in _tokens(root, left_out):
        total.update(token + b"\0")
    return total.hexdigest()


def _tokens(root: Node, left_out: set[int]) -> Iterator[bytes]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.id in left_out:
            yield b"definition"
        elif node.type == "comment":
            continue
        elif node.children and node.type not in ("string", "template_string", "string_literal"):
            waiting.extend(reversed(node.children))
        else:
            yield node.text or b""
