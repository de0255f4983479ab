"""Reads source archives into memory: nothing is unpacked to disk, and size, number and names of files are limited."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from pathlib import Path, PurePosixPath

from harness.archive_stream import ArchiveRefused, ArchiveStream, padding, shown, tar_entries
from harness.patches import FileState, PatchError, check_path
from tasks.generation.pulls.changes import Files

MAX_ARCHIVE_BYTES = 256 << 20  # packed
MAX_TREE_BYTES = 256 << 20  # unpacked, as in a dataset
MAX_FILES = 50_000
_MAX_NAME_LENGTH = 1000
_LEFT_OUT = frozenset({".git", "__pycache__"})


def read_archive(path: Path, *, top: bool = True) -> Files:
    """The files of a tar archive (plain, gzip, bzip2 or xz) by path.

    `top`: whether all lies in one directory, whose name is left out. Links that stay inside the tree are kept. Others,
    devices, files of git, and compiled Python, from which agents could read the original, are left out. Raises
    ArchiveRefused if it is damaged, too large, or names paths outside the tree.
    """
    size = path.stat().st_size
    if size > MAX_ARCHIVE_BYTES:
        raise ArchiveRefused(f"{path.name} has {size} bytes; at most {MAX_ARCHIVE_BYTES} are read")
    try:
        with path.open("rb") as file:
            return _Tree(1 if top else 0).read(ArchiveStream(file))
    except (ArchiveRefused, PatchError) as error:
        raise ArchiveRefused(f"{path.name} {error}") from error


def digest_of_file(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class _Tree:
    def __init__(self, leave_out: int) -> None:
        self.leave_out = leave_out  # parts at the beginning of each name
        self.tops = Counter[str]()
        self.total = 0
        self.files: dict[str, FileState] = {}

    def read(self, stream: ArchiveStream) -> Files:
        for number, entry in enumerate(tar_entries(stream), 1):
            if number > MAX_FILES:
                raise ArchiveRefused(f"holds more than {MAX_FILES} members")
            self.total += entry.size
            if self.total > MAX_TREE_BYTES:
                raise ArchiveRefused(f"holds more than {MAX_TREE_BYTES >> 20} MB")
            name = self._name(entry.name)
            content = stream.exactly(entry.size, f"the member {shown(entry.name)}")
            stream.exactly(padding(entry.size), f"the member {shown(entry.name)}")
            if not name or entry.is_directory or not _LEFT_OUT.isdisjoint(name.split("/")):
                continue
            check_path(name)
            if entry.is_file:
                self.files[name] = FileState(name, content, 0o755 if entry.executable else 0o644)
            elif entry.link and stays_inside(name, entry.link):
                self.files[name] = FileState(name, os.fsencode(entry.link), link=True)
        if self.leave_out and len(self.tops) > 1:
            names = ", ".join(shown(name) for name in sorted(self.tops)[:3])
            raise ArchiveRefused(f"holds more than one directory at the top: {names}")
        return without_paths_below_links(self.files)

    def _name(self, written: str) -> str:
        if len(written) > _MAX_NAME_LENGTH:
            raise ArchiveRefused(f"the member {shown(written)} has too long a name")
        path = PurePosixPath(written)
        if path.is_absolute() or ".." in path.parts:
            raise ArchiveRefused(f"the member {shown(written)} points out of the archive")
        if self.leave_out and path.parts and path.parts[0] != "pax_global_header":
            self.tops[path.parts[0]] += 1
        return "/".join(path.parts[self.leave_out :])


def stays_inside(name: str, target: str) -> bool:
    """Whether a link can only lead to a place inside its tree; false for '..' behind a name."""
    parts = target.split("/")
    climbs = parts.count("..")
    return not target.startswith("/") and parts[:climbs] == [".."] * climbs and climbs <= name.count("/")


def without_paths_below_links(files: Files) -> Files:
    """The files whose directories are no links or files: an archive may name both."""
    return {
        name: file
        for name, file in files.items()
        if not any(str(parent) in files for parent in list(PurePosixPath(name).parents)[:-1])
    }
