"""Source files with all of their text but without working code, to find tests that only read the text."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TypeAlias

from harness.patches import FileState

Transform: TypeAlias = Callable[[str], str | None]

# Not an Exception, so that no test expects it and no code catches it.
_RAISE = 'raise type("CodeTakenOut", (BaseException,), {})("benchbench took this code out")'
_GONE = f"""\
    class Gone:
        def _gone(self, *_, **__):
            {_RAISE}
        def __getattr__(self, name):
            if name.startswith("_"):
                raise AttributeError(name)
            self._gone()
        __call__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __len__ = __iter__ = _gone
        __contains__ = __getitem__ = __add__ = __radd__ = __sub__ = __mul__ = __rmul__ = __truediv__ = _gone
        __int__ = __float__ = __index__ = __str__ = __repr__ = __format__ = __enter__ = __mro_entries__ = _gone
        __hash__ = _gone
"""
_HOLLOW = f"""\
def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if "__path__" in globals():
        import importlib
        try:
            return importlib.import_module(__name__ + "." + name)
        except ImportError:
            pass
{_GONE}    return Gone()
"""
_EPILOGUE = f"""

def _benchbench_takes_out(names):
{_GONE}    for name, value in list(names.items()):
        if not name.startswith("__") and type(value) is not type(_benchbench_os):
            names[name] = Gone()
import os as _benchbench_os
_benchbench_takes_out(globals())
"""
# Once per translation unit, even if a header is included several times.
_TRAP = """
#ifndef BENCHBENCH_TAKES_OUT
#define BENCHBENCH_TAKES_OUT
__attribute__((constructor)) static void benchbench_takes_out(void) { __builtin_trap(); }
#endif
"""
_PANIC = '\nfunc init() { panic("benchbench took this code out") }\n'
_PROLOGUE = f'if __name__ == "__main__": {_RAISE}'


def hollow(state: FileState) -> FileState:
    """A Python file whose names can be imported but fail when used.

    Files of other languages are empty.
    """
    python = PurePosixPath(state.path).suffix == ".py"
    return replace(state, content=_HOLLOW.encode() if python else b"")


def inert(state: FileState) -> FileState | None:
    """The file with all of its text, but no code that runs. None if no such form is known.

    Documentation is returned unchanged. In Python, functions raise before their first statement, and the names of the
    module are replaced after its last one, so that it can still be imported. In C, C++ and Go it still compiles and
    links, but the program ends before `main`. Scripts end at their first statement.
    """
    transform = _TRANSFORMS.get(PurePosixPath(state.path).suffix)
    if transform is None or state.content is None:
        return None
    try:
        text = transform(state.content.decode("utf-8"))
    except UnicodeDecodeError:
        return None
    return None if text is None else replace(state, content=text.encode())


def _python(text: str) -> str | None:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    lines = text.split("\n")
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    places = [(_first(node.body), node.lineno, _RAISE) for node in functions]
    places.append((_first(tree.body, _is_preamble), 0, _PROLOGUE))
    # From the end, so that the line numbers of earlier statements stay valid.
    for (statement, before), header, inserted in sorted(
        (place for place in places if place[0][0] is not None), key=lambda place: -_line(place[0][0])
    ):
        assert statement is not None  # the others were left out
        line, column = _line(statement) - 1, statement.col_offset
        encoded = lines[line].encode()
        if encoded[:column].strip() or _line(statement) in (header, before):
            lines[line] = (encoded[:column] + f"{inserted}; ".encode() + encoded[column:]).decode()
        else:
            lines.insert(line, encoded[:column].decode() + inserted)
    return "\n".join(lines) + _EPILOGUE


def _first(
    body: Sequence[ast.stmt], skipped: Callable[[ast.stmt], bool] | None = None
) -> tuple[ast.stmt | None, int]:
    """The first statement with an effect, and the last line of the statements before it."""
    before = 0
    for statement in body:
        if not (skipped or _is_text)(statement):
            return statement, before
        before = statement.end_lineno or 0
    return None, before


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_preamble(statement: ast.stmt) -> bool:
    future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
    return future or _is_text(statement)


def _line(statement: ast.stmt | None) -> int:
    """The first line of a statement, including its decorators."""
    decorators: Sequence[ast.expr] = getattr(statement, "decorator_list", ())
    return min(getattr(part, "lineno", 0) for part in (statement, *decorators))


def _followed_by(end: str) -> Transform:
    """Appends `end` to the text."""
    return lambda text: f"{text}{end}"


def _behind_comments(statement: str, comment: str) -> Transform:
    """Inserts a statement that ends the script after its leading comments."""

    def transform(text: str) -> str:
        lines = text.split("\n")
        at = next((number for number, line in enumerate(lines) if not line.startswith(comment)), len(lines))
        return "\n".join([*lines[:at], statement, *lines[at:]])

    return transform


def _php(text: str) -> str | None:
    head, opening, rest = text.partition("<?php")
    return f'{head}{opening} throw new Error("benchbench took this code out");{rest}' if opening else text


_JAVASCRIPT = _behind_comments('throw new Error("benchbench took this code out");', "#!")
_SHELL = _behind_comments("exit 97", "#")
_TRANSFORMS: Mapping[str, Transform] = {
    ".py": _python,
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx"), _JAVASCRIPT),
    ".rb": _behind_comments('raise Exception, "benchbench took this code out"', "#"),
    ".php": _php,
    ".sh": _SHELL,
    ".bash": _SHELL,
    **dict.fromkeys((".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp"), _followed_by(_TRAP)),
    ".go": _followed_by(_PANIC),
    ".md": str,
    ".rst": str,
}
