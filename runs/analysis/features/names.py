"""Assigned variables and called functions on each line: by grammar for Python, else by patterns."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from harness.patches import Change
from runs.analysis.features.scopes import parsed

_MAX_LINE_LENGTH = 2_000
_ASSIGNED = re.compile(r"(?<![\w$])([A-Za-z_$][\w$]*+)\s*+(?:[-+*/%&|^:]|<<|>>|\?\?|\|\||&&)?=(?![=>])")
_CALLED = re.compile(r"(?<![\w$])([A-Za-z_$][\w$]*+)\s*+\(")
_KEYWORDS = frozenset(
    {"if", "elif", "else", "for", "foreach", "while", "until", "switch", "case", "catch", "return", "with", "do",
     "new", "throw", "assert", "sizeof", "function", "func", "fn", "def", "fun", "sub", "class", "and", "or",
     "not", "in", "is", "await", "yield", "lambda", "match", "when", "typeof"}
)  # fmt: skip


class Name(NamedTuple):
    """An assignment of a variable or a call of a function on a line."""

    how: Literal["assigned", "called"]
    text: str


@dataclass(slots=True)
class NamesUsed:
    """Names of variables that are assigned, and of functions that are called; for attributes the last part."""

    assigned: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)

    def add(self, name: Name) -> None:
        """Adds a name."""
        (self.assigned if name.how == "assigned" else self.called).add(name.text)


def names_of(path: str, changes: Sequence[Change], source: str | None) -> NamesUsed:
    """The names on the lines that the changes remove from one file and add to it.

    Python files are parsed as a whole, before and after the change. Other, unknown or invalid files are read line by
    line.
    """
    used = NamesUsed()
    changes = sorted(changes, key=lambda change: change.old_start)
    before = parsed(source) if source is not None and path.endswith((".py", ".pyi")) else None
    after = parsed(_after(source, changes)) if before is not None and source is not None else None
    _add_names(before, _removed(changes), (line for change in changes for line in change.removed), used)
    _add_names(after, _added(changes), (line for change in changes for line in change.added), used)
    return used


def _add_names(
    tree: ast.Module | None, numbers: Sequence[int], lines: Iterable[str], used: NamesUsed
) -> None:
    """Adds the names on the lines with these numbers: from the file's tree, or without one from the lines alone."""
    if tree is None:
        _by_words(lines, used)
        return
    for name in _by_grammar(tree, numbers):
        used.add(name)


def _removed(changes: Iterable[Change]) -> list[int]:
    """The numbers of the removed lines in the file as it was."""
    return [change.old_start + place for change in changes for place in range(len(change.removed))]


def _added(changes: Iterable[Change]) -> list[int]:
    """The numbers of the added lines in the file as it is afterwards."""
    numbers: list[int] = []
    further = 0  # the shift of lines caused by the changes above
    for change in changes:
        first = change.old_start + further
        numbers += range(first, first + len(change.added))
        further += len(change.added) - len(change.removed)
    return numbers


def _after(source: str, changes: Iterable[Change]) -> str:
    lines = source.split("\n")
    new: list[str] = []
    at = 0
    for change in changes:
        new += lines[at : change.old_start - 1]
        new += change.added
        at = change.old_start - 1 + len(change.removed)
    return "\n".join(new + lines[at:])


def _by_grammar(tree: ast.Module, numbers: Sequence[int]) -> Iterator[Name]:
    """The names on the given lines (sorted). Skips parts of the tree outside of them."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            last = getattr(node, "end_lineno", None)
            if last is not None and not _any_within(numbers, node.lineno, last):  # type: ignore[attr-defined]
                continue
            waiting.append(node)
            if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
                yield from _placed("assigned", node, numbers)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                yield from _placed("called", node.func, numbers)


def _placed(
    how: Literal["assigned", "called"], node: ast.Name | ast.Attribute, numbers: Sequence[int]
) -> Iterator[Name]:
    line = node.end_lineno or node.lineno
    if _any_within(numbers, line, line):
        yield Name(how, node.id if isinstance(node, ast.Name) else node.attr)


def _any_within(numbers: Sequence[int], first: int, last: int) -> bool:
    place = bisect_left(numbers, first)
    return place < len(numbers) and numbers[place] <= last


def _by_words(lines: Iterable[str], used: NamesUsed) -> None:
    for line in lines:
        if len(line) <= _MAX_LINE_LENGTH:
            used.assigned.update(_ASSIGNED.findall(line))
            used.called.update(name for name in _CALLED.findall(line) if name not in _KEYWORDS)
