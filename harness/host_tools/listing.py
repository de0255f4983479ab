"""The functions of a file as a model reads them. The text comes from the agent's workspace: it is hostile."""

from __future__ import annotations

from collections.abc import Iterator

from harness.functions import Function, find, functions_in, replaced, source_of
from harness.tools.inside.files import numbered
from harness.tools.inside.text import clip, count


def listed(path: str, text: str) -> str:
    """The functions and classes at the top level of a file, and the methods of its classes, one a line.

    Raises UnreadableSource.
    """
    found = functions_in(path, text)
    classes = {one.name for one in found if one.kind == "class"}
    shown = [one for one in found if "." not in one.name or one.name.rpartition(".")[0] in classes]
    if not shown:
        return f"{path} defines no function and no class"
    lines = "\n".join(_lines(shown))
    return clip(f"{count(len(shown), 'definition')} in {path}, with its lines:\n{lines}", "search for a name")


def _lines(functions: list[Function]) -> Iterator[str]:
    for one in functions:
        indent = "  " * one.name.count(".")
        kind = "class " if one.kind == "class" else ""
        again = f"  [occurrence {one.occurrence}]" if one.occurrence else ""
        yield f"{one.start:>6}-{one.end:<6} {indent}{kind}{one.name}{again}"


def shown(path: str, text: str, name: str, occurrence: int) -> str:
    """The numbered lines of one function. Raises FunctionNotFound and UnreadableSource."""
    function = find(path, text, name, occurrence)
    source = source_of(text, function).encode().removesuffix(b"\n").split(b"\n")
    lines = "\n".join(numbered(source, function.start))
    return clip(lines, "read them with read_file, offset and limit")


def with_source(path: str, text: str, name: str, occurrence: int, code: str) -> str:
    """The file with `code` in place of one function. Raises InvalidReplacement, too."""
    return replaced(path, text, find(path, text, name, occurrence), code)
