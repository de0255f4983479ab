"""What a container's workspace differs in from the pristine one, by the engine's own account.

The engine lists the paths of the container's upper layer. Nothing inside the container, git least of all, is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Protocol

from pathspec import GitIgnoreSpec

from harness.dataset import files_below
from harness.errors import AgentError
from harness.sandbox.archive import Entry, file_state
from harness.sandbox.base import Changes, FileState

MAX_CHANGED_BYTES = 64 << 20
ALWAYS_IGNORED = frozenset({".git", "__pycache__", ".pytest_cache"})


class Kind(IntEnum):
    """How the engine marks a path."""

    MODIFIED = 0
    ADDED = 1
    DELETED = 2


@dataclass(frozen=True, slots=True)
class Mark:
    """One line of the engine's account: a path relative to the workdir."""

    path: str
    kind: Kind


class Tree(Protocol):
    """A tree in a container that files are read from, by path relative to the workdir."""

    def read(self, path: str, *, limit: int) -> tuple[Entry, FileState] | None:
        """What is at `path`; None: nothing. Content is read only of files and links of at most `limit` bytes."""

    def files(self, path: str) -> Iterator[FileState]:
        """Every file and link at and below `path`."""


class IgnoreRules:
    """The .gitignore files of a pristine tree, the nested ones too; files that it holds itself are never ignored."""

    def __init__(self, source: Path) -> None:
        self._known = {path.relative_to(source).as_posix() for path in files_below(source)}
        self._specs = {
            path.parent.relative_to(source).as_posix(): GitIgnoreSpec.from_lines(
                path.read_text("utf-8", "replace").splitlines()
            )
            for path in source.rglob(".gitignore")
            if path.is_file()
        }

    def ignored_root(self, path: str) -> str | None:
        """The topmost part of `path` that is ignored; None when `path` counts."""
        parts = PurePosixPath(path).parts
        for depth, part in enumerate(parts, 1):
            if part in ALWAYS_IGNORED:
                return "/".join(parts[:depth])
        if path in self._known:
            return None
        for depth in range(1, len(parts) + 1):
            prefix = "/".join(parts[:depth])
            if self._excluded(prefix, directory=depth < len(parts)):
                return prefix
        return None

    def _excluded(self, path: str, *, directory: bool) -> bool:
        for parent in PurePosixPath(path).parents:
            spec = self._specs.get(parent.as_posix())
            if spec is not None:
                name = PurePosixPath(path).relative_to(parent).as_posix()
                verdict = spec.check_file(f"{name}/" if directory else name).include
                if verdict is not None:
                    return verdict
        return False


@dataclass
class Comparison:
    """Compares a workspace with its pristine state; `pristine` is only asked for what the Dockerfile put there."""

    source: Path
    marks: Sequence[Mark]
    current: Tree
    pristine: Tree
    _total: int = field(default=0, init=False)
    _biggest: tuple[int, str] = field(default=(0, ""), init=False)

    def changes(self) -> Changes:
        """Every path whose content, kind or executable bit differs, sorted. Raises AgentError when they are too big."""
        before: dict[str, FileState] = {}
        after: dict[str, FileState] = {}
        ignored = set()
        for mark in self.marks:
            root = self._rules.ignored_root(mark.path)
            if root is not None:
                ignored.add(root)
                continue
            now = FileState(mark.path, None) if mark.kind is Kind.DELETED else self._read(mark.path)
            if now is not None:
                after[mark.path] = now
                before.update((file.path, file) for file in self._before(mark) if self._counts(file.path))
        for path in before:
            after.setdefault(path, FileState(path, None))
        for path in after:
            before.setdefault(path, FileState(path, None))
        paths = sorted(path for path in before if before[path] != after[path])
        return Changes(
            before=tuple(before[path] for path in paths),
            after=tuple(after[path] for path in paths),
            ignored=tuple(sorted(ignored)),
        )

    def _read(self, path: str) -> FileState | None:
        """The file or link at `path` now; a gap for what is neither; None for a directory."""
        found = self.current.read(path, limit=MAX_CHANGED_BYTES - self._total)
        if found is None:
            return FileState(path, None)
        entry, file = found
        if entry.directory:
            return None
        self._count(
            path, entry.size if file.content is None and not entry.special else len(file.content or b"")
        )
        return file

    def _count(self, path: str, size: int) -> None:
        self._total += size
        self._biggest = max(self._biggest, (size, path))
        if self._total > MAX_CHANGED_BYTES:
            size, path = self._biggest
            raise AgentError(
                f"the changes are too big to keep: more than {MAX_CHANGED_BYTES >> 20} MB, "
                f"the biggest is {path} with {size} bytes"
            )

    def _before(self, mark: Mark) -> Iterable[FileState]:
        """The pristine files at and below a path that is no directory any more."""
        if mark.kind is Kind.ADDED:
            return
        host = self.source / mark.path
        if host.is_symlink() or host.is_file():
            yield file_state(host, mark.path)
            return
        known = set()
        if host.is_dir():
            for path in files_below(host):
                name = path.relative_to(self.source).as_posix()
                known.add(name)
                yield file_state(path, name)
        for file in self.pristine.files(mark.path):
            if file.path not in known:
                yield file

    def _counts(self, path: str) -> bool:
        return self._rules.ignored_root(path) is None

    @cached_property
    def _rules(self) -> IgnoreRules:
        return IgnoreRules(self.source)
