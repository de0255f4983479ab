"""Functions of Python source, read with `ast`."""

from __future__ import annotations

import ast
import hashlib
import io
import tokenize
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from harness.functions.definition import (
    Function,
    FunctionNotFound,
    InvalidReplacement,
    Key,
    UnreadableSource,
    lines_of,
)

SUFFIXES = frozenset({".py", ".pyi", ".pyw"})
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_LAYOUT = frozenset(
    {
        *(tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT),
        *(tokenize.COMMENT, tokenize.ENDMARKER),
    }
)


@dataclass(frozen=True, slots=True)
class _Found:
    """A definition with its qualified name."""

    key: Key
    node: _Definition


class PythonSource:
    """The operations of `harness.functions` on Python."""

    def functions_in(self, path: str, text: str) -> tuple[Function, ...]:
        """See `harness.functions.functions_in`."""
        tree, lines = _parse(path, text), lines_of(text)
        return tuple(sorted((_function(one, lines) for one in _definitions(tree)), key=lambda one: one.start))

    def without_body(self, path: str, text: str, function: Function) -> str:
        """See `harness.functions.without_body`."""
        node, lines = _node(path, text, function), lines_of(text)
        docstring = _docstring(node)
        if docstring is None:
            line, column = _colon(lines, node)
            head = _through(lines, function.start, line, column)
            indent = _indent(lines[node.lineno - 1])
            head += f"\n{indent}    pass"
        else:
            line, column = docstring.end_lineno or docstring.lineno, docstring.end_col_offset or 0
            head = _through(lines, function.start, line, column)
        before, after = lines[: function.start - 1], lines[function.end :]
        return "".join([*before, head, _line_end(lines[function.end - 1]), *after])

    def replaced(self, path: str, text: str, function: Function, source: str) -> str:
        """See `harness.functions.replaced`."""
        old, lines = _node(path, text, function), lines_of(text)
        wanted = "class" if function.kind == "class" else "function"
        new, new_text = _definition_in(source, _indent(lines[old.lineno - 1]), f"{wanted} {old.name}")
        if new.name != old.name or isinstance(new, ast.ClassDef) is not isinstance(old, ast.ClassDef):
            raise InvalidReplacement(f"the new source must define the {wanted} {old.name}, not {new.name}")
        decorators = [] if new.decorator_list else lines[function.start - 1 : old.lineno - 1]
        end = _line_end(lines[function.end - 1])
        whole = "".join(
            [*lines[: function.start - 1], *decorators, new_text.rstrip("\r\n") + end, *lines[function.end :]]
        )
        try:
            _parse(path, whole)
        except UnreadableSource as error:
            raise InvalidReplacement(f"with the new source, {error}") from error
        return whole

    def contents(self, path: str, text: str) -> Mapping[Key, str]:
        """See `harness.functions.contents`."""
        tree = _parse(path, text)
        found = list(_definitions(tree))
        for node in [tree, *(one.node for one in found)]:
            _leave_out_definitions(node)
        try:
            digests = {one.key: _digest(one.node) for one in found}
            digests["", 0] = _digest(tree)
        except RecursionError:
            raise UnreadableSource(path, 0, "is nested too deeply") from None
        return digests

    def body_tokens(self, path: str, text: str, function: Function) -> tuple[str, ...]:
        """See `harness.functions.body_tokens`."""
        node = _node(path, text, function)
        for one in ast.walk(node):
            if isinstance(one, _Definition) and _docstring(one) is not None:
                del one.body[0]
        try:  # the parser's own form of the code has no comments, and one layout
            code = "\n".join(ast.unparse(statement) for statement in node.body)
            tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
        except (ValueError, RecursionError, tokenize.TokenError, SyntaxError) as error:
            raise UnreadableSource(
                path, node.lineno, f"has code that cannot be normalised: {error}"
            ) from None
        return tuple(token.string for token in tokens if token.type not in _LAYOUT)


SOURCE = PythonSource()


