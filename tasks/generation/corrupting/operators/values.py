"""Operators that change a value: numbers, arguments, operands, variables, slices and defaults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from tasks.generation.corrupting.operators.reading import Edit, FunctionBody, Site

_ONE = "1"
_ORDERED = (
    cst.Subtract,
    cst.Divide,
    cst.FloorDivide,
    cst.Modulo,
    cst.LeftShift,
    cst.RightShift,
    cst.MatrixMultiply,
)
_ATOMS = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Integer, cst.Float)
_SIGNS: Mapping[type[cst.CSTNode], str] = {
    cst.Add: "-",
    cst.Subtract: "+",
    cst.AddAssign: "-=",
    cst.SubtractAssign: "+=",
}
_NUMERIC_CALLS = frozenset({"len", "int", "abs", "sum", "round", "ord"})
_DEFAULTED = {"get": 1, "pop": 1, "setdefault": 1, "getattr": 2, "next": 1}
_OTHER_DEFAULTS = (cst.List, cst.Dict, cst.Tuple, cst.Name, cst.BaseString)
_RELATED = (
    ("min", "max"),
    ("any", "all"),
    ("startswith", "endswith"),
    ("lstrip", "rstrip"),
    ("find", "rfind"),
    ("index", "rindex"),
    ("split", "rsplit"),
    ("partition", "rpartition"),
    ("ljust", "rjust"),
    ("removeprefix", "removesuffix"),
    ("lower", "upper"),
    ("ceil", "floor"),
    ("append", "appendleft"),
    ("pop", "popleft"),
    ("keys", "values"),
    ("union", "intersection"),
    ("add", "discard"),
    ("bisect_left", "bisect_right"),
    ("insort_left", "insort_right"),
)
_OTHER = {first: second for pair in _RELATED for first, second in (pair, pair[::-1])}


def number_off_by_one(body: FunctionBody) -> Iterator[Site]:
    """A whole number becomes the next one, or the one before it; in slices, `slice_bound` does that."""
    for number in body.all(cst.Integer):
        if not isinstance(body.parent(number), cst.Slice):
            yield from _beside(body, number)


def _beside(body: FunctionBody, number: cst.Integer) -> Iterator[Site]:
    """The numbers beside one in decimal notation, none of which is -0 or below 0."""
    if not number.value.isdecimal():
        return
    value, parent = int(number.value), body.parent(number)
    negative = isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Minus)
    yield body.replaced(number, str(value + 1))
    if value > negative:
        yield body.replaced(number, str(value - 1))


def swapped_arguments(body: FunctionBody) -> Iterator[Site]:
    """`f(a, b)` becomes `f(b, a)`: two arguments beside each other, without names and stars."""
    for call in body.all(cst.Call):
        for first, second in zip(call.args, call.args[1:], strict=False):
            plain = all(one.keyword is None and not one.star for one in (first, second))
            if plain and body.code(first.value) != body.code(second.value):
                yield body.swapped(first.value, second.value)


def swapped_operands(body: FunctionBody) -> Iterator[Site]:
    """`a - b` becomes `b - a`, so for each operator whose sides have an order; names, calls, items and numbers."""
    for operation in body.all(cst.BinaryOperation):
        sides = (operation.left, operation.right)
        if isinstance(operation.operator, _ORDERED) and all(_bound(one) for one in sides):
            yield body.swapped(*sides)


def _bound(node: cst.BaseExpression) -> bool:
    """Whether a side holds together wherever it stands. A text before `%` is not a number."""
    return isinstance(node, _ATOMS) or (bool(node.lpar) and not isinstance(node, cst.BaseString))


def changed_sign(body: FunctionBody) -> Iterator[Site]:
    """`+` becomes `-`, `+=` becomes `-=`, or the other way round, where one side is a number."""
    for node in body.nodes:
        if isinstance(node, cst.BinaryOperation):
            sides = (node.left, node.right)
        elif isinstance(node, cst.AugAssign):
            sides = (node.target, node.value)
        else:
            continue
        if (new := _SIGNS.get(type(node.operator))) and any(map(_is_number, sides)):
            yield body.replaced(node.operator, new)


def _is_number(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Call):
        return isinstance(node.func, cst.Name) and node.func.value in _NUMERIC_CALLS
    return isinstance(node, cst.Integer | cst.Float)


def dropped_increment(body: FunctionBody) -> Iterator[Site]:
    """`a + 1` becomes `a`, so does `a - 1`."""
    for operation in body.all(cst.BinaryOperation):
        if isinstance(operation.operator, cst.Add | cst.Subtract) and _is_one(operation.right):
            yield body.replaced(operation, body.text(operation.left))


def _is_one(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Integer) and node.value == _ONE


def slice_bound(body: FunctionBody) -> Iterator[Site]:
    """A bound of a slice changes by one; a lower bound that is not there becomes 1."""
    for part in body.all(cst.Slice):
        for bound in (part.lower, part.upper):
            if isinstance(bound, cst.Integer):
                yield from _beside(body, bound)
            elif isinstance(bound, cst.Name | cst.Attribute | cst.Call):
                yield body.replaced(bound, body.text(bound) + b" + 1")
                yield body.replaced(bound, body.text(bound) + b" - 1")
        if part.lower is None and part.upper is not None:
            start = body.span(part)[0]
            yield Site((Edit(start, start, b"1"),))


def changed_default(body: FunctionBody) -> Iterator[Site]:
    """The default of `.get()`, `.pop()`, `.setdefault()`, `getattr()` or `next()` becomes another one."""
    for call in body.all(cst.Call):
        function = call.func
        is_method = isinstance(function, cst.Attribute)
        name = function.attr.value if isinstance(function, cst.Attribute) else body.code(function)
        place = _DEFAULTED.get(name)
        if place is None or is_method == (name in ("getattr", "next")) or len(call.args) != place + 1:
            continue
        default = call.args[place].value
        if all(one.keyword is None and not one.star for one in call.args):
            yield from (body.replaced(default, new) for new in _other_defaults(body, default))


def _other_defaults(body: FunctionBody, default: cst.BaseExpression) -> Iterator[str]:
    text = body.code(default)
    if text == "None":
        yield from ("0", "False")
    elif text in ("True", "False"):
        yield "False" if text == "True" else "True"
    elif isinstance(default, cst.Integer) and text.isdecimal():
        yield from ("None", str(int(text) + 1))
    elif isinstance(default, _OTHER_DEFAULTS):
        yield "None"


def related_name(body: FunctionBody) -> Iterator[Site]:
    """`min` becomes `max`, `startswith` becomes `endswith`, and the like, in calls."""
    for call in body.all(cst.Call):
        name = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
        if isinstance(name, cst.Name) and name.value in _OTHER:
            yield body.replaced(name, _OTHER[name.value])
