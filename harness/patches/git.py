"""Makes and applies patches with the host's git, without a working tree.

Git works in a bare repository in a temporary directory. Files of a patch are never written to the host's
file system, attributes, hooks and configuration have no effect, and symbolic links are treated as data. So names that
would be dangerous on Windows or macOS are allowed. Contents and git's own memory are limited, because a small patch can
stand for much content.
Modes are git's: a file is executable (0o755) or not (0o644).
"""

from __future__ import annotations

import os
import posixpath
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from harness.errors import DiskFull, InfrastructureError
from harness.patches.reading import PatchError, check_path, split_hunks, touched_paths
from harness.scratch import scratch

_BEFORE, _AFTER = "refs/heads/before", "refs/heads/after"
_GIT_SECONDS = 120.0
_GIT_MEMORY_MB = 2048
MAX_PATCH_BYTES = 256 << 20
MAX_CONTENT_BYTES = 256 << 20
# Longer files are compared as binary files, and all files of a patch with more lines: patterns that read text, and
# lists of lines, would take minutes and gigabytes.
MAX_TEXT_BYTES = 2 << 20
MAX_TEXT_LINES = 400_000
# Git searches so many bytes of a file for a zero, which makes it binary.
_TEXT_SAMPLE = 8000
_SETTINGS = (
    "pack.compression=0",
    "core.quotePath=false",
    "core.protectNTFS=false",
    "core.protectHFS=false",
    "core.ignoreCase=false",
    "core.precomposeUnicode=false",
)
_SUBMODULE = b"160000"
_BINARY_SIZE = re.compile(rb"^(?:literal|delta) (\d{1,18})$", re.MULTILINE)
_FAILED_AT = re.compile(r"error: patch failed: (?P<file>.+):(?P<line>\d+)$", re.MULTILINE)
_CORRUPT_AT = re.compile(r"(?P<what>corrupt patch|.*) at line (?P<line>\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FileState:
    """The state of one file or link. `content` None: it does not exist. The content of a link is its target."""

    path: str
    content: bytes | None
    mode: int = 0o644
    link: bool = False


ReadFile = Callable[[str], FileState | None]


def make_patch(before: Iterable[FileState], after: Iterable[FileState]) -> bytes:
    """The patch from `before` to `after`; empty if they are equal. A rename is a deletion and an addition.

    Exact for contents, links and executable bits. Long files are compared as binary files (see MAX_TEXT_BYTES and
    MAX_TEXT_LINES). Raises PatchError for an invalid path (see `check_path` and `check_link`).
    """
    before, after = list(before), list(after)
    binary = long_texts(before, after)
    with _repository() as git:
        git.compare_as_binary(binary)
        git.commit({_BEFORE: before, _AFTER: after})
        return git.run(
            "diff-tree", "-p", "-r", "--binary", "--full-index", "--no-renames", "--no-ext-diff",
            "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/", _BEFORE, _AFTER,
        )  # fmt: skip


def long_texts(before: Iterable[FileState], after: Iterable[FileState]) -> list[str]:
    """The paths of texts that `make_patch` compares as binary files: too long ones, or all, if all together have too
    many lines."""
    contents = [(state.path, state.content or b"") for state in (*before, *after)]
    lines = sum(content.count(b"\n") for _, content in contents)
    most = 0 if lines > MAX_TEXT_LINES else MAX_TEXT_BYTES
    long = (path for path, content in contents if len(content) > most and b"\0" not in content[:_TEXT_SAMPLE])
    return list(dict.fromkeys(long))


def apply_patch(diff: bytes, read: ReadFile) -> tuple[FileState, ...]:
    """The changed files after applying `diff`, sorted by path; deleted files have content None.

    `read` returns the state of one path, or None. It is only called for paths in the patch.
    Raises PatchError with file and hunk if the patch does not apply exactly, and if patch or files are too big.
    """
    if not diff.strip():
        return ()
    sizes = (int(size) for size in _BINARY_SIZE.findall(diff))
    if len(diff) > MAX_PATCH_BYTES or sum(sizes) > MAX_CONTENT_BYTES:
        raise PatchError("", f"is too big: patches may have {MAX_PATCH_BYTES >> 20} MB, packed and unpacked")
    paths = touched_paths(diff)
    with _repository() as git:
        git.commit({_BEFORE: [state for path in paths if (state := read(path)) is not None]})
        git.run("read-tree", _BEFORE)
        try:
            git.run("apply", "--cached", "--whitespace=nowarn", "-", data=diff)
        except _GitRefused as refusal:
            raise _explain(refusal.message, diff) from None
        return tuple(git.changed_since(_BEFORE))


def check_link(state: FileState) -> None:
    """Raises PatchError for a link with a name that git allows for files only."""
    if state.link and ".gitmodules" in state.path.lower().split("/"):
        raise PatchError(state.path, "git allows no link of this name")


def check_applies(diff: bytes, read: ReadFile) -> tuple[FileState, ...]:
    """As `apply_patch`. Raises PatchError, too, if `diff` changes no file or adds a link out of the tree."""
    if not touched_paths(diff):
        raise PatchError("", "changes no file")
    changed = apply_patch(diff, read)
    for state in changed:
        if state.link and state.content is not None and _leads_out(state.path, os.fsdecode(state.content)):
            raise PatchError(
                state.path, f"is a link that leads out of the tree: {os.fsdecode(state.content)}"
            )
    return changed


def file_state(path: Path, name: str) -> FileState:
    """The current file at `path`, under the name `name`. Its content is None if it does not exist."""
    if path.is_symlink():
        return FileState(name, os.fsencode(path.readlink()), link=True)
    if not path.is_file():
        return FileState(name, None)
    return FileState(name, path.read_bytes(), 0o755 if path.stat().st_mode & 0o100 else 0o644)


def write_files(directory: Path, files: Iterable[FileState]) -> None:
    """Writes files and links below a directory; none of their paths may exist, or lead out of it."""
    for file in files:
        path = directory / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        if file.link:
            path.symlink_to(os.fsdecode(file.content or b""))
        else:
            path.write_bytes(file.content or b"")
            path.chmod(file.mode)


def tree_reader(root: Path) -> ReadFile:
    """A function that reads files below `root`. It raises PatchError for paths below a symbolic link."""

    def read(path: str) -> FileState | None:
        for parent in list(Path(path).parents)[:-1]:
            if (root / parent).is_symlink():
                raise PatchError(path, f"is below the symbolic link {parent}")
        state = file_state(root / path, path)
        return None if state.content is None else state

    return read


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
        return PatchError(f"{file}{number}, line {line}", "does not apply: the file has other lines there")
    if corrupt := _CORRUPT_AT.search(message):
        return PatchError(f"line {corrupt['line']}", corrupt["what"].removeprefix("error: "))
    return PatchError("", message.strip().removeprefix("error: ") or "does not apply")


def _quoted(path: str) -> bytes:
    special = re.compile(rb'[\x00-\x1f"\\\x7f]')
    return b'"' + special.sub(lambda char: b"\\%03o" % char[0][0], os.fsencode(path)) + b'"'


def _imported(state: FileState) -> bytes:
    """The command of git's fast-import for a file; none for one that does not exist."""
    check_path(state.path)
    check_link(state)
    if state.content is None:
        return b""
    mode = b"120000" if state.link else b"100755" if state.mode & 0o100 else b"100644"
    return b"M %s inline %s\ndata %d\n%s\n" % (mode, _quoted(state.path), len(state.content), state.content)


def _limit_memory(pid: int) -> None:
    """Without a limit, a few bytes of a binary patch could fill the host's memory. macOS has no such limit.

    Set from outside, because a shell that sets it first would take as long as git itself.
    """
    if sys.platform == "linux":
        with suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_AS, (_GIT_MEMORY_MB << 20, _GIT_MEMORY_MB << 20))


