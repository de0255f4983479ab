"""Trees of files on the host, and their digests."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from harness.patches import FileState, file_state, tree_reader

_CACHES = frozenset({"__pycache__"})
_NEVER = _CACHES | {".git"}


@dataclass(frozen=True, slots=True)
class Tree:
    """The files below `root`, with names relative to it; a layout may select some of them.

    `only`: the names to include, each with everything below it; all if empty. `without`: the names to exclude, each
    with everything below it. Directories named `.git` and `__pycache__` are always excluded. Files are read lazily.
    `changed`: files that differ from those on disk; one without content is not part of the tree.
    """

    root: Path
    only: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    changed: tuple[FileState, ...] = field(default=(), repr=False)

    def names(self) -> list[str]:
        """The names of all files and symbolic links, sorted."""
        starts = [PurePosixPath(name).as_posix() for name in self.only or {"."}]
        found = {name for start in starts for name in self._found(start)}
        found.difference_update(state.path for state in self.changed)
        found.update(state.path for state in self.changed if state.content is not None)
        return sorted(found, key=lambda name: name.split("/"))

    def paths(self) -> list[Path]:
        """The paths on disk of these files, in the order of their names. Not for a tree with changed files."""
        if self.changed:
            raise ValueError(f"{self.root}: changed files of a tree have no path on disk")
        return [self.root / name for name in self.names()]

    def files(self) -> Iterator[FileState]:
        """The files with their content."""
        changed = {state.path: state for state in self.changed}
        return (changed.get(name) or file_state(self.root / name, name) for name in self.names())

    def read(self, name: str) -> FileState | None:
        """One file or link; None if it does not exist. Raises PatchError for a name below a symbolic link."""
        for state in self.changed:
            if state.path == name:
                return None if state.content is None else state
        return tree_reader(self.root)(name) if self._belongs(name) and self._fits(name) else None

    def is_dir(self, name: str) -> bool:
        """Whether a directory of this name exists."""
        if self.changed:
            return any(other.startswith(f"{name}/") for other in self.names())
        return self._belongs(name) and self._fits(name) and (self.root / name).is_dir()

    def exists(self, name: str) -> bool:
        """Whether a file or a directory of this name exists."""
        if self.changed:
            return self.read(name) is not None or self.is_dir(name)
        return self._belongs(name) and self._fits(name) and (self.root / name).exists()

    def digest(self) -> str:
        """SHA-256 of kinds, names and contents. Equal trees have equal digests."""
        total = hashlib.sha256()
        for file in self.files():
            content = file.content or b""
            kind = "l" if file.link else "x" if file.mode & 0o100 else "-"
            total.update(f"{kind} {len(content)} {file.path}\n".encode())
            total.update(content)
        return total.hexdigest()

    def _found(self, start: str) -> Iterator[str]:
        """The names at and below `start`."""
        place = self.root / start
        if start != "." and not self._belongs(start):
            return
        if place.is_dir() and not place.is_symlink():
            yield from _names_below(self.root, "" if start == "." else f"{start}/", _NEVER, self.without)
        elif place.is_symlink() or place.is_file():
            yield start

    def _fits(self, name: str) -> bool:
        """Whether this host can have such a name. An agent's container can have longer ones: its workdir is short."""
        try:
            os.lstat(self.root / name)
        except OSError as error:
            return error.errno != errno.ENAMETOOLONG
        return True

    def _belongs(self, name: str) -> bool:
        path = PurePosixPath(name)
        above = {path.as_posix(), *(parent.as_posix() for parent in path.parents)}
        if not _NEVER.isdisjoint(path.parts) or not self.without.isdisjoint(above):
            return False
        return not self.only or not self.only.isdisjoint(above)


def is_utf8(name: str) -> bool:
    """Whether a file name is valid UTF-8: Python reads other bytes as surrogates."""
    return name.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in name)


def files_below(directory: Path) -> list[Path]:
    """Every file and symbolic link below `directory`, sorted by relative path; Python's caches are left out."""
    names = sorted(_names_below(directory, "", _CACHES), key=lambda name: name.split("/"))
    return [directory / name for name in names]


def _names_below(
    root: Path, above: str, skipped: frozenset[str], without: Container[str] = ()
) -> Iterator[str]:
    """The names of files and links in the directory `above` of `root`. Directories that are left out are not listed.

    `skipped`: last parts of names that are left out; `without`: whole names.
    """
    with os.scandir(root / above) as entries:
        for entry in entries:
            name = above + entry.name
            if entry.name in skipped or name in without:
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _names_below(root, f"{name}/", skipped, without)
            elif entry.is_symlink() or entry.is_file():
                yield name


def digest_of(*roots: Path) -> str:
    """SHA-256 of names, executable bits and contents of these files and trees. Equal trees have equal digests."""
    total = hashlib.sha256()
    for root in roots:
        for path in [root] if root.is_file() else files_below(root):
            name = path.name if path == root else f"{root.name}/{path.relative_to(root).as_posix()}"
            if path.is_symlink():
                mode, content = "l", str(path.readlink()).encode()
            else:
                mode = "x" if path.stat().st_mode & 0o100 else "-"
                content = path.read_bytes()
            total.update(f"{mode} {len(content)} {name}\n".encode())
            total.update(content)
    return total.hexdigest()
