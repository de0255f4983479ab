"""The function and class of each line of a source file: by grammar for Python, else by indentation."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

MAX_SIZE = 300_000
_MAX_LINE_LENGTH = 300
_FUNCTION = re.compile(
    r"\b(?:function|func|fn|def|fun|sub|proc)\s++(?:\([^()]*+\)\s*+)?([A-Za-z_$][\w$.?!]*+)"
)
_ARROW = re.compile(
    r"\b(?:const|let|var)\s++([A-Za-z_$][\w$]*+)\s*+=\s*+(?:async\b\s*+)?(?:function\b|\(|[\w$]++\s*+=>)"
)
_CLASS = re.compile(r"\b(?:class|struct|interface|trait|impl|enum|module|object)\s++([A-Za-z_$][\w$]*+)")
_LAST_NAME = re.compile(r"([A-Za-z_$~][\w$]*+)\s*+$")
_CONTROL = frozenset(
    {"if", "else", "for", "while", "switch", "catch", "return", "with", "do", "new", "throw", "assert", "sizeof",
     "foreach", "until", "unless", "match"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scope:
    """One function or class. `name` is qualified; `indent` is the column of its first line."""

    name: str
    kind: Literal["function", "class"]
    indent: int
    around: Scope | None

    def nearest(self, kind: Literal["function", "class"]) -> Scope | None:
        """The innermost scope of this kind that contains it, or itself."""
        scope: Scope | None = self
        while scope is not None and scope.kind != kind:
            scope = scope.around
        return scope


@dataclass(frozen=True, slots=True)
class Structure:
    """The innermost scope of each line of a file, line 1 first; None outside."""

    lines: tuple[str, ...]
    scopes: tuple[Scope | None, ...]
    python: bool

    def at(self, line: int) -> Scope | None:
        """The innermost scope of a line; None outside, and for a line that does not exist."""
        return self.scopes[line - 1] if 1 <= line <= len(self.scopes) else None

    def inserted(self, line: int, text: str) -> Scope | None:
        """The scope of `text` if it is inserted before `line`, by its indentation."""
        above = line - 1
        while 1 <= above <= len(self.lines) and not self.lines[above - 1].strip():
            above -= 1
        scope = self.at(above)
        while scope is not None and indent_of(text) <= scope.indent:
            scope = scope.around
        return scope


@lru_cache(maxsize=64)
def structure(path: str, source: str) -> Structure | None:
    """The structure of a file; None if it has more than 300,000 characters, or is invalid Python."""
    if len(source) > MAX_SIZE:
        return None
    lines = tuple(source.split("\n"))
    if not path.endswith((".py", ".pyi")):
        return Structure(lines, tuple(_by_indentation(lines)), python=False)
    tree = parsed(source)
    return None if tree is None else Structure(lines, tuple(_by_grammar(tree, len(lines))), python=True)


@lru_cache(maxsize=32)  # several features of one run ask for the same few files
def parsed(source: str) -> ast.Module | None:
    """The syntax tree of Python source, not to be changed; None if it is invalid or longer than 300,000 characters."""
    if len(source) > MAX_SIZE:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes in the source
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def defined(line: str, python: bool) -> tuple[str, Literal["function", "class"]] | None:
    """The function or class whose definition begins on a line."""
    text = line.strip()
    if not text or len(text) > _MAX_LINE_LENGTH or text.startswith(("//", "*", "/*", "#")):
        return None
    if (match := _CLASS.match(text) if python else _CLASS.search(text)) and text.endswith(
        ("{", ":", ")", match[1])
    ):
        return match[1], "class"
    if match := _FUNCTION.search(text):
        return match[1], "function"
    if python:
        return None
    if match := _ARROW.search(text):
        return match[1], "function"
    return _like_c(text)


def indent_of(line: str) -> int:
    """The column of a line's first character, tabs to the next multiple of four."""
    start = line[:_MAX_LINE_LENGTH].expandtabs(4)
    return len(start) - len(start.lstrip())


def _like_c(text: str) -> tuple[str, Literal["function"]] | None:
    """`int run(…) {`, `run(…) {`, `int run(…)` with the brace on the next line."""
    before, opening, _ = text.partition("(")
    name = _LAST_NAME.search(before)
    if not opening or name is None or name[1] in _CONTROL:
        return None
    result = before[: name.start()]
    if set(result) & set("=.\"'+;") or set(result.split()) & _CONTROL:
        return None
    return (name[1], "function") if text.endswith("{") or (result.strip() and text.endswith(")")) else None


def _by_grammar(tree: ast.Module, length: int) -> list[Scope | None]:
    scopes: list[Scope | None] = [None] * length
    waiting: list[tuple[ast.AST, Scope | None]] = [(tree, None)]
    while waiting:
        node, around = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = f"{around.name}.{node.name}" if around else node.name
            kind: Literal["function", "class"] = "class" if isinstance(node, ast.ClassDef) else "function"
            around = Scope(name, kind, node.col_offset, around)
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            last = node.end_lineno or first
            scopes[first - 1 : last] = [around] * (last - first + 1)
        waiting += [(child, around) for child in _statements(node)]
    return scopes


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.stmt, ast.excepthandler, ast.match_case)):
            yield child


def _by_indentation(lines: tuple[str, ...]) -> Iterator[Scope | None]:
    scope: Scope | None = None
    for line in lines:
        text = line.strip()
        if not text:
            yield scope
            continue
        indent = indent_of(line)
        closing = text.startswith(("{", "}", ")", "]", "end"))
        while scope is not None and (indent < scope.indent or (indent == scope.indent and not closing)):
            scope = scope.around
        if not closing and (definition := defined(line, python=False)):
            name, kind = definition
            scope = Scope(f"{scope.name}.{name}" if scope else name, kind, indent, scope)
        yield scope
