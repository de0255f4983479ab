"""Finds what has changed in the workspace since the last scan, with unified diffs."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, List, Tuple

from .text import is_binary, presentable, syntax_error

EXCLUDED = frozenset({".git", "__pycache__", ".pytest_cache", "node_modules"})
TEXT_LIMIT = 1024 * 1024
STORE_LIMIT = 64 * 1024 * 1024
REPLY_LIMIT = 1024 * 1024
_CONTEXT = 3
# With more pairs of lines, SequenceMatcher could take seconds: the middle is then one replacement.
_PAIRS = 4_000_000

Opcodes = List[Tuple[str, int, int, int, int]]


@dataclass(frozen=True)
class Version:
    """A file or link at one moment. `content` None: too large or not readable. A link's content is its target."""

    mode: int
    content: bytes | None


class Snapshot:
    """The workspace at the last scan. File contents are stored, within limits, for diffs."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._signatures = _scan(root)
        self._versions: dict[str, Version] = {}
        self._stored = 0
        for path, signature in self._signatures.items():
            self._remember(path, self._read(path, signature))

    def changes(self) -> list[dict[str, Any]]:
        """Scans again. Every file that differs from the last scan, by path, as the fields of a FileEdit."""
        before, after = self._signatures, _scan(self._root)
        paths = [path for path, signature in after.items() if before.get(path) != signature]
        paths += [path for path in before if path not in after]
        edits = []
        room = REPLY_LIMIT
        for path in sorted(paths):
            old = self._forget(path)
            new = self._read(path, after[path]) if path in after else None
            if new is not None:
                self._remember(path, new)
            if old != new or (old and old.content is None):
                edit = describe(path, old, new, min(room, 64 * 1024))
                room -= len(edit["diff"])
                edits.append(edit)
        self._signatures = after
        return edits

    def _read(self, path: str, signature: tuple[int, ...]) -> Version:
        size, mode = signature[0], signature[3]
        located = os.path.join(self._root, path)
        try:
            if stat.S_ISLNK(mode):
                return Version(mode, os.fsencode(os.readlink(located)))
            if size > TEXT_LIMIT:
                return Version(mode, None)
            # Since the scan, anything may have replaced the file, a pipe for example: never wait for it.
            fd = os.open(located, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
            with open(fd, "rb") as file:
                return Version(mode, file.read(TEXT_LIMIT))
        except OSError:
            return Version(mode, None)

    def _remember(self, path: str, version: Version) -> None:
        size = len(version.content or b"")
        if self._stored + size > STORE_LIMIT:
            version = Version(version.mode, None)
            size = 0
        self._stored += size
        self._versions[path] = version

    def _forget(self, path: str) -> Version | None:
        version = self._versions.pop(path, None)
        if version is not None:
            self._stored -= len(version.content or b"")
        return version


def _scan(root: str) -> dict[str, tuple[int, int, int, int, int]]:
    """(size, mtime, inode, mode, ctime) of every file and link, by relative path."""
    found = {}
    pending = [""]
    while pending:
        prefix = pending.pop()
        try:
            with os.scandir(root + "/" + prefix) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name not in EXCLUDED:
                            pending.append(f"{prefix}{entry.name}/")
                        continue
                    state = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(state.st_mode) or stat.S_ISLNK(state.st_mode):
                        found[prefix + entry.name] = (
                            state.st_size,
                            state.st_mtime_ns,
                            state.st_ino,
                            state.st_mode,
                            state.st_ctime_ns,
                        )
        except OSError:
            continue  # it was deleted, or may not be read
    return found


def describe(path: str, old: Version | None, new: Version | None, limit: int) -> dict[str, Any]:
    """The fields of a FileEdit. A version that is None: no file then. The diff is cut at `limit` characters."""
    present = [version for version in (old, new) if version]
    assert present
    change = "modified" if old and new else "added" if new else "deleted"
    edit: dict[str, Any] = {"path": presentable(path), "change": change, "added": 0, "removed": 0}
    edit["binary"] = any(version.content is not None and is_binary(version.content) for version in present)
    edit["syntax_ok"] = None
    if new and new.content is not None and path.endswith(".py") and stat.S_ISREG(new.mode):
        edit["syntax_ok"] = syntax_error(new.content) is None
    header = _header(edit["path"], old, new)
    if any(version.content is None for version in present):
        edit["diff"] = header + "[not compared: too large, or not readable]\n"
    elif edit["binary"]:
        edit["diff"] = header + "[binary]\n"
    else:
        hunks, edit["added"], edit["removed"] = _hunks(_lines(old), _lines(new))
        edit["diff"] = presentable(_cut(header + hunks, limit))
    return edit


def _header(path: str, old: Version | None, new: Version | None) -> str:
    modes = ""
    if old and new and old.mode != new.mode:
        modes = f"old mode {old.mode:o}\nnew mode {new.mode:o}\n"
        if old.content == new.content:
            return modes
    before = f"a/{path}" if old else "/dev/null"
    after = f"b/{path}" if new else "/dev/null"
    return f"{modes}--- {before}\n+++ {after}\n"


def _lines(version: Version | None) -> list[str]:
    text = (version.content or b"").decode("utf-8", "replace") if version else ""
    pieces = text.split("\n")
    lines = [piece + "\n" for piece in pieces[:-1]]
    return [*lines, pieces[-1]] if pieces[-1] else lines


def _hunks(old: list[str], new: list[str]) -> tuple[str, int, int]:
    """The hunks as text, and how many lines they add and remove."""
    matcher: SequenceMatcher[str] = SequenceMatcher(None, (), ())
    matcher.opcodes = _opcodes(old, new)  # type: ignore[attr-defined]
    parts = []
    added = removed = 0
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        _, old_start, _, new_start, _ = group[0]
        _, _, old_end, _, new_end = group[-1]
        parts.append(f"@@ -{_range(old_start, old_end)} +{_range(new_start, new_end)} @@\n")
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                parts += [_line(" ", line) for line in old[i1:i2]]
                continue
            parts += [_line("-", line) for line in old[i1:i2]]
            parts += [_line("+", line) for line in new[j1:j2]]
            removed += i2 - i1
            added += j2 - j1
    return "".join(parts), added, removed


def _opcodes(old: list[str], new: list[str]) -> Opcodes:
    """Like SequenceMatcher's, but compares only the middle, between equal beginnings and ends."""
    shorter = min(len(old), len(new))
    start = 0
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    old_end, new_end = len(old) - end, len(new) - end
    middle: Opcodes = [("replace", start, old_end, start, new_end)]
    if (old_end - start) * (new_end - start) <= _PAIRS:
        inner = SequenceMatcher(None, old[start:old_end], new[start:new_end], autojunk=False)
        middle = [
            (tag, i1 + start, i2 + start, j1 + start, j2 + start)
            for tag, i1, i2, j1, j2 in inner.get_opcodes()
        ]
    head: Opcodes = [("equal", 0, start, 0, start)] if start else []
    tail: Opcodes = [("equal", old_end, len(old), new_end, len(new))] if end else []
    return head + middle + tail


def _range(start: int, end: int) -> str:
    length = end - start
    return str(start + 1) if length == 1 else f"{start + 1 if length else start},{length}"


def _line(sign: str, line: str) -> str:
    return sign + line if line.endswith("\n") else f"{sign}{line}\n\\ No newline at end of file\n"


def _cut(diff: str, limit: int) -> str:
    if len(diff) <= limit:
        return diff
    border = diff.rfind("\n", 0, max(limit, 0)) + 1
    return f"{diff[:border]}[the diff is cut here: {len(diff) - border:,} more characters]\n"
