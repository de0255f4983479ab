"""A run directory as a zip file that is sent while it is written, and that `import_runs` reads.

It is for everybody: without the output of the grading, and with the public texts of its verdict.
"""

from __future__ import annotations

import io
import os
import stat
import zipfile
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from harness.pictures import PICTURE_SUFFIXES
from harness.records import ARTIFACTS, LOG, SUBMISSIONS, SUMMARY, TESTS
from runs.data.run_facts.public_grading import public_submissions, public_summary, public_tests
from runs.models import Run
from runs.transfer.grading_file import CLAIMED_SUMMARY, CLAIMED_TESTS, GRADINGS
from runs.transfer.record_files import files_of
from runs.transfer.sink import Sink
from runs.transfer.unpacking import MAX_BYTES
from runs.work.execution.run_signature import SIGNATURE

CHUNK = 256 * 1024
# Only larger files are compressed: 80 of 1 KB are stored in 2.7 ms, and with a compressor for each in 5.7 ms.
MIN_COMPRESSED_BYTES = 4096
# The signature is that of the files as they are stored, not of the public ones.
# What was claimed may quote what tests wrote.
LEFT_OUT = {LOG, SIGNATURE, f"{GRADINGS}/{CLAIMED_SUMMARY}", f"{GRADINGS}/{CLAIMED_TESTS}"}
_REWRITTEN = {SUMMARY: public_summary, TESTS: public_tests, SUBMISSIONS: public_submissions}
# The first moment that a zip can name: equal runs give equal files, whenever they are packed.
_NO_DATE = (1980, 1, 1, 0, 0, 0)
_PACKED = frozenset(PICTURE_SUFFIXES.values())


class NotExportable(Exception):
    """The run directory is not exported. The message gives the reason for readers."""


def files_to_export(run: Run) -> list[str]:
    """The files of the run directory that `import_runs` reads, by relative path, without those for operators.

    Raises NotExportable for a run that is not over, for files that are not regular ones, and for too many bytes.
    """
    if not is_plain(run.path / SUMMARY):
        raise NotExportable("This run has no complete run directory on this machine.")
    names = [name for name in files_of(run.path) if name not in LEFT_OUT]
    if any(not is_plain(run.path / name) for name in names) or (run.path / ARTIFACTS).is_symlink():
        raise NotExportable("The run directory contains something that is not a regular file.")
    if sum((run.path / name).lstat().st_size for name in names) > MAX_BYTES:
        raise NotExportable("The run directory is too large to be exported.")
    try:
        for name in _REWRITTEN.keys() & set(names):
            _public(run.path / name).close()
    except (ValueError, RecursionError) as error:
        raise NotExportable("The run directory has an unreadable summary or report.") from error
    return names


def zipped(directory: Path, names: list[str]) -> Generator[bytes]:
    """The zip file, chunk by chunk; no more than a chunk is in memory.

    If a file has become a link or too long for the format, the stream ends early, and the archive is broken.
    """
    sink = Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name in names:
            with suppress(FileNotFoundError), _public(directory / name) as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(0)
                for _ in added(archive, f"{directory.name}/{name}", parts_of(file), size):
                    if content := sink.take():
                        yield content
    yield sink.take()


def added(archive: zipfile.ZipFile, name: str, parts: Iterable[bytes], size: int) -> Iterator[None]:
    """Adds a file part by part, with a pause after each. `size`: about how many bytes it has."""
    entry = zipfile.ZipInfo(name, _NO_DATE)
    entry.external_attr = (stat.S_IFREG | 0o644) << 16
    is_packed = size <= MIN_COMPRESSED_BYTES or Path(name).suffix in _PACKED
    entry.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
    with archive.open(entry, "w", force_zip64=size > zipfile.ZIP64_LIMIT // 4) as member:
        for content in parts:
            member.write(content)
            yield
    yield


def parts_of(file: BinaryIO) -> Iterator[bytes]:
    """The rest of a file, chunk by chunk."""
    while content := file.read(CHUNK):
        yield content


def _public(path: Path) -> BinaryIO:
    """The file as everybody may read it."""
    file = opened(path)
    if path.name not in _REWRITTEN:
        return file
    with file:
        return io.BytesIO(_REWRITTEN[path.name](file.read()))


def opened(path: Path, buffering: int = -1) -> BinaryIO:
    """Opens a file for reading, never through a symbolic link, even if it has just become one.

    `buffering` 0: for those who read it in large parts.
    """
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb", buffering)


def is_plain(path: Path) -> bool:
    """Whether it is an existing regular file."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False
