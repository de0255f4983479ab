"""Changing files: by line numbers, by text, or whole."""

from __future__ import annotations

import base64
import contextlib
import errno
import os
import shutil
from typing import Any

from .files import numbered
from .nearest import advice
from .protocol import SYNTAX_REFUSAL
from .text import BYTE_ORDER_MARK, ToolError, clip, count, decode_exactly, encode_exactly, syntax_error
from .workspace import FILE_LIMIT, Workspace

_AROUND = 2


class _Change:
    """One operation: a half-open range of old lines (counted from 0) and their replacement."""

    def __init__(self, number: int, operation: dict[str, Any], lines: int) -> None:
        self.kind = str(operation.get("type"))
        self.label = f"operation {number} ({self.kind} at line {operation.get('start_line')})"
        start = int(operation.get("start_line") or 0)
        end = int(operation.get("end_line") or start)
        content = str(operation.get("content") or "")
        if self.kind not in ("REPLACE", "INSERT", "DELETE"):
            raise ToolError(f"{self.label}: type must be REPLACE, INSERT or DELETE")
        last = lines + 1 if self.kind == "INSERT" else lines
        if not 1 <= start <= end <= last:
            raise ToolError(
                f"{self.label}: lines {start}-{end} are not in the file, which has {count(lines, 'line')}"
                + (f"; to append, insert at {lines + 1}" if self.kind == "INSERT" else "")
            )
        if self.kind == "INSERT" and not content:
            raise ToolError(f'{self.label}: there is nothing to insert; an empty line is "\\n"')
        self.start = start - 1
        self.end = self.start if self.kind == "INSERT" else end
        self.closed = content.endswith("\n")
        self.lines = [] if self.kind == "DELETE" else _lines(content)

    def collides(self, later: _Change) -> bool:
        """Whether `later`, which does not start before this one, changes a line that this one removes."""
        return later.start < self.end


def edit_file(
    workspace: Workspace, path: str, operations: list[dict[str, Any]], reject_syntax_errors: bool = False
) -> str:
    """Makes all operations, or none. Line numbers refer to the file before the call."""
    located, data = _open(workspace, path)
    mark = BYTE_ORDER_MARK if data.startswith(BYTE_ORDER_MARK) else ""
    lines = _keep_ends(data[len(mark) :])
    changes = [_Change(number, one, len(lines)) for number, one in enumerate(operations, 1)]
    if not changes:
        raise ToolError("there are no operations")
    # A stable sort: insertions at one place stay in the given order, before a change of that line.
    changes.sort(key=lambda change: (change.start, change.end))
    for earlier, later in zip(changes, changes[1:]):
        if earlier.collides(later):
            raise ToolError(f"nothing was changed: {earlier.label} and {later.label} overlap")
    newline = _newline(data)
    result, spots = _apply(lines, changes, newline)
    text = "".join(result)
    old = encode_exactly(data)
    new = encode_exactly(text if text.startswith(mark) else mark + text)
    if new == old:
        raise ToolError(
            f"nothing would change: {path} already has the lines that these operations give. Read the file again"
        )
    verdict = _verdict(path, old, new, reject_syntax_errors)
    write_back(located, new)
    heading = f"{path}: {count(len(changes), 'operation')} made; it now has {count(len(result), 'line')}"
    return f"{heading}{verdict}\n{_shown(result, spots)}"


