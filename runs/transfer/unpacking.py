"""Unpacks tar and zip files that a stranger may have made: plain files only, and only below one directory.

`TarFile.extractall` is not used, because its safe filter is missing in Python 3.11.0 to 3.11.3.
"""

from __future__ import annotations

import lzma
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

MOST_BYTES = 4 * 1024**3
MOST_FILES = 1_000_000


class ArchiveRefused(Exception):
    """The file is no archive, or it is broken, too large or dangerous. The message says why."""


@dataclass(frozen=True, slots=True)
class Member:
    """One entry of an archive. Links and devices are neither files nor directories. `open` opens a file."""

    name: str
    size: int
    is_file: bool
    is_directory: bool
    open: Callable[[], IO[bytes] | None]


def unpack(archive: Path, directory: Path) -> None:
    """Writes the files of a tar or zip file below `directory`, without their owners, modes and times.

    Raises ArchiveRefused. All members are checked before the first one is written.
    """
    if not archive.is_file() or not (zipfile.is_zipfile(archive) or tarfile.is_tarfile(archive)):
        raise ArchiveRefused("is neither a directory nor a tar or zip file")
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as packed:
                _write(_checked(_zip_members(packed)), directory)
        else:
            with tarfile.open(archive) as tar:
                _write(_checked(_tar_members(tar)), directory)
    except (
        zipfile.BadZipFile,
        tarfile.TarError,
        lzma.LZMAError,
        zlib.error,
        EOFError,
        OSError,
        RuntimeError,
        ValueError,
    ) as error:
        raise ArchiveRefused(f"cannot be unpacked: {error}") from error


def _zip_members(packed: zipfile.ZipFile) -> Iterator[Member]:
    for entry in packed.infolist():
        plain = not stat.S_ISLNK(entry.external_attr >> 16)
        is_directory = entry.is_dir()
        yield Member(
            entry.filename,
            entry.file_size,
            is_file=plain and not is_directory,
            is_directory=plain and is_directory,
            open=partial(packed.open, entry),
        )


def _tar_members(tar: tarfile.TarFile) -> Iterator[Member]:
    for entry in tar:
        yield Member(entry.name, entry.size, entry.isfile(), entry.isdir(), partial(tar.extractfile, entry))


def _checked(members: Iterable[Member]) -> list[Member]:
    """All members. Raises ArchiveRefused at the first one that is not allowed: a bomb is not read to its end."""
    checked: list[Member] = []
    size = 0
    for member in members:
        checked.append(member)
        size += member.size
        if len(checked) > MOST_FILES or size > MOST_BYTES:
            raise ArchiveRefused(f"holds more than {MOST_FILES} files or {MOST_BYTES} bytes")
        name = PurePosixPath(member.name)
        if name.is_absolute() or ".." in name.parts or "\\" in member.name:
            raise ArchiveRefused(f"the member {member.name!r} points out of the archive")
        if not member.is_file and not member.is_directory:
            raise ArchiveRefused(f"the member {member.name!r} is neither a file nor a directory")
    return checked


def _write(members: Iterable[Member], directory: Path) -> None:
    for member in members:
        target = directory / member.name
        if member.is_directory:
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        content = member.open()
        assert content is not None, "checked: it is a file"
        with content, target.open("wb") as file:
            shutil.copyfileobj(content, file)
