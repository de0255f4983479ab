"""Which variables are assigned and which functions are called on each line: in Python by its grammar, else by words."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from harness.patches import Change
from runs.analysis.features.scopes import parsed

_LONGEST_LINE = 2_000
_ASSIGNED = re.compile(r"(?<![\w$])([A-Za-z_$][\w$]*+)\s*+(?:[-+*/%&|^:]|<<|>>|\?\?|\|\||&&)?=(?![=>])")
_CALLED = re.compile(r"(?<![\w$])([A-Za-z_$][\w$]*+)\s*+\(")
_KEYWORDS = frozenset(
    {"if", "elif", "else", "for", "foreach", "while", "until", "switch", "case", "catch", "return", "with", "do",
     "new", "throw", "assert", "sizeof", "function", "func", "fn", "def", "fun", "sub", "class", "and", "or",
     "not", "in", "is", "await", "yield", "lambda", "match", "when", "typeof"}
)  # fmt: skip


@dataclass(slots=True)
class Names:
    """Names of variables that are assigned, and of functions that are called; of attributes the last part."""

    assigned: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)


def names_of(path: str, changes: Sequence[Change], source: str | None) -> Names:
    """The names on the lines that the changes remove from one file and add to it.

    Python is read as a whole, as it is before and after. What is not Python, is not known or cannot be parsed is read
    line by line.
    """
    found = Names()
    changes = sorted(changes, key=lambda change: change.old_start)
    python = path.endswith((".py", ".pyi"))
    before = parsed(source) if python and source is not None else None
    after = parsed(_after(source, changes)) if before is not None and source is not None else None
    removed = [line for change in changes for line in change.removed]
    added = [line for change in changes for line in change.added]
    for lines, numbers, tree in ((removed, _removed(changes), before), (added, _added(changes), after)):
        if tree is None:
            _by_words(lines, found)
        else:
            _by_grammar(tree, numbers, found)
    return found


def _removed(changes: Iterable[Change]) -> list[int]:
    """The numbers of the removed lines in the file as it was."""
    return [change.old_start + place for change in changes for place in range(len(change.removed))]


def _added(changes: Iterable[Change]) -> list[int]:
    """The numbers of the added lines in the file as it is afterwards."""
    numbers: list[int] = []
    further = 0  # how much further down a line stands after the changes above it
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


def _by_grammar(tree: ast.Module, numbers: Sequence[int], found: Names) -> None:
    """Of the parts of a tree that reach into the lines (numbers rise); a name counts on the line where it stands."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            last = getattr(node, "end_lineno", None)
            if last is not None and not _any_within(numbers, node.lineno, last):  # type: ignore[attr-defined]
                continue
            waiting.append(node)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.assigned.add(node.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                _keep(found.assigned, node, numbers)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
                _keep(found.called, node.func, numbers)


def _keep(names: set[str], node: ast.Name | ast.Attribute, numbers: Sequence[int]) -> None:
    line = node.end_lineno or node.lineno
    if _any_within(numbers, line, line):
        names.add(node.id if isinstance(node, ast.Name) else node.attr)


def _any_within(numbers: Sequence[int], first: int, last: int) -> bool:
    place = bisect_left(numbers, first)
    return place < len(numbers) and numbers[place] <= last


def _by_words(lines: Iterable[str], found: Names) -> None:
    for line in lines:
        if len(line) <= _LONGEST_LINE:
            found.assigned.update(_ASSIGNED.findall(line))
            found.called.update(name for name in _CALLED.findall(line) if name not in _KEYWORDS)
