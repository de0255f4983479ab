"""Reads patches in git's format: the files, hunks and lines that they change."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from harness.errors import HarnessError

REMEMBERED_BYTES = 65_536  # of a patch whose parts are remembered
_HUNK_HEADER = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_QUOTED = re.compile(rb'"(?:[^"\\]|\\.)*"')
_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}


class PatchError(HarnessError):
    """A patch was rejected. `where`: file, hunk or line, '' for the whole patch."""

    def __init__(self, where: str, reason: str) -> None:
        self.where = where
        self.reason = reason
        super().__init__(f"{where}: {reason}" if where else reason)


@dataclass(frozen=True, slots=True)
class Hunk:
    """One hunk of a text file: it replaces `old_lines`, from line `old_start` on (counted from 1), by `new_lines`.

    Lines include their line ends, and the context of the change. A hunk without old lines inserts *after* line
    `old_start`; a new file is one hunk with `old_start` 0. `number` counts from 1 in its file.
    """

    file: str
    number: int
    old_start: int
    old_lines: tuple[str, ...]
    new_lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """Adjacent lines that a patch replaces: `removed`, from line `old_start` on, by `added`.

    `file` is the path before the patch, or the new path of a new file. Without removed lines, the added lines are
    inserted before line `old_start` (counted from 1). Lines do not include their line ends.
    """

    file: str
    old_start: int
    removed: tuple[str, ...]
    added: tuple[str, ...]


class FilePatch(NamedTuple):
    """The part of a patch that changes one file. `path`: the new name, or the old one of a deleted file."""

    path: str
    old: str | None
    text: bytes


class LineCounts(NamedTuple):
    """The size of a patch. A binary file counts as a file without lines."""

    files: int
    added: int
    removed: int


def touched_paths(diff: bytes) -> list[str]:
    """All paths in the patch, including old names of renames, in order of appearance."""
    names = [name for patch in _parse(diff) for name in (patch.old, patch.new) if name]
    return list(dict.fromkeys(names))


def named_files(diff: bytes) -> frozenset[str]:
    """The old and new files in git's header lines. The patch may be cut off or invalid."""
    names: set[str | None] = set()
    # Lines in a hunk never start like these.
    for line in diff.split(b"\n")[:-1]:
        if line.startswith(b"diff --git "):
            names.update(_header_names(line.removeprefix(b"diff --git ")))
        elif line.startswith((b"rename from ", b"rename to ")):
            names.add(_unquoted(line.split(b" ", 2)[2]))
    return frozenset(name for name in names if name is not None)


def split_hunks(diff: bytes) -> list[Hunk]:
    """Every hunk of every text file, in order. Binary files, mode changes and empty files have none."""
    return [hunk for patch in _parse(diff) for hunk in patch.hunks]


def split_changes(diff: bytes) -> list[Change]:
    """All changes of text files, in order. They do not depend on the number of context lines in the patch."""
    return [change for patch in _parse(diff) for change in patch.changes]


def count_lines(diff: bytes) -> LineCounts:
    """The numbers of files, added lines and removed lines."""
    patches = _parse(diff)
    paths = {patch.new or patch.old for patch in patches}
    return LineCounts(len(paths), sum(len(p.added) for p in patches), sum(len(p.removed) for p in patches))


def split_files(diff: bytes) -> list[FilePatch]:
    """The parts of a patch, one for each file, in order. What precedes the first file is left out.

    Joined, the texts are a patch again. Raises PatchError as the other functions do.
    """
    patches = _parse(diff)
    lines = diff.split(b"\n")
    ends = [*(patch.start for patch in patches[1:]), len(lines)]
    parts = []
    for patch, end in zip(patches, ends, strict=True):
        text = b"\n".join(lines[patch.start : end])
        parts.append(FilePatch(patch.new or patch.old or "", patch.old, text + b"\n" * (end < len(lines))))
    return parts


def added_lines(diff: bytes) -> Iterator[tuple[str, str]]:
    """Each added line with the path of its file, without its line end."""
    for patch in _parse(diff):
        for line in patch.added:
            yield patch.new or patch.old or "", line


def removed_lines(diff: bytes) -> Iterator[tuple[str, str]]:
    """Each removed line with the path of its file, without its line end."""
    for patch in _parse(diff):
        for line in patch.removed:
            yield patch.old or patch.new or "", line


def check_path(path: str) -> None:
    """Raises PatchError for an invalid path: absolute, with '..' or an empty part in it, or inside `.git`."""
    parts = path.split("/")
    if not path or path.startswith("/"):
        raise PatchError(path, "must be a relative path")
    if ".." in parts or "." in parts or "" in parts or "\0" in path:
        raise PatchError(path, "must be a plain path below the tree, without '..' in it")
    if any(part.lower() == ".git" for part in parts):
        raise PatchError(path, "belongs to git")


@dataclass(slots=True)
class _FilePatch:
    """The parsed patch of one file. A name is None if the file does not exist on that side."""

    old: str | None
    new: str | None
    start: int  # line of the patch, counted from 0
    hunks: list[Hunk] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)

    @property
    def added(self) -> list[str]:
        return [line for change in self.changes for line in change.added]

    @property
    def removed(self) -> list[str]:
        return [line for change in self.changes for line in change.removed]


