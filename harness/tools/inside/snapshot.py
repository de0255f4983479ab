"""What changed in the workspace since the last look, whoever changed it."""

from __future__ import annotations

import os
import stat
from typing import Any

from .diff import Version, describe

EXCLUDED = frozenset({".git", "__pycache__", ".pytest_cache", "node_modules"})
TEXT_LIMIT = 1024 * 1024
STORE_LIMIT = 64 * 1024 * 1024
REPLY_LIMIT = 1024 * 1024


class Snapshot:
    """The workspace as it was at the last look. Contents are kept, within bounds, so that changes can be shown."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._signatures = _scan(root)
        self._versions: dict[str, Version] = {}
        self._stored = 0
        for path, signature in self._signatures.items():
            self._remember(path, self._read(path, signature))

    def changes(self) -> list[dict[str, Any]]:
        """Every file that differs from the last look, by path, as the fields of a FileEdit. Now is the last look."""
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
            # Between the walk and now, anything may have taken the file's place: never wait for it.
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
            continue  # it went away, or may not be read
    return found
