"""Operators that change what is done, and when: branches, exits, effects and handlers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from tasks.generation.corrupting.operators.reading import Edit, FunctionBody, Site, has_comment

# Subclasses of built-in exceptions. Only names that the repository uses pass the check for clues.
_NARROWER = {
    "Exception": ("ValueError", "TypeError", "KeyError", "RuntimeError", "OSError"),
    "LookupError": ("KeyError", "IndexError"),
    "OSError": ("FileNotFoundError", "PermissionError"),
    "ArithmeticError": ("ZeroDivisionError", "OverflowError"),
    "ValueError": ("UnicodeDecodeError", "UnicodeError"),
}
_MIN_COUNT = 2
_EXITS = (cst.Break, cst.Continue, cst.Return)


def removed_branch(body: FunctionBody) -> Iterator[Site]:
    """An `if` without `else` is removed with what it does, if other statements are beside it; so is the last `elif`."""
    for node in body.all(cst.If):
        if node.orelse is not None or has_comment(node):
            continue
        parent = body.parent(node)
        is_elif = isinstance(parent, cst.If)
        if is_elif or (isinstance(parent, cst.IndentedBlock) and len(parent.body) >= _MIN_COUNT):
            yield from _lines_cut(body, node)


def removed_else(body: FunctionBody) -> Iterator[Site]:
    """The `else` of an `if` or a loop is removed with what it does."""
    for node in body.all(cst.Else):
        if not has_comment(node):
            yield from _lines_cut(body, node)


def removed_effect(body: FunctionBody) -> Iterator[Site]:
    """A statement is removed that calls something, or assigns to an attribute or an item, or adds to a variable."""
    for line in _removable(body):
        if isinstance(line.body[0], cst.AugAssign) or _has_effect(line.body[0]):
            yield from _lines_cut(body, line)


def _has_effect(statement: cst.BaseSmallStatement) -> bool:
    if isinstance(statement, cst.Expr):
        return isinstance(statement.value, cst.Call | cst.Await)
    return isinstance(statement, cst.Assign) and all(
        isinstance(one.target, cst.Attribute | cst.Subscript) for one in statement.targets
    )


def removed_exit(body: FunctionBody) -> Iterator[Site]:
    """A `break`, `continue` or `return` is removed that ends an inner block with other statements."""
    for line in _removable(body):
        block = body.parent(line)
        is_last = isinstance(block, cst.IndentedBlock) and line is block.body[-1]
        if is_last and body.parent(block) is not body.definition and isinstance(line.body[0], _EXITS):
            yield from _lines_cut(body, line)


def _removable(body: FunctionBody) -> Iterator[cst.SimpleStatementLine]:
    """Lines with one statement and no comment, whose block has another statement that is not its docstring."""
    for line in body.all(cst.SimpleStatementLine):
        block = body.parent(line)
        if not isinstance(block, cst.IndentedBlock) or len(line.body) != 1 or has_comment(line):
            continue
        if sum(not _is_text(one) for one in block.body) >= _MIN_COUNT:
            yield line


def _is_text(statement: cst.BaseStatement) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    first = statement.body[0]
    return isinstance(first, cst.Expr) and isinstance(first.value, cst.BaseString)


def _lines_cut(body: FunctionBody, node: cst.CSTNode) -> Iterator[Site]:
    if lines := body.lines_of(node):
        yield body.cut(*lines)


def changed_exit(body: FunctionBody) -> Iterator[Site]:
    """`break` becomes `continue`, or the other way round."""
    for node in body.all(cst.Break, cst.Continue):
        yield body.replaced(node, "continue" if isinstance(node, cst.Break) else "break")


def branch_order(body: FunctionBody) -> Iterator[Site]:
    """The first two branches of an `if` with `elif` change places: what both conditions cover goes elsewhere."""
    for first in body.all(cst.If):
        second = first.orelse
        if not isinstance(second, cst.If):
            continue
        blocks = (first.body, second.body)
        if any(not isinstance(one, cst.IndentedBlock) or has_comment(one) for one in blocks):
            continue
        tests, bodies = body.swapped(first.test, second.test), body.swapped(*blocks)
        yield Site(tuple(sorted((*tests.edits, *bodies.edits), key=lambda edit: edit.start)))


def narrowed_exception(body: FunctionBody) -> Iterator[Site]:
    """One of several exceptions is no longer caught, or only a subclass of the exception is."""
    for handler in body.all(cst.ExceptHandler):
        caught = handler.type
        if isinstance(caught, cst.Tuple):
            yield from _fewer(body, caught.elements)
        elif isinstance(caught, cst.Name):
            yield from (body.replaced(caught, new) for new in _NARROWER.get(caught.value, ()))


def _fewer(body: FunctionBody, caught: Sequence[cst.BaseElement]) -> Iterator[Site]:
    """The exceptions without one of them; with two, a comma keeps the tuple."""
    spans = [body.span(one.value) for one in caught]
    if len(caught) > _MIN_COUNT:
        yield from (body.cut(spans[at - 1][1], spans[at][1]) for at in range(1, len(caught)))
    elif len(caught) == _MIN_COUNT:
        (start, _), (_, last) = spans
        for left in caught:
            new = body.text(left.value) + (b"" if isinstance(caught[1].comma, cst.Comma) else b",")
            yield Site((Edit(start, last, new),))
