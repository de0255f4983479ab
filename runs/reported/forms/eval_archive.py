"""Reads the members of an `.eval` file, the zip archive that Inspect writes.

Members may be stored, deflated, or compressed with Zstandard (method 93), which `zipfile` reads from Python 3.14 on.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any, BinaryIO

from harness.archive_stream import ArchiveRefused, check_index
from runs.reported.report_document import MOST_BYTES, parse_json
from runs.reported.reported_result import ResultsRefused

ZSTANDARD = 93
_HEADER, _SUMMARIES, _JOURNAL = "header.json", "summaries.json", "_journal/summaries/"
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


def read_archive(path: Path, place: str) -> dict[str, Any]:
    """The header of a log with the summaries of its samples as `samples`. Raises ResultsRefused.

    What the samples say in detail, with their messages, is not read.
    """
    try:
        with path.open("rb") as file:
            check_index(file)
            with zipfile.ZipFile(file) as packed:
                return _log(packed, file, place)
    except _BROKEN as error:
        raise ResultsRefused(place, f"it cannot be unpacked: {error}") from error


def _log(packed: zipfile.ZipFile, file: BinaryIO, place: str) -> dict[str, Any]:
    names = packed.namelist()
    if _HEADER not in names:
        raise ResultsRefused(place, f"it has no {_HEADER}: it is no log of Inspect, or its run has not ended")
    header = parse_json(_content(packed, file, _HEADER), f"{place}, {_HEADER}")
    if not isinstance(header, dict):
        raise ResultsRefused(place, f"{_HEADER} is not an object")
    parts = [_SUMMARIES] if _SUMMARIES in names else sorted(set(names_in_journal(names)))
    samples: list[Any] = []
    left = MOST_BYTES
    for name in parts:
        data = _content(packed, file, name, left)
        left -= len(data)
        found = parse_json(data, f"{place}, {name}")
        if not isinstance(found, list):
            raise ResultsRefused(place, f"{name} is not a list")
        samples += found
    return {**header, "samples": samples}


def names_in_journal(names: list[str]) -> list[str]:
    """The members with summaries of a log without a list of all of them."""
    return [name for name in names if name.startswith(_JOURNAL) and name.endswith(".json")]


def _content(packed: zipfile.ZipFile, file: BinaryIO, name: str, most: int = MOST_BYTES) -> bytes:
    entry = packed.getinfo(name)
    if entry.file_size > most or entry.compress_size > most:
        raise ValueError(f"{name} has more than {most:,} bytes")
    if entry.flag_bits & 1:
        raise ValueError(f"{name} is encrypted")
    if entry.compress_type != ZSTANDARD:
        with packed.open(entry) as content:
            data = content.read(entry.file_size + 1)
    else:
        data = _decompressed(_packed(file, entry), entry.file_size)
        if zlib.crc32(data) != entry.CRC:
            raise ValueError(f"{name} is damaged: its checksum is wrong")
    if len(data) != entry.file_size:
        raise ValueError(f"{name} has another size than the archive says")
    return data


def _packed(file: BinaryIO, entry: zipfile.ZipInfo) -> bytes:
    """The compressed bytes of a member, which follow its own header."""
    file.seek(entry.header_offset)
    signature, name, extra = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
    if signature != b"PK\3\4":
        raise ValueError(f"{entry.filename[:80]!a} is damaged: its header is missing")
    file.seek(name + extra, 1)
    return file.read(entry.compress_size)


def _decompressed(data: bytes, size: int) -> bytes:
    """At most `size` + 1 bytes."""
    import pyarrow as pa  # noqa: PLC0415 - 30 MB that only those pay who read such logs

    with pa.CompressedInputStream(pa.BufferReader(data), "zstd") as stream:
        found: bytes = stream.read(size + 1)
    return found
