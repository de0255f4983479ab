"""Makes and applies patches in git's format on the host, without a working tree.

The host's git works in a bare repository in a temporary directory. Files of a patch are never written to the host's
file system, attributes, hooks and configuration have no effect, and symbolic links are treated as data.
Modes are git's: a file is executable (0o755) or not (0o644).
"""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from harness.errors import HarnessError, InfrastructureError
from harness.scratch import scratch

_BEFORE, _AFTER = "refs/heads/before", "refs/heads/after"
_GIT_SECONDS = 120.0
_HUNK_HEADER = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_QUOTED = re.compile(rb'"(?:[^"\\]|\\.)*"')
_FAILED_AT = re.compile(r"error: patch failed: (?P<file>.+):(?P<line>\d+)$", re.MULTILINE)
_CORRUPT_AT = re.compile(r"(?P<what>corrupt patch|.*) at line (?P<line>\d+)$", re.MULTILINE)
_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}


class PatchError(HarnessError):
    """A patch was rejected. `where`: file, hunk or line, '' for the whole patch."""

    def __init__(self, where: str, reason: str) -> None:
        self.where = where
        self.reason = reason
        super().__init__(f"{where}: {reason}" if where else reason)


@dataclass(frozen=True, slots=True)
class FileState:
    """The state of one file or link. `content` None: it does not exist. The content of a link is its target."""

    path: str
    content: bytes | None
    mode: int = 0o644
    link: bool = False


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


class LineCounts(NamedTuple):
    """The size of a patch. A binary file counts as a file without lines."""

    files: int
    added: int
    removed: int


ReadFile = Callable[[str], FileState | None]


def make_patch(before: Iterable[FileState], after: Iterable[FileState]) -> bytes:
    """The patch from `before` to `after`; empty if they are equal. A rename is a deletion and an addition.

    Exact for contents, links and executable bits. Raises PatchError for an invalid path (see `check_path`).
    """
    with _repository() as git:
        git.commit(_BEFORE, before)
        git.commit(_AFTER, after)
        return git.run(
            "diff-tree", "-p", "-r", "--binary", "--full-index", "--no-renames", "--no-ext-diff",
            "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/", _BEFORE, _AFTER,
        )  # fmt: skip


def apply_patch(diff: bytes, read: ReadFile) -> tuple[FileState, ...]:
    """The changed files after applying `diff`, sorted by path; deleted files have content None.

    `read` returns the state of one path, or None. It is only called for paths in the patch.
    Raises PatchError with file and hunk if the patch does not apply exactly.
    """
    if not diff.strip():
        return ()
    paths = touched_paths(diff)
    with _repository() as git:
        git.commit(_BEFORE, (state for path in paths if (state := read(path)) is not None))
        git.run("read-tree", _BEFORE)
        try:
            git.run("apply", "--cached", "--whitespace=nowarn", "-", data=diff)
        except _GitRefused as refusal:
            raise _explain(refusal.message, diff) from None
        return tuple(git.changed_since(_BEFORE))


def check_applies(diff: bytes, read: ReadFile) -> None:
    """Raises PatchError unless `diff` changes a file, applies to the tree of `read`, and adds no link out of it."""
    if not touched_paths(diff):
        raise PatchError("", "changes no file")
    for state in apply_patch(diff, read):
        if state.link and state.content is not None and _leads_out(state.path, os.fsdecode(state.content)):
            raise PatchError(
                state.path, f"is a link that leads out of the tree: {os.fsdecode(state.content)}"
            )


def tree_reader(root: Path) -> ReadFile:
    """A function that reads files below `root`. It raises PatchError for paths below a symbolic link."""

    def read(path: str) -> FileState | None:
        for parent in list(Path(path).parents)[:-1]:
            if (root / parent).is_symlink():
                raise PatchError(path, f"lies beyond the symbolic link {parent}")
        file = root / path
        if file.is_symlink():
            return FileState(path, os.fsencode(file.readlink()), link=True)
        if not file.is_file():
            return None
        return FileState(path, file.read_bytes(), 0o755 if file.stat().st_mode & 0o100 else 0o644)

    return read


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
    return LineCounts(len(paths), sum(p.added for p in patches), sum(len(p.removed_lines) for p in patches))


def added_lines(diff: bytes) -> Iterator[tuple[str, str]]:
    """Each added line with the path of its file, without its line end."""
    for patch in _parse(diff):
        for line in patch.added_lines:
            yield patch.new or patch.old or "", line


def removed_lines(diff: bytes) -> Iterator[tuple[str, str]]:
    """Each removed line with the path of its file, without its line end."""
    for patch in _parse(diff):
        for line in patch.removed_lines:
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


def _leads_out(path: str, target: str) -> bool:
    """Whether a link may lead out of the tree. True if '..' follows a name, because the name may itself be a link."""
    parts = target.split("/")
    climbs = parts.count("..")
    if target.startswith("/") or parts[:climbs] != [".."] * climbs:
        return True
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target)).split("/")[0] == ".."