def _parse(path: str, text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of invalid escapes in the text
            return ast.parse(text)
    except SyntaxError as error:
        raise UnreadableSource(path, error.lineno or 0, f"is not valid Python: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise UnreadableSource(path, 0, f"is not valid Python: {str(error) or 'nested too deeply'}") from None


def _definitions(tree: ast.Module) -> Iterator[_Found]:
    """All definitions in the order of the text, with their qualified names."""
    seen: Counter[str] = Counter()
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, prefix = waiting.pop()
        if isinstance(node, _Definition):
            name = prefix + node.name
            yield _Found((name, seen[name]), node)
            seen[name] += 1
            prefix = f"{name}."
        waiting.extend((child, prefix) for child in reversed(list(ast.iter_child_nodes(node))))


def _node(path: str, text: str, function: Function) -> _Definition:
    for one in _definitions(_parse(path, text)):
        if one.key == function.key:
            return one.node
    raise FunctionNotFound(f"{path} has no function or class {function.name!r}")


def _function(found: _Found, lines: list[str]) -> Function:
    node = found.node
    docstring = _docstring(node)
    rest = node.body[1:] if docstring is not None else node.body
    end = node.end_lineno or node.lineno
    return Function(
        name=found.key[0],
        occurrence=found.key[1],
        kind="class" if isinstance(node, ast.ClassDef) else "function",
        start=_first_line(node),
        end=end,
        header_end=_colon(lines, node)[0],
        body_start=_first_line(rest[0]) if rest else end + 1,
    )


def _first_line(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, _Definition) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _docstring(node: _Definition) -> ast.Expr | None:
    first = node.body[0]
    return first if isinstance(first, ast.Expr) and _has_docstring(node) else None


def _has_docstring(node: ast.Module | _Definition) -> bool:
    return ast.get_docstring(node, clean=False) is not None


def _colon(lines: list[str], node: _Definition) -> tuple[int, int]:
    """The line of the colon that ends a signature, and the byte behind it."""
    depth = 0
    rest = iter(lines[node.lineno - 1 : node.end_lineno])
    for token in tokenize.generate_tokens(lambda: next(rest, "")):
        if token.type != tokenize.OP:
            continue
        depth += (token.string in _OPENING) - (token.string in _CLOSING)
        if token.string == ":" and depth == 0:
            line = node.lineno + token.end[0] - 1
            return line, len(lines[line - 1][: token.end[1]].encode())
    raise AssertionError("a definition has a colon")


def _through(lines: list[str], start: int, line: int, column: int) -> str:
    """The text from a line on to a byte of another one."""
    last = lines[line - 1].encode()[:column].decode()
    return "".join([*lines[start - 1 : line - 1], last])


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def _line_end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def _definition_in(source: str, indent: str, wanted: str) -> tuple[_Definition, str]:
    """The one definition in new source, and its text with this indentation.

    The later lines of texts in triple quotes are left as they are.
    """
    lines = lines_of(source)
    while lines and not lines[0].strip():
        lines.pop(0)
    given = _indent(lines[0]) if lines else ""
    block = ["if True:\n"] if given else []  # indented source is valid in a block only
    try:
        body = _parse("the new source", "".join([*block, *lines])).body
    except UnreadableSource as error:
        raise InvalidReplacement(str(error)) from error
    if given and isinstance(body[0], ast.If):
        body = [*body[0].body, *body[1:]]
    if len(body) != 1 or not isinstance(body[0], _Definition):
        raise InvalidReplacement(
            f"the new source must be one whole definition of the {wanted}, with its signature, and nothing else; "
            f"it has {len(body)} statements"
        )
    inside = _lines_inside_texts(body[0], len(block))
    moved = (
        line if number in inside or not line.strip() else _moved(line, given, indent)
        for number, line in enumerate(lines, 1)
    )
    return body[0], "".join(moved)


def _lines_inside_texts(definition: _Definition, before: int) -> set[int]:
    """The numbers of the lines that begin inside a text in triple quotes, without the lines `before` the source."""
    inside: set[int] = set()
    for node in ast.walk(definition):
        if isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
        ):
            inside.update(range(node.lineno + 1 - before, (node.end_lineno or node.lineno) + 1 - before))
    return inside


def _moved(line: str, given: str, indent: str) -> str:
    """A line with another indentation; one with less than the given one, such as a comment, gets the new one."""
    return indent + (line[len(given) :] if line.startswith(given) else line.lstrip(" \t"))


def _leave_out_definitions(node: ast.Module | _Definition) -> None:
    """Replaces the definitions below a node by one placeholder each, and drops its docstring."""
    if _has_docstring(node):
        del node.body[0]
    waiting: list[ast.AST] = [node]
    while waiting:
        one = waiting.pop()
        for name, value in ast.iter_fields(one):
            if isinstance(value, list):
                items = [_PLACEHOLDER if isinstance(item, _Definition) else item for item in value]
                setattr(one, name, items)
                waiting.extend(item for item in items if isinstance(item, ast.AST))
            elif isinstance(value, ast.AST):
                waiting.append(value)


_PLACEHOLDER = ast.Expr(ast.Name("definition", ast.Load()))


def _digest(node: ast.AST) -> str:
    return hashlib.sha256(ast.dump(node, annotate_fields=False).encode("utf-8", "surrogatepass")).hexdigest()
