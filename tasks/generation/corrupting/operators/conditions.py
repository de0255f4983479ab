"""Operators that change what is asked: comparisons, `and` and `or`, negations, and values of True and False."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tasks.generation.corrupting.operators.reading import FunctionBody, Site

_BOUNDARIES: dict[type[cst.CSTNode], str] = {
    cst.LessThan: "<=",
    cst.LessThanEqual: "<",
    cst.GreaterThan: ">=",
    cst.GreaterThanEqual: ">",
}
_OPPOSITES: dict[type[cst.CSTNode], str] = {
    cst.Equal: "!=",
    cst.NotEqual: "==",
    cst.Is: "is not",
    cst.IsNot: "is",
    cst.In: "not in",
    cst.NotIn: "in",
}
_UNBOUND = (cst.Name, cst.Attribute, cst.Call, cst.Subscript)
_BOOLEANS = {"True": "False", "False": "True"}


def comparison_boundary(body: FunctionBody) -> Iterator[Site]:
    """`a < b` becomes `a <= b`, and the like: only equal values show it."""
    yield from _comparisons(body, _BOUNDARIES)


def comparison_opposite(body: FunctionBody) -> Iterator[Site]:
    """`==` becomes `!=`, `is` becomes `is not`, `in` becomes `not in`, or the other way round."""
    yield from _comparisons(body, _OPPOSITES)


def _comparisons(body: FunctionBody, others: dict[type[cst.CSTNode], str]) -> Iterator[Site]:
    for comparison in body.all(cst.ComparisonTarget):
        if new := others.get(type(comparison.operator)):
            yield body.replaced(comparison.operator, new)


def boolean_operator(body: FunctionBody) -> Iterator[Site]:
    """`and` becomes `or`, or the other way round."""
    for operation in body.all(cst.BooleanOperation):
        new = "or" if isinstance(operation.operator, cst.And) else "and"
        yield body.replaced(operation.operator, new)


def dropped_condition(body: FunctionBody) -> Iterator[Site]:
    """`a and b` becomes `a`, so does `a or b`; within one line."""
    for operation in body.all(cst.BooleanOperation):
        start, end = body.span(operation.left)[1], body.span(operation.right)[1]
        if b"\n" not in body.file[start:end]:
            yield body.cut(start, end)


def negated_condition(body: FunctionBody) -> Iterator[Site]:
    """`if a:` becomes `if not a:`, where the condition is a name, an attribute, a call or an item."""
    for node in body.nodes:
        if isinstance(node, cst.If | cst.While | cst.IfExp | cst.CompIf) and isinstance(node.test, _UNBOUND):
            yield body.replaced(node.test, b"not " + body.text(node.test))


def dropped_not(body: FunctionBody) -> Iterator[Site]:
    """`not a` becomes `a`."""
    for node in body.all(cst.UnaryOperation):
        if isinstance(node.operator, cst.Not):
            yield body.replaced(node, body.text(node.expression))


def boolean_constant(body: FunctionBody) -> Iterator[Site]:
    """`True` becomes `False`, or the other way round: flags, results, and arguments with a name."""
    for name in body.all(cst.Name):
        if name.value in _BOOLEANS:
            yield body.replaced(name, _BOOLEANS[name.value])
