"""Reads one Python function for the operators: its nodes, where each lies in the file, and what may be changed.

Operators change text, never trees: everything outside of an edit stays as it is, byte by byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

from harness.functions.definition import Function, lines_of

# What lies in these is not changed: other functions, texts, types, and names that are imported.
_CLOSED = (
    cst.FunctionDef,
    cst.ClassDef,
    cst.Annotation,
    cst.BaseString,
    cst.Import,
    cst.ImportFrom,
)
_INDENTED = b"if 1:\n"
_UTF_8 = cst.PartialParserConfig(encoding="utf-8")

Kind = TypeVar("Kind", bound=cst.CSTNode)


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the bytes from `start` to before `end` of a file in UTF-8."""

    start: int
    end: int
    new: bytes


@dataclass(frozen=True, slots=True)
class Site:
    """One possible change of a function: its edits do not overlap, and are sorted by place."""

    edits: tuple[Edit, ...]

    def applied(self, text: str) -> str:
        """The file with this change."""
        content = text.encode("utf-8")
        for edit in reversed(self.edits):
            content = content[: edit.start] + edit.new + content[edit.end :]
        return content.decode("utf-8")


class FunctionBody:
    """The body of one function, without the functions and classes that are defined in it.

    `nodes`: all that may be changed, in the order of the source. `definition`: the function.
    """

    def __init__(self, text: str, function: Function) -> None:
        lines = lines_of(text)
        before = "".join(lines[: function.start - 1]).encode("utf-8")
        source = "".join(lines[function.start - 1 : function.end]).encode("utf-8")
        prefix = _INDENTED if source[:1] in b" \t" else b""
        self.file = text.encode("utf-8")
        self._shift = len(before) - len(prefix)
        wrapper = MetadataWrapper(cst.parse_module(prefix + source, _UTF_8), unsafe_skip_copy=True)
        self._module = wrapper.module
        self._spans = wrapper.resolve(ByteSpanPositionProvider)
        self._parents: dict[cst.CSTNode, cst.CSTNode] = {}
        first: cst.CSTNode = self._module.body[0]
        if isinstance(first, cst.If):
            first = first.body.body[0]
        if not isinstance(first, cst.FunctionDef):
            raise TypeError(f"not a function but {type(first).__name__}")
        self.definition = first
        self.nodes: Sequence[cst.CSTNode] = tuple(self._open(self.definition.body, self.definition))

    def _open(self, node: cst.CSTNode, parent: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The node and what lies in it, the outer before the inner. Iterative: functions may be deeply nested."""
        waiting = [(node, parent)]
        while waiting:
            node, parent = waiting.pop()
            self._parents[node] = parent
            if isinstance(node, _CLOSED):
                continue
            yield node
            waiting.extend((child, node) for child in reversed(node.children))

    def all(self, *kinds: type[Kind]) -> Iterator[Kind]:
        """The nodes of these kinds, in order."""
        return (node for node in self.nodes if isinstance(node, kinds))

    def parent(self, node: cst.CSTNode) -> cst.CSTNode:
        """The node in which this one lies."""
        return self._parents[node]

    def code(self, node: cst.CSTNode) -> str:
        """The text of a node, with its parentheses."""
        return self._module.code_for_node(node)

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        """Where a node lies in the file, in bytes, with its parentheses."""
        place = self._spans[node]
        start, end = place.start + self._shift, place.start + place.length + self._shift
        start -= sum(len(self.code(one).encode("utf-8")) for one in getattr(node, "lpar", ()))
        end += sum(len(self.code(one).encode("utf-8")) for one in getattr(node, "rpar", ()))
        return start, end

    def text(self, node: cst.CSTNode) -> bytes:
        """The bytes of a node in the file."""
        start, end = self.span(node)
        return self.file[start:end]

    def replaced(self, node: cst.CSTNode, new: str | bytes) -> Site:
        """The change of one node into another text."""
        new = new.encode("utf-8") if isinstance(new, str) else new
        return Site((Edit(*self.span(node), new),))

    def swapped(self, first: cst.CSTNode, second: cst.CSTNode) -> Site:
        """The change of the places of two nodes, of which the first comes first."""
        return Site((
            Edit(*self.span(first), self.text(second)),
            Edit(*self.span(second), self.text(first)),
        ))  # fmt: skip

    def cut(self, start: int, end: int) -> Site:
        """The removal of a part of the file."""
        return Site((Edit(start, end, b""),))

    def lines_of(self, node: cst.CSTNode) -> tuple[int, int] | None:
        """The span of the whole lines of a statement; None if something else stands on them, as a comment does."""
        start, end = self.span(node)
        first = self.file.rfind(b"\n", 0, start) + 1
        last = self.file.find(b"\n", end) + 1 or len(self.file)
        alone = not self.file[first:start].strip() and not self.file[end:last].strip()
        return (first, last) if alone else None


def has_comment(node: cst.CSTNode) -> bool:
    """Whether a comment belongs to a node or lies in it."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, cst.Comment):
            return True
        waiting.extend(one.children)
    return False