def search_replace(  # noqa: PLR0917
    workspace: Workspace,
    path: str,
    old: str,
    new: str,
    replace_all: bool = False,
    reject_syntax_errors: bool = False,
) -> str:
    """Replaces an exact text, which must occur once, or at least once with `replace_all`."""
    located, data = _open(workspace, path)
    if not old:
        raise ToolError("old is empty; to create a file use write_file")
    if old == new:
        raise ToolError("old and new are the same: nothing to do")
    if _newline(data) == "\r\n":
        new = _with_crlf(new)
        old = old if old in data else _with_crlf(old)
    found = data.count(old)
    places = _line_numbers(data, old, 10)
    if found == 1 and not replace_all and data.find(old) != data.rfind(old):
        raise ToolError(
            f"{path} holds `old` twice, in pieces that overlap (line {places}): nothing was changed. "
            "Add surrounding text to `old` until it is unique"
        )
    if not found:
        raise ToolError(f"0 matches in {path}: nothing was changed. {advice(data, old)}")
    if found > 1 and not replace_all:
        raise ToolError(
            f"{found} matches in {path} (lines {places}): nothing was changed. "
            "Add surrounding text to `old` until it is unique, or set replace_all"
        )
    changed = encode_exactly(data.replace(old, new))
    verdict = _verdict(path, encode_exactly(data), changed, reject_syntax_errors)
    write_back(located, changed)
    return f"{path}: {count(found, 'match', 'matches')} replaced (line {places}){verdict}"


def write_file(workspace: Workspace, path: str, content: str, reject_syntax_errors: bool = False) -> str:
    """Creates or overwrites a file. The mode of a file and the target of a link stay the same."""
    located = workspace.locate_content(path)
    if os.path.isdir(located):
        raise ToolError(f"{path!r} is a directory")
    new = encode_exactly(content)
    existed = os.path.exists(located)
    old = _content(located) if reject_syntax_errors else b""
    verdict = _verdict(path, old, new, reject_syntax_errors)
    try:
        os.makedirs(os.path.dirname(located), exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise ToolError(f"{path!r} cannot be made: something above it is a file, not a directory") from None
    write_back(located, new)
    lines = content.count("\n") + (not content.endswith("\n") if content else 0)
    done = "overwritten" if existed else "created"
    return f"{path}: {done}, {count(lines, 'line')}, {count(len(new), 'byte')}{verdict}"


def delete_file(workspace: Workspace, path: str) -> str:
    """Deletes a file or a link."""
    located = workspace.locate_writable(path)
    if os.path.isdir(located) and not os.path.islink(located):
        raise ToolError(f"{path!r} is a directory; delete_file takes files. Use run_terminal_cmd with rm -r")
    if not os.path.lexists(located):
        raise ToolError(f"there is no file {path!r}")
    os.unlink(located)
    return f"{path}: deleted"


def create_directory(workspace: Workspace, path: str) -> str:
    """Creates a directory and those above it."""
    located = workspace.locate_writable(path)
    if os.path.isdir(located):
        return f"{path}: is there already"
    try:
        os.makedirs(located)
    except (FileExistsError, NotADirectoryError):
        raise ToolError(f"{path!r} cannot be made: it, or something above it, is a file") from None
    return f"{path}: created"


def restore(workspace: Workspace, files: list[dict[str, Any]]) -> str:
    """Makes files and links as the host describes them, in this order; deletes those without content.

    It is no tool of an agent: the files are those of an earlier workspace of the same run.
    """
    for file in files:
        located, content = workspace.locate_writable(file["path"]), file["content"]
        if os.path.isdir(located) and not os.path.islink(located):
            if content is None:
                continue
            shutil.rmtree(located)
        elif os.path.lexists(located):
            os.unlink(located)
        if content is None:
            continue
        os.makedirs(os.path.dirname(located), exist_ok=True)
        if file["link"]:
            os.symlink(base64.b64decode(content), os.fsencode(located))
            continue
        with open(located, "wb") as written:
            written.write(base64.b64decode(content))
        os.chmod(located, file["mode"])
    return ""


def _open(workspace: Workspace, path: str) -> tuple[str, str]:
    located = workspace.locate_content(path)
    return located, decode_exactly(workspace.read(path))


def write_back(located: str, data: bytes) -> None:
    """Writes in place, so that mode, owner and links stay. Raises OSError for a full disk before any change."""
    if os.path.lexists(located) and not os.path.isfile(located) and not os.path.islink(located):
        raise ToolError(f"{located!r} is not a regular file")
    existed = os.path.exists(located)
    try:
        with open(located, "r+b" if existed else "wb") as file:
            _reserve(file.fileno(), len(data))
            file.write(data)
            file.truncate()
    except OSError:
        if not existed:
            with contextlib.suppress(OSError):
                os.unlink(located)
        raise


def _reserve(fd: int, size: int) -> None:
    """Reserves `size` bytes, or raises OSError and restores the length of the file."""
    before = os.fstat(fd).st_size
    if size <= before:
        return
    try:
        os.posix_fallocate(fd, 0, size)
    except OSError as error:
        if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS):  # a file system without it
            os.ftruncate(fd, before)
            raise


