"""Reading, listing, writing and deleting whole files."""

from __future__ import annotations

from .text import ToolError, clip, count
from .workspace import Workspace

LINE_LIMIT = 4_000


def read_file(workspace: Workspace, path: str, offset: int = 1, limit: int | None = None) -> str:
    """Numbered lines from `offset` on (1 is the first), `limit` of them or all."""
    data = workspace.read(path)
    if not data:
        return f"[{path} is empty]"
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    if offset < 1 or (limit is not None and limit < 1):
        raise ToolError("offset and limit count from 1")
    if offset > len(lines):
        raise ToolError(f"{path} has {count(len(lines), 'line')}; offset {offset} is past its end")
    end = len(lines) if limit is None else min(len(lines), offset - 1 + limit)
    text = "\n".join(numbered(lines[offset - 1 : end], offset))
    notes = []
    if offset > 1 or end < len(lines):
        notes.append(f"lines {offset}-{end} of {len(lines)}")
    if data.endswith(b"\r\n"):
        notes.append("lines end in CRLF")
    elif not data.endswith(b"\n"):
        notes.append("no newline at the end of the file")
    shown = clip(text, "read them with offset and limit")
    return f"{shown}\n[{'; '.join(notes)}]" if notes else shown


def numbered(lines: list[bytes], first: int) -> list[str]:
    """Lines for display, each with its number; very long ones are cut and say so."""
    return [f"{number:>6}\t{shown_line(line)}" for number, line in enumerate(lines, first)]


def shown_line(line: bytes) -> str:
    """One line as text, without its line end, bytes that are not UTF-8 replaced, cut when very long."""
    text = line.rstrip(b"\r").decode("utf-8", "replace")
    if len(text) > LINE_LIMIT:
        return f"{text[:LINE_LIMIT]} [... {len(text) - LINE_LIMIT:,} more characters in this line]"
    return text
