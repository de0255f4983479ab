"""The functions and classes of a source file: where they are, their source, and whether two versions differ.

Python is read with `ast`, C, TypeScript and JavaScript with tree-sitter. Sources are hostile: whatever cannot be read
raises UnreadableSource, and the size is limited.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import PurePosixPath

from harness.functions import grammars, python
from harness.functions.definition import (
    MAX_SOURCE_CHARACTERS,
    Function,
    FunctionNotFound,
    InvalidReplacement,
    Key,
    UnreadableSource,
    lines_of,
)

_NAMED = 5


def is_source(path: str) -> bool:
    """Whether the functions of this file can be read, by the suffix of its name."""
    suffix = PurePosixPath(path).suffix.lower()
    return suffix in python.SUFFIXES or suffix in grammars.LANGUAGES


def functions_in(path: str, text: str) -> tuple[Function, ...]:
    """The functions, methods and classes of a file, by their first line. Raises UnreadableSource."""
    return _reader(path, text).functions_in(path, text)


def find(path: str, text: str, name: str, occurrence: int = 0) -> Function:
    """The function with this qualified name. Raises FunctionNotFound with similar names, and UnreadableSource."""
    found = functions_in(path, text)
    for function in found:
        if (function.name, function.occurrence) == (name, occurrence):
            return function
    names = list(dict.fromkeys(function.name for function in found))
    last = name.rpartition(".")[2]
    close = [other for other in names if other.rpartition(".")[2] == last]
    close = close or difflib.get_close_matches(name, names[:1000], _NAMED, 0.5)
    advice = f"; did you mean {', '.join(close[:_NAMED])}?" if close else ""
    number = f" number {occurrence + 1}" if occurrence else ""
    raise FunctionNotFound(f"{path} has no function or class {name!r}{number}{advice}")


def source_of(text: str, function: Function) -> str:
    """The lines of a function, with its decorators."""
    return "".join(lines_of(text)[function.start - 1 : function.end])


def without_body(path: str, text: str, function: Function) -> str:
    """The file with nothing of this function but its signature and docstring.

    Source: Breakpoint, section 3.3 (function deletion). In Python the body is the docstring or `pass`.
    """
    return _reader(path, text).without_body(path, text, function)


def replaced(path: str, text: str, function: Function, source: str) -> str:
    """The file with `source`, one whole definition of the same name, in place of a function.

    The new source gets the indentation of the old one. Without decorators, it gets those of the old one. Raises
    InvalidReplacement, whose message is for the author of the new source.
    """
    if len(source) > MAX_SOURCE_CHARACTERS:
        raise InvalidReplacement(f"the new source has more than {MAX_SOURCE_CHARACTERS:,} characters")
    return _reader(path, text).replaced(path, text, function, source)


def contents(path: str, text: str) -> Mapping[Key, str]:
    """A digest of each function by (qualified name, occurrence), and of the rest of the file as ("", 0).

    Equal digests: the same code. Comments, docstrings and layout do not count, and functions inside a function or a
    class count on their own. Raises UnreadableSource.
    """
    return _reader(path, text).contents(path, text)


def body_tokens(path: str, text: str, function: Function) -> tuple[str, ...]:
    """The tokens of a function's body, without signature, comments, docstrings and layout.

    Python is brought into the form of `ast.unparse` first: quotes and needless brackets do not count, either. Raises
    UnreadableSource.
    """
    return _reader(path, text).body_tokens(path, text, function)


def _reader(path: str, text: str) -> python.PythonSource | grammars.GrammarSource:
    if len(text) > MAX_SOURCE_CHARACTERS:
        raise UnreadableSource(path, 0, f"has more than {MAX_SOURCE_CHARACTERS:,} characters")
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in python.SUFFIXES:
        return python.SOURCE
    if suffix in grammars.LANGUAGES:
        return grammars.SOURCE
    raise UnreadableSource(path, 0, f"functions of {suffix or 'files without a suffix'} are not known")
