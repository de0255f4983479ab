"""create_diagram: Mermaid text, checked."""

from __future__ import annotations

import os

from .edit import write_file
from .mermaid import DiagramError, check
from .text import ToolError
from .workspace import Workspace

# Mermaid's maxTextSize: longer ones are parsed, but a drawing says only that they are too long.
LONGEST = 50_000
_PLAIN = (".mmd", ".mermaid")
_FENCED = (".md", ".markdown")


def create_diagram(workspace: Workspace, diagram: str, path: str | None = None) -> str:
    """The diagram with a verdict, and written to `path` if there is one. Raises ToolError with what is wrong."""
    text = diagram.strip("\n") + "\n"
    if len(text) > LONGEST:
        raise ToolError(f"the diagram has {len(text):,} characters; Mermaid draws no more than {LONGEST:,}")
    try:
        found = check(text)
    except DiagramError as error:
        raise ToolError(f"the diagram is not valid Mermaid: {error}{_quoted(text, error.line)}") from None
    if found.checked:
        verdict = f"{found.kind}: valid, held to the grammar of Mermaid 11.17"
    else:
        verdict = f"{found.kind}: not checked, this kind of diagram is known here by its name only"
    fenced = f"```mermaid\n{text}```\n"
    if path is not None:
        verdict += "\n" + _write(workspace, path, text, fenced)
    return f"{verdict}\n{fenced}"


def _write(workspace: Workspace, path: str, text: str, fenced: str) -> str:
    ending = os.path.splitext(path)[1].lower()
    if ending not in _PLAIN + _FENCED:
        raise ToolError(
            f"nothing was written: {path!r} has to end in one of {', '.join(_PLAIN + _FENCED)}; "
            "to put the diagram into another file use edit_file"
        )
    if ending in _FENCED and os.path.lexists(workspace.locate_writable(path)):
        raise ToolError(
            f"nothing was written: {path!r} is there already; put the diagram into it with edit_file"
        )
    return write_file(workspace, path, fenced if ending in _FENCED else text)


def _quoted(text: str, line: int) -> str:
    lines = text.split("\n")
    return f"\n{line:>6}\t{lines[line - 1][:200]}" if line <= len(lines) and lines[line - 1].strip() else ""
