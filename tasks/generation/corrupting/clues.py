"""Checks that a changed function gives no clue to where it was changed, whoever changed it."""

from __future__ import annotations

import ast
import io
import keyword
import re
import tokenize
import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum

from harness.functions import Function, FunctionNotFound, UnreadableSource, contents, find, source_of

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_Definition = ast.FunctionDef | ast.AsyncFunctionDef


class Clue(StrEnum):
    """What is wrong with a corrupted function."""

    SYNTAX = "the file is not valid Python"
    UNCHANGED = "the function does the same as before"
    ELSEWHERE = "something outside of the function was changed"
    SIGNATURE = "signature, decorators or docstring were changed"
    EMPTY = "the function has no body"
    COMMENT = "a comment was added"
    TEXT = "a text was added that the function did not have"
    NAME = "a name was added that is nowhere in the repository"


def known_names(texts: Iterable[str]) -> frozenset[str]:
    """The identifiers in these texts, in code or not."""
    return frozenset(name for text in texts for name in _IDENTIFIER.findall(text))


def find_clues(
    path: str, before: str, after: str, function: Function, names: Collection[str]
) -> tuple[Clue, ...]:
    """What gives a corruption of one Python function away, or makes it none; empty if it is admissible.

    `before` and `after`: the whole file. `function`: in `before`. `names`: `known_names` of the repository. Never
    raises for what `after` holds.
    """
    try:
        # Compiling also refuses what the parser alone accepts, such as `break` outside of a loop.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(after, path, "exec", dont_inherit=True)
        digests, changed = contents(path, before), contents(path, after)
        now = find(path, after, *function.key)
        old, new = _definition(source_of(before, function)), _definition(source_of(after, now))
        comments = Counter(_comments(after)) - Counter(_comments(before))
    except FunctionNotFound:
        return (Clue.ELSEWHERE,)
    except (SyntaxError, UnreadableSource, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return (Clue.SYNTAX,)
    others = [{key: one for key, one in side.items() if key != function.key} for side in (digests, changed)]
    found = {
        Clue.UNCHANGED: digests[function.key] == changed[function.key],
        Clue.ELSEWHERE: others[0] != others[1],
        Clue.SIGNATURE: _signature(old) != _signature(new),
        Clue.EMPTY: is_empty(new),
        Clue.COMMENT: bool(comments),
        Clue.TEXT: not _texts(new) <= _texts(old),
        Clue.NAME: not _names(new) <= _names(old).union(names),
    }
    return tuple(clue for clue, is_so in found.items() if is_so)


def has_code(text: str, function: Function) -> bool:
    """Whether a Python function does something: more than `pass`, `...` or raising NotImplementedError."""
    return not is_empty(_definition(source_of(text, function)))


def is_empty(definition: _Definition) -> bool:
    """Whether the body of a function does nothing."""
    return all(_is_nothing(one) for one in definition.body)


def _is_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Raise) and statement.exc is not None:
        raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
    is_value = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_value or isinstance(statement, ast.Pass)


def _definition(source: str) -> _Definition:
    """The function in its own lines. Raises SyntaxError if they hold none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(f"if 1:\n{source}" if source[:1] in " \t" else source)
    first = tree.body[0]
    node = first.body[0] if isinstance(first, ast.If) else first
    if not isinstance(node, _Definition):
        raise SyntaxError("not a function")
    return node


def _signature(node: _Definition) -> tuple[object, ...]:
    returns = ast.dump(node.returns) if node.returns else ""
    decorators = [ast.dump(one) for one in node.decorator_list]
    return (
        type(node),
        node.name,
        ast.dump(node.args),
        returns,
        decorators,
        ast.get_docstring(node, clean=False),
    )


def _comments(text: str) -> Iterator[str]:
    lines = iter(io.StringIO(text, newline="").readline, "")
    for token in tokenize.generate_tokens(lambda: next(lines, "")):
        if token.type == tokenize.COMMENT:
            yield token.string


def _texts(node: ast.AST) -> frozenset[str | bytes]:
    """The texts in a function: literals, the parts of f-strings and their formats, docstrings."""
    return frozenset(
        one.value
        for one in ast.walk(node)
        if isinstance(one, ast.Constant) and isinstance(one.value, str | bytes)
    )


def _names(node: ast.AST) -> frozenset[str]:
    """The names in a function: variables, attributes, arguments, imports, and whatever else has one."""
    found: set[str] = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Constant):
            continue
        for _, value in ast.iter_fields(one):
            for name in value if isinstance(value, list) else [value]:
                if isinstance(name, str):
                    found.update(name.split("."))
    return frozenset(name for name in found if name and not keyword.iskeyword(name))
