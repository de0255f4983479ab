"""Unpacks tar and zip files that other people may have made: run directories, and files of other tools.

Each member is checked, then written or skipped, in one pass: nothing is read into memory as a whole, and no more than
the limits below is written to disk. Only the files that the caller wants are written.
"""

from __future__ import annotations

import os
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from harness.archive_stream import (
    BLOCK,
    CHUNK,
    ArchiveRefused,
    ArchiveStream,
    check_index,
    padding,
    shown,
    tar_entries,
)
from harness.pictures import MAX_PICTURE_BYTES
from harness.records import ARTIFACTS
from runs.transfer.imported_names import UNSEEN
from runs.transfer.record_files import JUDGED_NAME, MAX_FILE_BYTES, MAX_JUDGED_BYTES

MAX_BYTES = 4 * 1024**3
MAX_FILES = 100_000
MAX_NAME_LENGTH, MAX_PART_LENGTH, MAX_DEPTH = 1000, 200, 20
Wanted = Callable[[PurePosixPath], int]
"""How many bytes a file may have; 0 for one that is not written."""
_ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1
_ZIP_STARTS = (b"PK\3\4", b"PK\5\6")
_STARTS = (*_ZIP_STARTS, b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0")
# zlib and struct have errors of their own, which are none of Python's.
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(RuntimeError, ValueError, NotImplementedError, MemoryError),
)


@dataclass(slots=True)
class _Seen:
    """What an archive held so far. `wanted`: the files that are written. `homes`: the directories."""

    wanted: Wanted
    count: int = 0
    size: int = 0
    paths: dict[str, str] = field(default_factory=dict)
    files: set[str] = field(default_factory=set)
    homes: set[str] = field(default_factory=set)

    def add(self, name: str, size: int, *, is_file: bool, is_directory: bool) -> PurePosixPath:
        """The path of the next member. Raises ArchiveRefused if it is not allowed."""
        self.count += 1
        if self.count > MAX_FILES:
            raise ArchiveRefused(f"holds more than {MAX_FILES} files")
        if not is_file and not is_directory:
            raise ArchiveRefused(f"the member {shown(name)} is neither a file nor a directory")
        path = _path(name)
        self.size += size
        if self.size > MAX_BYTES:
            raise ArchiveRefused(
                f"the member {shown(name)} of {size} bytes is too large: an archive may hold {MAX_BYTES} bytes"
            )
        if most := self.wanted(path):
            check_size(name, size, most)
        self._check_twins(path, is_file=is_file)
        return path

    def _check_twins(self, path: PurePosixPath, *, is_file: bool) -> None:
        """No file comes twice, and no name differs from another one only by case or by the form of its letters."""
        for one in (path, *path.parents[:-1]):
            here = str(one)
            twin = self.paths.setdefault(unicodedata.normalize("NFKC", here).casefold(), here)
            if twin != here:
                raise ArchiveRefused(f"the members {shown(twin)} and {shown(here)} differ only by case")
        if is_file:
            if str(path) in self.files:
                raise ArchiveRefused(f"the member {shown(str(path))} is there twice")
            self.files.add(str(path))
        self._check_homes(path, is_file=is_file)

    def _check_homes(self, path: PurePosixPath, *, is_file: bool) -> None:
        """No file is a directory, too, whichever comes first."""
        homes = [str(home) for home in path.parents[:-1]]
        self.homes.update(homes if is_file else [*homes, str(path)])
        both = (name for name in (*homes, str(path)) if name in self.files and name in self.homes)
        if clash := next(both, ""):
            raise ArchiveRefused(f"the member {shown(clash)} is a file and a directory")


