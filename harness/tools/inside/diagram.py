"""create_diagram: checks a Mermaid diagram for common mistakes, and writes it to a file."""

from __future__ import annotations

import os

from .edit import write_file
from .mermaid import RULES, DiagramError, check
from .text import ToolError
from .workspace import Workspace

MAX_LENGTH = 50_000  # Mermaid's maxTextSize
_PLAIN = (".mmd", ".mermaid")
_FENCED = (".md", ".markdown")


def create_diagram(workspace: Workspace, diagram: str, path: str | None = None) -> str:
    """The diagram with what was checked, also written to `path` if given. Raises ToolError for a mistake."""
    text = diagram.strip("\n") + "\n"
    if len(text) > MAX_LENGTH:
        raise ToolError(
            f"the diagram has {len(text):,} characters; Mermaid draws no more than {MAX_LENGTH:,}"
        )
    try:
        kind = check(text)
    except DiagramError as error:
        raise ToolError(f"the diagram is not valid Mermaid: {error}{_quoted(text, error.line)}") from None
    verdict = (
        "no mistake found" if kind in RULES else "a known kind of diagram; its statements were not checked"
    )
    fenced = f"```mermaid\n{text}```\n"
    written = "" if path is None else "\n" + _write(workspace, path, text, fenced)
    return f"{kind}: {verdict}{written}\n{fenced}"


def _write(workspace: Workspace, path: str, text: str, fenced: str) -> str:
    ending = os.path.splitext(path)[1].lower()
    if ending not in _PLAIN + _FENCED:
        raise ToolError(
            f"nothing was written: {path!r} has to end in one of {', '.join(_PLAIN + _FENCED)}; "
            "to put the diagram into another file use edit_file"
        )
    if ending in _FENCED and os.path.lexists(workspace.locate_writable(path)):
        raise ToolError(
            f"nothing was written: {path!r} already exists; put the diagram into it with edit_file"
        )
    return write_file(workspace, path, fenced if ending in _FENCED else text)


def _quoted(text: str, line: int) -> str:
    lines = text.split("\n")
    return f"\n{line:>6}\t{lines[line - 1][:200]}" if line <= len(lines) and lines[line - 1].strip() else ""
