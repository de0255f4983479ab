"""Reads tables of results from CSV, JSON lines and Parquet, plain or compressed with gzip or xz.

Files are untrusted: lines, rows, columns and unpacked bytes have limits, and memory does not grow with a bomb.
"""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO

from harness.archive_stream import ArchiveRefused, ArchiveStream
from runs.intake.reported import parquet_lines
from runs.intake.reported.parquet_lines import MAX_LINE_LENGTH, MAX_ROWS  # the same for all forms
from runs.intake.reported.reported_result import ReportedResult, ResultsRefused
from runs.intake.reported.result_table import FIELD_NAMES, Row, parse_table

MAX_CHARACTERS = 2 * 1024**3  # of an unpacked file
_SUFFIXES = {".csv", ".jsonl", ".ndjson", ".parquet"}
_PACKED = {".gz", ".xz"}
_MAGIC = (b"\x1f\x8b", b"\xfd7zXZ\0")  # gzip, xz


class _Unpacked(io.RawIOBase):
    """A compressed file, unpacked in bounded memory while it is read."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._stream = ArchiveStream(file)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def is_table(path: Path) -> bool:
    """Whether the name of the file is that of a table."""
    return _suffix(path) in _SUFFIXES


def read_table(path: Path) -> list[ReportedResult]:
    """The results of one file. Raises ResultsRefused, which names the row and the column."""
    if not path.is_file():  # opening a pipe would wait for ever
        raise ResultsRefused(path.name, "it is not a file")
    suffix = _suffix(path)
    if suffix not in {".csv", ".parquet"}:
        return parse_table(path.name, FIELD_NAMES, _objects(path))
    rows = _parquet_rows(path) if suffix == ".parquet" else csv_rows(path)
    _, header = next(rows, (0, None))
    if header is None:
        raise ResultsRefused(path.name, "it is empty")
    return parse_table(path.name, header, rows)


def _suffix(path: Path) -> str:
    return Path(path.stem).suffix.lower() if path.suffix.lower() in _PACKED else path.suffix.lower()


def csv_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file with their numbers, from 1. Raises ResultsRefused.

    A row is one line: no value of a table has a line break, and a quote that never closes costs one line, not a file.
    """
    csv.field_size_limit(MAX_LINE_LENGTH)
    for number, line in enumerate(_lines(path), 1):
        try:
            row = next(csv.reader((line,), strict=True))
        except csv.Error as error:
            raise ResultsRefused(path.name, f"row {number} is not one line of CSV: {error}") from error
        if row:
            yield number, row


def _lines(path: Path) -> Iterator[str]:
    """The lines of a text file, with their ends. Raises ResultsRefused for a damaged or too large file."""
    try:
        with path.open("rb") as file:
            packed = file.peek(8).startswith(_MAGIC)
            plain = io.BufferedReader(_Unpacked(file)) if packed else file
            with io.TextIOWrapper(plain, encoding="utf-8-sig", newline="") as text:
                yield from _limited(path.name, text)
    except (ArchiveRefused, OSError, ValueError) as error:
        raise ResultsRefused(path.name, f"unreadable: {error}") from error


def _limited(place: str, text: IO[str]) -> Iterator[str]:
    read = number = 0
    while line := text.readline(MAX_LINE_LENGTH + 1):
        number += 1
        read += len(line)
        if len(line) > MAX_LINE_LENGTH:
            raise ResultsRefused(place, f"row {number} has more than {MAX_LINE_LENGTH:,} characters")
        if read > MAX_CHARACTERS:
            raise ResultsRefused(place, f"it has more than {MAX_CHARACTERS:,} characters")
        if number > MAX_ROWS + 1:
            raise ResultsRefused(place, f"it has more than {MAX_ROWS:,} rows: divide it by agents")
        if "\0" in line:
            raise ResultsRefused(place, f"row {number} has a NUL character: is it a text file?")
        yield line


def _objects(path: Path) -> Iterator[tuple[int, Row]]:
    known = set(FIELD_NAMES)
    for number, line in enumerate(_lines(path), 1):
        if line.isspace():
            continue
        try:
            found = _DECODER.decode(line)
        except (ValueError, RecursionError) as error:
            raise ResultsRefused(path.name, f"row {number} is not JSON: {error}") from error
        if not isinstance(found, dict):
            raise ResultsRefused(path.name, f"row {number} is not an object with the columns as names")
        if not known.issuperset(found):
            unknown = min(found.keys() - known)
            raise ResultsRefused(
                path.name,
                f"row {number}, column {unknown[:80]!r}: unknown; known are {', '.join(FIELD_NAMES)}",
            )
        yield number, list(map(found.get, FIELD_NAMES))


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number of JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object has the same name twice")
    return found


_DECODER = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_unique)


def _parquet_rows(path: Path) -> Iterator[tuple[int, list[Any]]]:
    """The names of the columns, then the rows, numbered from 0.

    A process of its own reads them, because a page may unpack to any size, and a damaged file may end the process.
    """
    command = [sys.executable, "-I", parquet_lines.__file__, str(path.absolute())]
    environment = {**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system"}
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL, env=environment
        ) as child,
    ):
        try:
            text = io.TextIOWrapper(child.stdout, encoding="ascii")  # type: ignore[type-var]
            yield from enumerate(row for line in _limited(path.name, text) for row in json.loads(line))
            child.wait()
        finally:
            child.kill()
        errors.seek(0)
        reason = errors.read(parquet_lines.MAX_REASON_LENGTH).decode(errors="replace").strip()
    if child.returncode < 0:
        reason = f"reading it needs too much memory or time, or it is damaged (signal {-child.returncode})"
    if child.returncode:
        raise ResultsRefused(path.name, reason)