def _explain(message: str, diff: bytes) -> PatchError:
    """Converts git's error message, and adds the number of the failed hunk."""
    if failed := _FAILED_AT.search(message):
        file, line = failed["file"], int(failed["line"])
        hunk = next((h for h in split_hunks(diff) if h.file == file and h.old_start == line), None)
        number = f", hunk {hunk.number}" if hunk else ""
        return PatchError(f"{file}{number}, line {line}", "does not apply: the lines there are others")
    if corrupt := _CORRUPT_AT.search(message):
        return PatchError(f"line {corrupt['line']}", corrupt["what"].removeprefix("error: "))
    return PatchError("", message.strip().removeprefix("error: ") or "does not apply")


# The format -----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _FilePatch:
    """The parsed patch of one file. A name is None if the file does not exist on that side."""

    old: str | None
    new: str | None
    hunks: list[Hunk] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    added_lines: list[str] = field(default_factory=list)
    removed_lines: list[str] = field(default_factory=list)

    @property
    def added(self) -> int:
        return len(self.added_lines)


def _parse(diff: bytes) -> list[_FilePatch]:
    """The files of a patch. Unknown lines are ignored, because git itself decides whether a patch is valid."""
    patches: list[_FilePatch] = []
    lines = diff.split(b"\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith(b"diff --git "):
            patches.append(_FilePatch(*_header_names(line.removeprefix(b"diff --git "))))
        elif line.startswith(b"--- ") and lines[at : at + 1] and lines[at].startswith(b"+++ "):
            if not patches or patches[-1].hunks:
                patches.append(_FilePatch(None, None))
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
                patch.added_lines.append(text[:-1])
            if kind == b"-":
                removed.append(text[:-1])
                patch.removed_lines.append(text[:-1])
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


def _quoted(path: str) -> bytes:
    special = re.compile(rb'[\x00-\x1f"\\\x7f]')
    return b'"' + special.sub(lambda char: b"\\%03o" % char[0][0], os.fsencode(path)) + b'"'


# Git ------------------------------------------------------------------------------------------------------------------


class _GitRefused(Exception):
    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


class _Git:
    """A temporary bare repository."""

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self.environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": directory,
            "GIT_DIR": directory,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_ATTR_NOSYSTEM": "1",
            "LC_ALL": "C",
        }

    def run(self, *arguments: str, data: bytes = b"") -> bytes:
        """The standard output. Raises _GitRefused with git's error message."""
        try:
            done = subprocess.run(
                ["git", "-c", "core.quotePath=false", *arguments],
                input=data,
                capture_output=True,
                cwd=self.directory,
                env=self.environment,
                timeout=_GIT_SECONDS,
                check=False,
            )
        except FileNotFoundError:
            raise InfrastructureError(
                "git is not installed on this host; install it to make patches"
            ) from None
        except subprocess.TimeoutExpired:
            raise InfrastructureError(f"git {arguments[0]} took more than {_GIT_SECONDS:.0f} s") from None
        if done.returncode:
            raise _GitRefused(os.fsdecode(done.stderr))
        return done.stdout

    def commit(self, branch: str, states: Iterable[FileState]) -> None:
        """Sets `branch` to a commit of exactly these files."""
        stream = [f"commit {branch}\ncommitter - <-> 0 +0000\ndata 0\n".encode()]
        for state in states:
            check_path(state.path)
            if state.content is None:
                continue
            mode = "120000" if state.link else "100755" if state.mode & 0o100 else "100644"
            stream.append(b"M %s inline %s\n" % (mode.encode(), _quoted(state.path)))
            stream.append(b"data %d\n%s\n" % (len(state.content), state.content))
        try:
            self.run("fast-import", "--quiet", "--force", data=b"".join(stream))
        except _GitRefused as refusal:
            raise PatchError("", f"git cannot hold these files: {refusal.message.strip()}") from None

    def changed_since(self, branch: str) -> Iterator[FileState]:
        """The files in which the index differs from `branch`."""
        raw = self.run("diff-index", "--cached", "--raw", "--no-renames", "--no-abbrev", "-z", branch)
        fields = raw.split(b"\0")[:-1]
        entries = [(*meta.split()[1:4:2], path) for meta, path in zip(fields[::2], fields[1::2], strict=True)]
        objects = b"".join(object_id + b"\n" for mode, object_id, _ in entries if mode != b"000000")
        contents = self._contents(self.run("cat-file", "--batch", data=objects))
        for mode, _, path in entries:
            name = os.fsdecode(path)
            if mode == b"000000":
                yield FileState(name, None)
            else:
                executable = 0o755 if mode == b"100755" else 0o644
                yield FileState(name, next(contents), executable, link=mode == b"120000")

    @staticmethod
    def _contents(batch: bytes) -> Iterator[bytes]:
        at = 0
        while at < len(batch):
            line_end = batch.index(b"\n", at)
            size = int(batch[at:line_end].split()[2])
            yield batch[line_end + 1 : line_end + 1 + size]
            at = line_end + 1 + size + 1


@contextmanager
def _repository() -> Iterator[_Git]:
    with scratch("patch") as directory:
        git = _Git(str(directory))
        git.run("init", "--quiet", "--bare", "--template=", "--initial-branch=before", str(directory))
        yield git