class _GitRefused(Exception):
    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


def _refusal(message: str) -> Exception:
    """What a failure of git means: a host without space or memory, or files that it refuses."""
    if "No space left on device" in message:
        return DiskFull(f"git has no space left in the temporary directory: {message.strip()[-200:]}")
    return _GitRefused(message)


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
        command = ["git", *(word for one in _SETTINGS for word in ("-c", one)), *arguments]
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self.directory,
                env=self.environment,
            )
        except FileNotFoundError:
            raise InfrastructureError(
                "git is not installed on this host; install it to make patches"
            ) from None
        with process:
            _limit_memory(process.pid)
            try:
                output, errors = process.communicate(data, timeout=_GIT_SECONDS)
            except subprocess.TimeoutExpired:
                raise PatchError("", f"git took more than {_GIT_SECONDS:.0f} s for these files") from None
            finally:
                process.kill()
        if process.returncode:
            raise _refusal(os.fsdecode(errors))
        return output

    def compare_as_binary(self, paths: Iterable[str]) -> None:
        """Later patches contain these files as binary files."""
        special = re.compile(r"[*?\[\]\\]")
        patterns = (_quoted("/" + special.sub(r"\\\g<0>", path)) + b" -diff\n" for path in paths)
        attributes = Path(self.directory, "info", "attributes")
        attributes.parent.mkdir(exist_ok=True)
        attributes.write_bytes(b"".join(patterns))

    def commit(self, branches: Mapping[str, Iterable[FileState]]) -> None:
        """Sets each branch to a commit of exactly these files."""
        stream = []
        for branch, states in branches.items():
            stream.append(f"commit {branch}\ncommitter - <-> 0 +0000\ndata 0\n".encode())
            stream += map(_imported, states)
        try:
            self.run("fast-import", "--quiet", "--force", data=b"".join(stream))
        except _GitRefused as refusal:
            raise PatchError("", f"git cannot hold these files: {refusal.message.strip()}") from None

    def changed_since(self, branch: str) -> Iterator[FileState]:
        """The files in which the index differs from `branch`."""
        raw = self.run("diff-index", "--cached", "--raw", "--no-renames", "--no-abbrev", "-z", branch)
        fields = raw.split(b"\0")[:-1]
        entries = [(*meta.split()[1:4:2], path) for meta, path in zip(fields[::2], fields[1::2], strict=True)]
        for mode, _, path in entries:
            if mode == _SUBMODULE:
                raise PatchError(os.fsdecode(path), "is a submodule: patches hold files and links only")
        objects = b"".join(object_id + b"\n" for mode, object_id, _ in entries if mode != b"000000")
        sizes = self.run("cat-file", "--batch-check=%(objectsize)", data=objects).split()
        if sum(map(int, sizes)) > MAX_CONTENT_BYTES:
            raise PatchError("", f"is too big: its files may have {MAX_CONTENT_BYTES >> 20} MB together")
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
        # An empty repository, written without a process: `git init` took a tenth of the time of a patch.
        for name in ("objects", "refs"):
            (directory / name).mkdir()
        (directory / "HEAD").write_text(f"ref: {_BEFORE}\n")
        (directory / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = true\n")
        try:
            yield _Git(str(directory))
        except _GitRefused as refusal:
            raise PatchError("", f"git refused: {refusal.message.strip()[-500:]}") from None
