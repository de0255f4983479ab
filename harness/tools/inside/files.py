"""Reading files and listing directories."""

from __future__ import annotations

import os

from .text import ToolError, clip, count
from .tree import IGNORED, entries
from .workspace import Workspace

LINE_LIMIT = 4_000
ENTRY_LIMIT = 1_000


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


def list_dir(workspace: Workspace, path: str = ".", recursive: bool = False) -> str:
    """The entries of a directory, one a line, with sizes; what is left out is named."""
    located = workspace.locate(path)
    if not os.path.isdir(located):
        problem = "is a file; read_file shows it" if os.path.exists(located) else "does not exist"
        raise ToolError(f"{path!r} {problem}")
    lines: list[str] = []
    more = 0
    for entry, prefix in entries(located, recursive=recursive):
        if len(lines) < ENTRY_LIMIT:
            lines.append(prefix + _entry(entry))
        else:
            more += 1
    if more:
        lines.append(f"[{more:,} more are not shown; list a directory below, or use file_search]")
    hidden = sorted(name for name in IGNORED if os.path.isdir(os.path.join(located, name)))
    if hidden:
        lines.append(f"[left out: {', '.join(hidden)}]")
    return clip("\n".join(lines), "list a directory below") if lines else f"[{path} is empty]"


def _entry(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return f"{entry.name} -> {os.readlink(entry.path)}"
    if entry.is_dir():
        return f"{entry.name}/"
    return f"{entry.name}  {count(entry.stat().st_size, 'byte')}"