def _parse(diff: bytes) -> Sequence[_FilePatch]:
    """The files of a patch. What counts a run asks for those of the same few patches some thirty times.

    Remembering them, the import of an archive of recorded runs took 2.6 instead of 3.6 s of CPU time.
    """
    return _remembered(diff) if len(diff) <= REMEMBERED_BYTES else _files(diff)


@lru_cache(maxsize=32)
def _remembered(diff: bytes) -> Sequence[_FilePatch]:
    return _files(diff)


def _files(diff: bytes) -> Sequence[_FilePatch]:
    """Unknown lines are ignored, because git itself decides whether a patch is valid."""
    patches: list[_FilePatch] = []
    lines = diff.split(b"\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith(b"diff --git "):
            patches.append(_FilePatch(*_header_names(line.removeprefix(b"diff --git ")), at - 1))
        elif line.startswith(b"--- ") and lines[at : at + 1] and lines[at].startswith(b"+++ "):
            if not patches or patches[-1].hunks:
                patches.append(_FilePatch(None, None, at - 1))
            patches[-1].old, patches[-1].new = _name(line[4:]), _name(lines[at][4:])
            at += 1
        elif line.startswith((b"rename from ", b"copy from ")) and patches:
            patches[-1].old = _unquoted(line.split(b" from ", 1)[1])
        elif line.startswith((b"rename to ", b"copy to ")) and patches:
            patches[-1].new = _unquoted(line.split(b" to ", 1)[1])
        elif patches and (header := _HUNK_HEADER.match(line)):
            at = _read_hunk(lines, at, patches[-1], header)
    for patch in patches:
        for name in (patch.old, patch.new):
            if name is not None:
                check_path(name)
    return patches


def _read_hunk(lines: list[bytes], at: int, patch: _FilePatch, header: re.Match[bytes]) -> int:
    """Reads the body of a hunk from line `at` on; returns the number of the first line after it."""
    header_line = at
    old_left, new_left = (int(header[group] or 1) for group in (2, 4))
    # A hunk without old lines names the line before it.
    first = int(header[1]) + (old_left == 0)
    old: list[str] = []
    new: list[str] = []
    removed: list[str] = []
    added: list[str] = []

    def close() -> None:
        if removed or added:
            start = first + len(old) - len(removed)
            patch.changes.append(Change(patch.old or patch.new or "", start, tuple(removed), tuple(added)))
            removed.clear()
            added.clear()

    while old_left > 0 or new_left > 0 or (at < len(lines) and lines[at].startswith(b"\\")):
        line = lines[at] if at < len(lines) else b"?"
        kind, text = line[:1] or b" ", os.fsdecode(line[1:]) + "\n"
        if kind == b"\\":
            last = lines[at - 1][:1]
            for side in [old] * (last != b"+") + [new] * (last != b"-"):
                side[-1] = side[-1].removesuffix("\n")
        elif kind in b" -+":
            if kind == b" ":
                close()
            if kind != b"+":
                old.append(text)
                old_left -= 1
            if kind != b"-":
                new.append(text)
                new_left -= 1
            if kind == b"+":
                added.append(text[:-1])
            if kind == b"-":
                removed.append(text[:-1])
        else:
            raise PatchError(f"line {at + 1}", f"breaks off the hunk that begins at line {header_line}")
        at += 1
    close()
    file = patch.new or patch.old or ""
    patch.hunks.append(Hunk(file, len(patch.hunks) + 1, int(header[1]), tuple(old), tuple(new)))
    return at


def _header_names(names: bytes) -> tuple[str | None, str | None]:
    """Both names of a `diff --git` line. Unquoted names are equal after the prefix, or repeated in later lines."""
    if quoted := _QUOTED.match(names):
        old, new = quoted[0], names[quoted.end() + 1 :]
    else:
        middle = len(names) // 2
        old, new = names[:middle], names[middle + 1 :]
        if _name(old) != _name(new):
            return None, None
    return _name(old), _name(new)


def _name(written: bytes) -> str | None:
    """The path after `--- ` or `+++ `, without its first component; None for /dev/null."""
    quoted = _QUOTED.match(written)
    text = _unquoted(quoted[0] if quoted else written.split(b"\t", 1)[0])
    if text == "/dev/null":
        return None
    return text if text.startswith("/") else text.partition("/")[2] or text


def _unquoted(written: bytes) -> str:
    """A path from git's notation: plain, or in quotes with C escapes."""
    written = written.rstrip(b"\r")
    if not (len(written) >= 2 and written.startswith(b'"') and written.endswith(b'"')):
        return os.fsdecode(written)

    def plain(escape: re.Match[bytes]) -> bytes:
        code = escape[1].decode()
        return bytes([int(code, 8) & 0xFF if code[0].isdigit() else _ESCAPES.get(code, ord(code) & 0xFF)])

    return os.fsdecode(re.sub(rb"\\([0-7]{1,3}|[\x00-\x7f])", plain, written[1:-1]))
