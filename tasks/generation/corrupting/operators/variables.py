"""The operator that takes another variable of the same kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from tasks.generation.corrupting.operators.reading import FunctionBody, Site

_RECEIVERS = ("self", "cls")
_NO_READS = (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.CompFor, cst.NamedExpr, cst.Del)


@dataclass(frozen=True, slots=True)
class _Variable:
    """A variable of the function. `since`: the byte from which on it has a value. `kind`: what it is alike to."""

    name: str
    kind: str
    since: int


def wrong_variable(body: FunctionBody) -> Iterator[Site]:
    """A variable that is read becomes another one of the same kind that has a value there.

    Kinds are parameters with the same annotation, variables of loops, and other variables.
    """
    variables = {one.name: one for one in reversed(_variables(body))}
    alike: Mapping[str, list[_Variable]] = defaultdict(list)
    for one in variables.values():
        alike[one.kind].append(one)
    for name in body.all(cst.Name):
        own = variables.get(name.value)
        if own is None or not _is_read(body, name):
            continue
        place = body.span(name)[0]
        for other in sorted(alike[own.kind], key=lambda one: one.name):
            if other.name != own.name and max(own.since, other.since) <= place:
                yield body.replaced(name, other.name)


def _variables(body: FunctionBody) -> Sequence[_Variable]:
    """The variables of a function, in the order of their first values."""
    parameters = body.definition.params
    found = [
        _Variable(one.name.value, f"parameter {_annotation(body, one)}", 0)
        for one in (*parameters.posonly_params, *parameters.params, *parameters.kwonly_params)
        if one.name.value not in _RECEIVERS
    ]
    for node in body.nodes:
        if isinstance(node, cst.For):
            targets, kind, since = [node.target], "loop", body.span(node.iter)[1]
        elif isinstance(node, cst.Assign):
            targets, kind, since = [one.target for one in node.targets], "local", body.span(node)[1]
        else:
            continue
        found.extend(_Variable(name, kind, since) for one in targets for name in _names(one))
    return found


def _annotation(body: FunctionBody, parameter: cst.Param) -> str:
    return body.code(parameter.annotation.annotation) if parameter.annotation else ""


def _names(target: cst.BaseExpression) -> Iterator[str]:
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, cst.Tuple | cst.List):
        for element in target.elements:
            yield from _names(element.value)


def _is_read(body: FunctionBody, name: cst.Name) -> bool:
    """Whether a name stands for the value of a variable: not called, not assigned, not after a dot, no keyword."""
    node: cst.CSTNode = name
    parent = body.parent(node)
    if isinstance(parent, cst.Attribute):
        return parent.value is name
    if isinstance(parent, cst.Call):
        return False  # called: arguments lie in an Arg
    if isinstance(parent, cst.Arg):
        return parent.value is name
    while isinstance(parent, cst.Element | cst.Tuple | cst.List | cst.StarredElement):
        node, parent = parent, body.parent(parent)
    if isinstance(
        parent, cst.Param | cst.NameItem | cst.Global | cst.Nonlocal | cst.AsName | cst.ExceptHandler
    ):
        return False
    return not (isinstance(parent, _NO_READS) and getattr(parent, "target", None) is node)
