"""Reading files and listing directories."""

from __future__ import annotations

import codecs
import contextlib
import os
from types import MappingProxyType
from typing import Mapping, Tuple

from .text import RESULT_LIMIT, ToolError, clip, count, shown_name
from .tree import IGNORED, entries
from .workspace import FILE_LIMIT, Workspace, refuse_binary

LINE_LIMIT = 4_000
ENTRY_LIMIT = 1_000
_PIECE = 1024 * 1024
_Found = Tuple["os.DirEntry[str]", str]


def read_file(workspace: Workspace, path: str, offset: int = 1, limit: int | None = None) -> str:
    """Numbered lines from `offset` on (1 is the first), `limit` of them or all."""
    if offset < 1 or (limit is not None and limit < 1):
        raise ToolError("offset and limit count from 1")
    located, size = workspace.locate_file(path)
    if size > FILE_LIMIT and (offset > 1 or limit is not None):
        return _part_of_giant(path, located, size, offset, limit)
    data = workspace.read(path)
    if not data:
        return f"[{path} is empty]"
    notes = []
    if data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
        notes.append("begins with a byte order mark, which edits keep")
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    if offset > len(lines):
        raise ToolError(f"{path} has {count(len(lines), 'line')}; offset {offset} is past its end")
    end = len(lines) if limit is None else min(len(lines), offset - 1 + limit)
    if offset > 1 or end < len(lines):
        notes.insert(0, f"lines {offset}-{end} of {len(lines)}")
    if data.endswith(b"\r\n"):
        notes.append("lines end in CRLF")
    elif not data.endswith(b"\n"):
        notes.append("no newline at the end of the file")
    return _shown(lines[offset - 1 : end], offset, notes)


def whole_file(workspace: Workspace, path: str, most: int) -> str:
    """The text of a file, at most `most` bytes of UTF-8. For the host; no model reads it."""
    located, size = workspace.locate_file(path)
    if size > most:
        raise ToolError(f"{path!r} has {size:,} bytes: functions are looked for in at most {most:,}")
    with open(located, "rb") as file:
        data = file.read(most + 1)
    with contextlib.suppress(UnicodeDecodeError):
        if b"\0" not in data:
            return data[:most].decode("utf-8")
    raise ToolError(f"{path!r} is no text in UTF-8: no functions are looked for in it")


def _part_of_giant(path: str, located: str, size: int, offset: int, limit: int | None) -> str:
    """Lines of a file that is too large to be read at once, as many as fit into one result."""
    lines: list[bytes] = []
    more: dict[int, int] = {}  # how many bytes of a line came in later pieces
    room = RESULT_LIMIT
    number, begins = 1, True
    with open(located, "rb") as file:
        refuse_binary(path, file.read(8192), size)
        file.seek(0)
        while room > 0 and (limit is None or number < offset + limit):
            piece = file.readline(_PIECE)  # a line, or a part of a very long one
            if not piece:
                break
            text = piece.rstrip(b"\n")
            if begins and number >= offset:
                lines.append(text)
                room -= min(len(text), LINE_LIMIT) + 8
            elif number >= offset:
                more[number] = more.get(number, 0) + len(text)
            begins = piece.endswith(b"\n")
            number += begins
    if not lines:
        raise ToolError(f"{path} has {count(number - begins, 'line')}; offset {offset} is past its end")
    place = f"lines {offset}-{offset + len(lines) - 1} of a file of {count(size, 'byte')}"
    return _shown(lines, offset, [place], more)


def _shown(
    lines: list[bytes], first: int, notes: list[str], more: Mapping[int, int] = MappingProxyType({})
) -> str:
    try:
        b"\n".join(lines).decode("utf-8")
    except UnicodeDecodeError:
        notes.append(
            "bytes that are not UTF-8 are shown as \N{REPLACEMENT CHARACTER}; edits keep those of other lines"
        )
    shown = clip("\n".join(numbered(lines, first, more)), "read them with offset and limit")
    if any(len(line) > LINE_LIMIT for line in lines):
        notes.append("for the rest of a cut line use run_terminal_cmd with cut -c")
    return f"{shown}\n[{'; '.join(notes)}]" if notes else shown


