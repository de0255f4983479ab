"""A run directory as a zip that is made while it is sent, and that `import_runs` takes back."""

from __future__ import annotations

import os
import stat
import zipfile
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from runs.models import Run
from runs.transfer.importing import SUMMARY, files_of
from runs.transfer.sink import Sink
from runs.transfer.unpacking import MOST_BYTES

CHUNK = 256 * 1024
# The first moment that a zip can name: equal runs give equal files, whenever they are packed.
_NO_DATE = (1980, 1, 1, 0, 0, 0)
_PACKED = {".png": zipfile.ZIP_STORED}


class NotExportable(Exception):
    """There is nothing to give out. The message says why, in words for a reader."""


def files_to_export(run: Run) -> list[str]:
    """What of the run directory goes out, by relative path: the files that `import_runs` takes, and nothing else.

    Raises NotExportable for a run that is not over, and where a file is no regular one, or they are too many bytes.
    """
    if not is_plain(run.path / SUMMARY):
        raise NotExportable("This run has no complete run directory on this machine.")
    names = list(files_of(run.path))
    if any(not is_plain(run.path / name) for name in names) or (run.path / "artifacts").is_symlink():
        raise NotExportable("The run directory holds what is no regular file.")
    if sum((run.path / name).lstat().st_size for name in names) > MOST_BYTES:
        raise NotExportable("The run directory is larger than what is given out.")
    return names


def zipped(directory: Path, names: list[str]) -> Generator[bytes]:
    """The zip, chunk by chunk; never more than a chunk of it is in memory.

    A file that has become a link or longer than the format allows meanwhile ends it: the reader sees a broken archive.
    """
    sink = Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name in names:
            with suppress(FileNotFoundError), opened(directory / name) as file:
                for _ in _added(archive, f"{directory.name}/{name}", file):
                    if content := sink.take():
                        yield content
    yield sink.take()


def _added(archive: zipfile.ZipFile, name: str, file: BinaryIO) -> Iterator[None]:
    entry = zipfile.ZipInfo(name, _NO_DATE)
    entry.external_attr = (stat.S_IFREG | 0o644) << 16
    entry.compress_type = _PACKED.get(Path(name).suffix, zipfile.ZIP_DEFLATED)
    large = os.fstat(file.fileno()).st_size > zipfile.ZIP64_LIMIT // 2
    with archive.open(entry, "w", force_zip64=large) as member:
        while content := file.read(CHUNK):
            member.write(content)
            yield
    yield


def opened(path: Path) -> BinaryIO:
    """A file for reading, never through a link, whatever it was a moment ago."""
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb")


def is_plain(path: Path) -> bool:
    """Whether it is there, and a regular file."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False
