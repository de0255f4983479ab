"""Local measures of functions: their size and the complexity of their bodies (Breakpoint, appendix C.1)."""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Iterator, Mapping, Sequence

from radon.metrics import h_visit_ast
from radon.visitors import ComplexityVisitor

from harness.functions import Function, UnreadableSource
from harness.functions.definition import lines_of
from harness.searching.search_program import without_comments

CODE_LINES = "code_lines"
MEASURES = (CODE_LINES, "cyclomatic", "halstead_difficulty", "halstead_volume", "nesting")
"""The names of what `measures` gives for Python; for other languages it gives code lines alone."""

_Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)
_LAYOUT = frozenset(
    {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENCODING,
        tokenize.ENDMARKER,
    }
)


def measures(path: str, text: str, functions: Sequence[Function]) -> list[Mapping[str, float]]:
    """The measures of each of these functions of one file, in their order.

    - code_lines: lines of its span, signature and decorators included, without comments, docstrings and blank lines.
      Lines of nested functions count for the outer one, too.
    - cyclomatic: independent paths, by radon: 1 and one more for each branch. Of a class: of all its methods together.
      Nested functions are left out.
    - halstead_difficulty: D = η₁/2 · N₂/η₂; halstead_volume: V = N · log₂ η, by radon. Operators are those of
      expressions (arithmetic, comparison, boolean, augmented assignment) only, so that many functions have 0.
    - nesting: how many blocks (if, for, while, with, try, match) are around the innermost one, itself included;
      `elif` adds none. Nested functions and classes are left out.

    Languages other than Python have code_lines alone; their documentation comments are comments. Raises
    UnreadableSource for Python that cannot be parsed. Meant for a process with limits: the source is hostile.
    """
    if not path.endswith(".py"):
        lines = _lines_without_comments(path, text)
        return [{CODE_LINES: _within(lines, function)} for function in functions]
    try:
        tree = ast.parse(text)
        lines = _code_lines(text) - _docstring_lines(tree)
        nodes = {span(node): node for node in ast.walk(tree) if isinstance(node, _Named)}
        return [
            {
                CODE_LINES: _within(lines, function),
                **_of_body(nodes[function.start, function.end, function.name.rpartition(".")[2]]),
            }
            for function in functions
        ]
    except (SyntaxError, ValueError, RecursionError, tokenize.TokenError, KeyError) as error:
        raise UnreadableSource(path, 0, f"cannot be measured: {error}") from error


def span(node: _Named) -> tuple[int, int, str]:
    """First line (with decorators), last line and name: what identifies a definition in a file."""
    start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return start, node.end_lineno or node.lineno, node.name


def _of_body(node: _Named) -> Mapping[str, float]:
    """What is read from the syntax tree of one function or class."""
    # radon lists functions in an order of its own: each is given to it alone.
    alone = ast.Module(body=[node], type_ignores=[])
    found = ComplexityVisitor.from_ast(alone)
    cyclomatic = found.classes[0].real_complexity if found.classes else found.functions[0].complexity
    halstead = h_visit_ast(alone).total
    return {
        "cyclomatic": float(cyclomatic),
        "halstead_difficulty": float(halstead.difficulty),
        "halstead_volume": float(halstead.volume),
        "nesting": float(max((_depth(child) for child in node.body), default=0)),
    }


def _depth(node: ast.AST) -> int:
    """The deepest nesting of blocks at and below a node."""
    if isinstance(node, _Named):
        return 0
    below = max((_depth(child) for child in _inner(node)), default=0)
    own = below + 1 if isinstance(node, _BLOCKS) else below
    # The tree has `elif` as an `if` in the `else` of another one.
    chained = [_depth(other) for other in _elif(node)]
    return max(own, *chained) if chained else own


def _elif(node: ast.AST) -> list[ast.If]:
    if isinstance(node, ast.If) and len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        inner = node.orelse[0]
        return [inner] if inner.col_offset == node.col_offset else []
    return []


def _inner(node: ast.AST) -> Iterator[ast.AST]:
    others = _elif(node)
    return (child for child in ast.iter_child_nodes(node) if child not in others)


def _within(lines: set[int], function: Function) -> float:
    return float(sum(line in lines for line in range(function.start, function.end + 1)))


def _code_lines(text: str) -> set[int]:
    """The numbers of the lines on which there is Python; blank lines in long strings are not among them."""
    lines = lines_of(text)
    blank = {number for number, line in enumerate(lines, 1) if not line.strip()}
    tokens = tokenize.generate_tokens(iter(lines).__next__)
    return {
        line
        for token in tokens
        if token.type not in _LAYOUT
        for line in range(token.start[0], token.end[0] + 1)
    } - blank


def _docstring_lines(tree: ast.Module) -> set[int]:
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, _Named | ast.Module) and ast.get_docstring(node, clean=False) is not None
        for line in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    }


def _lines_without_comments(path: str, text: str) -> set[int]:
    """The lines of another language on which there is more than comments, by Pygments."""
    lines = lines_of(without_comments(path, text))
    return {number for number, line in enumerate(lines, 1) if line.strip()}