def is_packed(path: Path) -> bool:
    """Whether a file begins as a zip file or as a tar file that may be compressed. False for one that is unreadable."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            start = file.read(BLOCK)
    except OSError:
        return False
    return start.startswith(_STARTS) or start[257:262] == b"ustar"


def file_of_run(path: PurePosixPath) -> int:
    """How many bytes a file of a run directory may have; 0 for other files."""
    folder = path.parent.name
    if folder in MAX_JUDGED_BYTES:
        return MAX_JUDGED_BYTES[folder] if JUDGED_NAME.fullmatch(path.name) else 0
    return MAX_PICTURE_BYTES if folder == ARTIFACTS else MAX_FILE_BYTES.get(path.name, 0)


def any_file(path: PurePosixPath) -> int:
    """How many bytes a file may have; 0 for hidden files, and for what macOS adds to archives."""
    hidden = any(part.startswith(".") or part == "__MACOSX" for part in path.parts)
    return 0 if hidden else MAX_BYTES


def unpack(archive: Path, directory: Path, wanted: Wanted = file_of_run) -> None:
    """Writes the wanted files of a tar or zip file below `directory`, without owners, modes and times.

    Raises ArchiveRefused; what was written before stays, so `directory` should be a temporary one.
    """
    try:
        # Without waiting for a writer, if it is a pipe.
        with os.fdopen(os.open(archive, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            before = os.fstat(file.fileno())
            if not stat.S_ISREG(before.st_mode):
                raise ArchiveRefused("is neither a directory nor a tar or zip file")
            _unpack(file, directory, _Seen(wanted))
            after = archive.stat()
    except _BROKEN as error:
        raise ArchiveRefused(f"cannot be unpacked: {type(error).__name__}: {error}") from error
    if _state(before) != _state(after):
        raise ArchiveRefused("was changed while it was read")


def check_size(name: str, size: int, most: int) -> None:
    """Raises ArchiveRefused for a file of a run that is too large."""
    if size > most:
        raise ArchiveRefused(f"the member {shown(name)} has {size} bytes; at most {most} are allowed")


def _state(found: os.stat_result) -> tuple[int, ...]:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _unpack(file: BinaryIO, directory: Path, seen: _Seen) -> None:
    start = file.read(4)
    file.seek(0)
    if start in _ZIP_STARTS:
        _unpack_zip(file, directory, seen)
    else:
        _unpack_tar(ArchiveStream(file), directory, seen)


def _unpack_tar(stream: ArchiveStream, directory: Path, seen: _Seen) -> None:
    for entry in tar_entries(stream):
        path = seen.add(entry.name, entry.size, is_file=entry.is_file, is_directory=entry.is_directory)
        content = stream.chunks(entry.size, f"the member {shown(entry.name)}")
        if entry.is_file and seen.wanted(path):
            _write(directory / path, content)
        else:
            for _ in content:
                pass
        stream.exactly(padding(entry.size), f"the member {shown(entry.name)}")


def _unpack_zip(file: BinaryIO, directory: Path, seen: _Seen) -> None:
    count = check_index(file)
    with zipfile.ZipFile(file) as packed:
        if len(packed.infolist()) != count:
            raise ArchiveRefused(f"says that it has {count} members, but lists {len(packed.infolist())}")
        for entry in packed.infolist():
            kind = stat.S_IFMT(entry.external_attr >> 16)
            is_directory = entry.is_dir() and kind in (0, stat.S_IFDIR)
            is_file = not entry.is_dir() and kind in (0, stat.S_IFREG)
            # The name as it is stored: the module cuts it at a NUL.
            name = entry.orig_filename
            path = seen.add(name, entry.file_size, is_file=is_file, is_directory=is_directory)
            if entry.compress_type not in _ZIP_METHODS or entry.flag_bits & _ENCRYPTED:
                raise ArchiveRefused(
                    f"the member {shown(entry.filename)} is encrypted, or neither stored nor deflated"
                )
            if is_file and seen.wanted(path):
                _write(directory / path, _zip_chunks(packed, entry))


def _zip_chunks(packed: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """The content, which is as long as the list of members says, or refused."""
    size = 0
    try:
        with packed.open(entry) as content:
            while part := content.read(CHUNK):
                size += len(part)
                yield part
    except _BROKEN as error:
        reason = f"the member {shown(entry.filename)} cannot be unpacked: {type(error).__name__}: {error}"
        raise ArchiveRefused(reason) from error
    if size != entry.file_size:
        raise ArchiveRefused(f"the member {shown(entry.filename)} has another size than the archive says")


def _path(name: str) -> PurePosixPath:
    """The path of a member below the archive's root. Raises ArchiveRefused for an absolute, odd or long one."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name:
        raise ArchiveRefused(f"the member {shown(name)} points out of the archive")
    if any(unicodedata.category(letter) in UNSEEN for letter in name):
        raise ArchiveRefused(f"the member {shown(name)} has a control character in its name")
    parts = path.parts
    if (
        len(name) > MAX_NAME_LENGTH
        or len(parts) > MAX_DEPTH
        or any(len(os.fsencode(part)) > MAX_PART_LENGTH for part in parts)
    ):
        raise ArchiveRefused(
            f"the member {shown(name)} has too long a name: at most {MAX_NAME_LENGTH} characters, {MAX_DEPTH} "
            f"levels and {MAX_PART_LENGTH} bytes a level are allowed"
        )
    return path


def _write(target: Path, content: Iterator[bytes]) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("xb") as file:
        for part in content:
            file.write(part)