def _lines(text: str) -> list[str]:
    """Lines without their ends; a last newline ends a line, it does not begin one."""
    lines = text.replace("\r\n", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _keep_ends(text: str) -> list[str]:
    r"""Lines with their ends, split at \n alone: editors, compilers and read_file count so."""
    pieces = text.split("\n")
    lines = [piece + "\n" for piece in pieces[:-1]]
    return [*lines, pieces[-1]] if pieces[-1] else lines


def _with_crlf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def _newline(text: str) -> str:
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"


def _apply(lines: list[str], changes: list[_Change], newline: str) -> tuple[list[str], list[tuple[int, int]]]:
    """The new lines, and where in them (half-open, from 0) each change now is."""
    result: list[str] = []
    spots = []
    position = 0
    open_end = bool(lines) and not lines[-1].endswith("\n")
    for change in changes:
        result += lines[position : change.start]
        position = max(position, change.end)
        if change.lines and result and not result[-1].endswith("\n"):
            result[-1] += newline
        begin = len(result)
        result += [line + newline for line in change.lines]
        spots.append((begin, len(result)))
        at_end = position == len(lines) and change is changes[-1]
        if at_end and change.lines and open_end and not change.closed:
            result[-1] = result[-1][: -len(newline)]
    result += lines[position:]
    return result, spots


def _shown(lines: list[str], spots: list[tuple[int, int]]) -> str:
    """The changed places with a few lines around them, with their new numbers."""
    ranges: list[list[int]] = []
    for begin, end in spots:
        first, last = max(0, begin - _AROUND), min(len(lines), end + _AROUND)
        if ranges and first <= ranges[-1][1]:
            ranges[-1][1] = max(last, ranges[-1][1])
        else:
            ranges.append([first, last])
    pieces = []
    for first, last in ranges:
        raw = [line.rstrip("\n").encode("utf-8", "surrogateescape") for line in lines[first:last]]
        pieces.append("\n".join(numbered(raw, first + 1)))
    return clip("\n   ...\n".join(pieces), "read the file to see them", 6_000)


def _verdict(path: str, old: bytes, new: bytes, reject: bool) -> str:
    """Whether the new content of a Python file has a syntax error, as the end of a sentence.

    With `reject`, raises ToolError for a syntax error that the old content does not have. A file with errors may
    be changed although some remain: they are corrected step by step.
    """
    if not path.endswith((".py", ".pyi")):
        return ""
    error = syntax_error(new)
    if error and reject and syntax_error(old) is None:
        raise ToolError(f"{SYNTAX_REFUSAL} to {path}: {error}. Correct the edit and repeat it")
    return f"; syntax error in {error}" if error else "; Python syntax is fine"


def _content(located: str) -> bytes:
    """What a file holds; nothing if there is none, or none that can be read."""
    try:
        if os.path.getsize(located) <= FILE_LIMIT and os.path.isfile(located):
            with open(located, "rb") as file:
                return file.read()
    except OSError:
        pass
    return b""


def _line_numbers(text: str, old: str, most: int) -> str:
    numbers: list[str] = []
    position = text.find(old)
    while position >= 0 and len(numbers) < most:
        numbers.append(str(text.count("\n", 0, position) + 1))
        position = text.find(old, position + len(old))
    return ", ".join(numbers) + (" ..." if position >= 0 else "")
