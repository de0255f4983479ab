"""Reads the members of an `.eval` file, the zip archive that Inspect writes: samples, and summaries of them.

Members may be stored, deflated, or compressed with Zstandard (method 93), which `zipfile` reads from Python 3.14 on.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from harness.archive_stream import ArchiveRefused, check_index
from runs.intake.reported.report_document import MAX_BYTES, parse_json
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.json_part import FileWindow, JsonPart

ZSTANDARD = 93
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, ZSTANDARD})
MAX_UNPACKED = 64 * 1024**3  # bytes of all samples together
_HEADER, _SUMMARIES, _JOURNAL = "header.json", "summaries.json", "_journal/summaries/"
_START, _SAMPLES = "_journal/start.json", "samples/"
_CHUNK = 64 * 1024
_LOCAL_HEADER = struct.Struct("<4s22xHH")  # signature, lengths of the name and of the extra field
_BROKEN = (
    *(ArchiveRefused, zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(RuntimeError, ValueError, NotImplementedError, MemoryError),
)


def is_archive(path: Path) -> bool:
    """Whether the file is a zip archive."""
    try:
        with path.open("rb") as file:
            return file.read(4) == b"PK\3\4"
    except OSError:
        return False


def is_log(path: Path) -> bool:
    """Whether the file is a log: a zip archive with a header, or with the beginning of one that has not ended."""
    if not is_archive(path):
        return False
    try:
        with path.open("rb") as file:
            check_index(file)
            with zipfile.ZipFile(file) as packed:
                return not {_HEADER, _START}.isdisjoint(packed.namelist())
    except _BROKEN:
        return False


def read_archive(path: Path, place: str) -> dict[str, Any]:
    """The header of a log with the summaries of its samples as `samples`. Raises ResultsRefused.

    What the samples say in detail, with their messages, is not read. A log whose run has not ended has the status
    'started', and the summaries that were written so far.
    """
    with _opened(path, place) as (packed, file):
        return _log(packed, file, place)


def sample_parts(path: Path, place: str) -> dict[str, JsonPart]:
    """The samples of a log with their messages, by the names of their members. Raises ResultsRefused.

    Of members with the same name the last one counts.
    """
    with _opened(path, place) as (packed, _):
        entries = {
            entry.filename: entry
            for entry in packed.infolist()
            if entry.filename.startswith(_SAMPLES) and entry.filename.endswith(".json")
        }
        if sum(entry.file_size for entry in entries.values()) > MAX_UNPACKED:
            raise ValueError(f"its samples have more than {MAX_UNPACKED:,} bytes")
        return {
            name: JsonPart.of(f"{place}, {name[:120]}", entry.file_size, partial(_Member, path, entry, place))
            for name, entry in entries.items()
        }


def name_of_member(sample: object, epoch: object) -> str:
    """The name that Inspect gives to the member of a sample."""
    return f"{_SAMPLES}{sample}_epoch_{epoch}.json"


@contextmanager
def _opened(path: Path, place: str) -> Iterator[tuple[zipfile.ZipFile, BinaryIO]]:
    try:
        with path.open("rb") as file:
            check_index(file)
            with zipfile.ZipFile(file) as packed:
                yield packed, file
    except _BROKEN as error:
        raise ResultsRefused(place, f"it cannot be unpacked: {error}") from error


def _log(packed: zipfile.ZipFile, file: BinaryIO, place: str) -> dict[str, Any]:
    names = packed.namelist()
    head = _HEADER if _HEADER in names else _START
    if head not in names:
        raise ResultsRefused(place, f"it has neither {_HEADER} nor {_START}: it is no log of Inspect")
    header = parse_json(_content(packed, file, head), f"{place}, {head}")
    if not isinstance(header, dict):
        raise ResultsRefused(place, f"{head} is not an object")
    parts = [_SUMMARIES] if _SUMMARIES in names else sorted(set(names_in_journal(names)))
    samples: list[Any] = []
    left = MAX_BYTES
    for name in parts:
        data = _content(packed, file, name, left)
        left -= len(data)
        found = parse_json(data, f"{place}, {name}")
        if not isinstance(found, list):
            raise ResultsRefused(place, f"{name} is not a list")
        samples += found
    ended = {} if head == _HEADER else {"status": "started"}
    return {**header, **ended, "samples": samples}


def names_in_journal(names: list[str]) -> list[str]:
    """The members with summaries of a log without a list of all of them."""
    return [name for name in names if name.startswith(_JOURNAL) and name.endswith(".json")]


def _content(packed: zipfile.ZipFile, file: BinaryIO, name: str, most: int = MAX_BYTES) -> bytes:
    entry = packed.getinfo(name)
    if entry.file_size > most or entry.compress_size > most:
        raise ValueError(f"{name} has more than {most:,} bytes")
    if entry.flag_bits & 1:
        raise ValueError(f"{name} is encrypted")
    if entry.compress_type != ZSTANDARD:
        with packed.open(entry) as content:
            data = content.read(entry.file_size + 1)
    else:
        with _decompressed(FileWindow(_path_of(file), _start(file, entry), entry.compress_size)) as stream:
            data = stream.read(entry.file_size + 1)
        if zlib.crc32(data) != entry.CRC:
            raise ValueError(f"{name} is damaged: its checksum is wrong")
    if len(data) != entry.file_size:
        raise ValueError(f"{name} has another size than the archive says")
    return data


def _path_of(file: BinaryIO) -> Path:
    return Path(file.name)


def _start(file: BinaryIO, entry: zipfile.ZipInfo) -> int:
    """Where the compressed bytes of a member begin: behind its own header."""
    file.seek(entry.header_offset)
    signature, name, extra = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
    if signature != b"PK\3\4":
        raise ValueError(f"{entry.filename[:80]!a} is damaged: its header is missing")
    return entry.header_offset + _LOCAL_HEADER.size + int(name) + int(extra)


class _Stream(Protocol):
    def read(self, size: int, /) -> bytes: ...

    def close(self) -> None: ...


class _Inflated:
    """The content of a deflated member, which is read in parts of bounded size."""

    def __init__(self, packed: FileWindow) -> None:
        self._packed = packed
        self._inner = zlib.decompressobj(-zlib.MAX_WBITS)

    def read(self, size: int, /) -> bytes:
        while not self._inner.eof:
            data = self._inner.unconsumed_tail or self._packed.read(_CHUNK)
            if found := self._inner.decompress(data, size):
                return found
            if not data:
                raise ValueError("it is cut off")
        return b""

    def close(self) -> None:
        self._packed.close()


def _decompressed(packed: FileWindow) -> Any:
    """The content of one or more frames of Zstandard."""
    import pyarrow as pa  # noqa: PLC0415 - 30 MB that only those pay who read such logs

    return pa.CompressedInputStream(pa.PythonFile(packed, mode="r"), "zstd")


class _Member:
    """The content of a member, checked at its end. `read` raises ResultsRefused if it is damaged."""

    def __init__(self, path: Path, entry: zipfile.ZipInfo, place: str) -> None:
        self._place, self._entry = place, entry
        self._size = self._checksum = 0
        try:
            if entry.flag_bits & 1:
                raise ValueError("it is encrypted")
            if entry.compress_type not in _METHODS:
                raise ValueError(f"its compression {entry.compress_type} is unknown")
            with path.open("rb") as file:
                start = _start(file, entry)
            self._stream = _stream(FileWindow(path, start, entry.compress_size), entry.compress_type)
        except _BROKEN as error:
            raise self._refused(error) from error

    def read(self, size: int, /) -> bytes:
        """At most so many bytes; none at the end."""
        try:
            part = self._stream.read(size)
            self._size += len(part)
            self._checksum = zlib.crc32(part, self._checksum)
            if self._size > self._entry.file_size or (not part and self._size < self._entry.file_size):
                raise ValueError("it has another size than the archive says")
            if not part and self._checksum != self._entry.CRC:
                raise ValueError("its checksum is wrong")
        except _BROKEN as error:
            raise self._refused(error) from error
        return part

    def close(self) -> None:
        """Closes the file."""
        self._stream.close()

    def _refused(self, error: BaseException) -> ResultsRefused:
        return ResultsRefused(
            f"{self._place}, {self._entry.filename[:120]}", f"it cannot be unpacked: {error}"
        )


def _stream(packed: FileWindow, method: int) -> _Stream:
    if method == zipfile.ZIP_STORED:
        return packed
    if method == zipfile.ZIP_DEFLATED:
        return _Inflated(packed)
    stream: _Stream = _decompressed(packed)
    return stream