def numbered(lines: list[bytes], first: int, more: Mapping[int, int] = MappingProxyType({})) -> list[str]:
    """Lines for display, each with its number; very long ones are cut and say so.

    `more`: how many bytes, by line number, a line has that are not in `lines`.
    """
    return [f"{number:>6}\t{_line(line, more.get(number, 0))}" for number, line in enumerate(lines, first)]


def _line(line: bytes, more: int) -> str:
    """One line as text, without its line end, bytes that are not UTF-8 replaced, cut when very long."""
    text = line.rstrip(b"\r").decode("utf-8", "replace")
    if len(text) > LINE_LIMIT:
        return f"{text[:LINE_LIMIT]} [... {len(text) - LINE_LIMIT + more:,} more characters in this line]"
    return text


def list_dir(workspace: Workspace, path: str = ".", recursive: bool = False) -> str:
    """The entries of a directory, one a line, with sizes, and the names of ignored directories.

    Of a tree that is too large, only the upper levels are listed, with the number of files below them.
    """
    located = workspace.locate(path)
    if not os.path.isdir(located):
        problem = "is a file; read_file shows it" if os.path.exists(located) else "does not exist"
        raise ToolError(f"{path!r} {problem}")
    found = list(entries(located, recursive=recursive))
    lines = _down_to(found, _depth_that_fits(found))
    if len(lines) > ENTRY_LIMIT:
        more = len(lines) - ENTRY_LIMIT
        lines = [*lines[:ENTRY_LIMIT], f"[{more:,} more are not shown; use file_search]"]
    hidden = sorted(name for name in IGNORED if os.path.isdir(os.path.join(located, name)))
    if hidden:
        lines.append(f"[left out: {', '.join(hidden)}]")
    return clip("\n".join(lines), "list a directory below") if lines else f"[{path} is empty]"


def _depth_that_fits(found: list[_Found]) -> int:
    """How many levels below the first one ENTRY_LIMIT entries can show; -1 if they can show all."""
    if len(found) <= ENTRY_LIMIT:
        return -1
    levels = [0]
    for _, prefix in found:
        depth = prefix.count("/")
        levels += [0] * (depth + 1 - len(levels))
        levels[depth] += 1
    depth = total = 0
    while depth + 1 < len(levels) and (total := total + levels[depth]) + levels[depth + 1] <= ENTRY_LIMIT:
        depth += 1
    return depth


def _down_to(found: list[_Found], depth: int) -> list[str]:
    """One line for each entry down to `depth`; directories at that depth with the number of files below."""
    below: dict[str, int] = {}
    for entry, prefix in found:
        if 0 <= depth < prefix.count("/") and not entry.is_dir(follow_symlinks=False):
            border = "/".join(prefix.split("/", depth + 1)[: depth + 1]) + "/"
            below[border] = below.get(border, 0) + 1
    lines = []
    for entry, prefix in found:
        if depth < 0 or prefix.count("/") <= depth:
            hidden = below.get(f"{prefix}{entry.name}/", 0)
            lines.append(_entry(entry, prefix) + (f"  [{count(hidden, 'file')} below]" if hidden else ""))
    return lines


def _entry(entry: os.DirEntry[str], prefix: str) -> str:
    name = shown_name(prefix + entry.name)
    with contextlib.suppress(OSError):  # it was deleted, or may not be read
        if entry.is_symlink():
            return f"{name} -> {shown_name(os.readlink(entry.path))}"
        if entry.is_dir():
            return f"{name}/" + ("" if os.access(entry.path, os.R_OK | os.X_OK) else "  [may not be read]")
        if not entry.is_file():
            return f"{name}  [not a regular file]"
        return f"{name}  {count(entry.stat().st_size, 'byte')}"
    return name
