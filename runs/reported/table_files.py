"""Reads tables of results from CSV, JSON lines and Parquet, plain or compressed with gzip or xz.

Files are untrusted: lines, rows, columns and unpacked bytes have limits, and memory does not grow with a bomb.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from runs.reported.reported_result import ReportedResult, ResultsRefused
from runs.reported.result_table import FIELD_NAMES, MOST_COLUMNS, MOST_ROWS, Row, parse_table

LONGEST_LINE = 4 * 1024 * 1024  # characters: a row with the names of many tests
MOST_BYTES = 2 * 1024**3  # unpacked
_PACKED: Mapping[str, Callable[[Path], Any]] = {".gz": gzip.GzipFile, ".xz": lzma.LZMAFile}
# Errors of damaged archives and of text that is not UTF-8.
_DAMAGE = (EOFError, OSError, lzma.LZMAError, UnicodeDecodeError, ValueError)


def is_table(path: Path) -> bool:
    """Whether the name of the file is that of a table."""
    return _suffix(path) in {".csv", ".jsonl", ".ndjson", ".parquet"}


def read_table(path: Path) -> list[ReportedResult]:
    """The results of one file. Raises ResultsRefused, which names the row and the column."""
    readers = {".csv": _csv, ".jsonl": _json_lines, ".ndjson": _json_lines, ".parquet": _parquet}
    return readers[_suffix(path)](path)


def _suffix(path: Path) -> str:
    return Path(path.stem).suffix.lower() if path.suffix.lower() in _PACKED else path.suffix.lower()


def unpacked(path: Path) -> IO[bytes]:
    """The file, unpacked while it is read."""
    opened: IO[bytes] = _PACKED.get(path.suffix.lower(), Path.open)(path, "rb")
    return opened


def lines(path: Path) -> Iterator[str]:
    """The lines of a text file, with their ends. Raises ResultsRefused for a damaged or too large file."""
    read = number = 0
    try:
        with io.TextIOWrapper(unpacked(path), encoding="utf-8-sig", newline="") as text:
            while line := text.readline(LONGEST_LINE + 1):
                number += 1
                read += len(line)
                if len(line) > LONGEST_LINE:
                    raise ResultsRefused(
                        path.name, f"line {number} has more than {LONGEST_LINE:,} characters"
                    )
                if read > MOST_BYTES:
                    raise ResultsRefused(path.name, f"it unpacks to more than {MOST_BYTES:,} bytes")
                if "\0" in line:
                    raise ResultsRefused(path.name, f"line {number} has a NUL character: is it a text file?")
                yield line
    except _DAMAGE as error:
        raise ResultsRefused(path.name, f"unreadable after line {number}: {error}") from error


def _csv(path: Path) -> list[ReportedResult]:
    csv.field_size_limit(LONGEST_LINE)
    reader = csv.reader(lines(path), strict=True)
    header = _next_row(path, reader)
    if header is None:
        raise ResultsRefused(path.name, "it is empty")

    def rows() -> Iterator[tuple[int, Row]]:
        number = 1
        while (row := _next_row(path, reader)) is not None:
            number += 1
            if row:
                yield number, row

    return parse_table(path.name, header, rows())


def _next_row(path: Path, reader: Any) -> list[str] | None:
    try:
        return next(reader, None)
    except csv.Error as error:
        raise ResultsRefused(path.name, f"line {reader.line_num} is not CSV: {error}") from error


def _json_lines(path: Path) -> list[ReportedResult]:
    return parse_table(path.name, FIELD_NAMES, _objects(path))


def _objects(path: Path) -> Iterator[tuple[int, Row]]:
    known = set(FIELD_NAMES)
    for number, line in enumerate(lines(path), 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise ResultsRefused(path.name, f"row {number} is not JSON: {error}") from error
        if not isinstance(found, dict):
            raise ResultsRefused(path.name, f"row {number} is not an object with the columns as names")
        for name in found.keys() - known:
            raise ResultsRefused(
                path.name,
                f"row {number}, column {name[:80]!r}: no such column; known are {', '.join(FIELD_NAMES)}",
            )
        yield number, [found.get(name) for name in FIELD_NAMES]


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number of JSON")


def _parquet(path: Path) -> list[ReportedResult]:
    import pyarrow as pa  # noqa: PLC0415 - 30 MB that only those pay who read Parquet
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        with pq.ParquetFile(path) as file:
            about = file.metadata
            groups = [about.row_group(at) for at in range(about.num_row_groups)]
            if about.num_rows > MOST_ROWS:
                raise ResultsRefused(
                    path.name, f"it has {about.num_rows:,} rows; at most {MOST_ROWS:,} are read"
                )
            if about.num_columns > MOST_COLUMNS:
                raise ResultsRefused(
                    path.name, f"it has {about.num_columns:,} columns; at most {MOST_COLUMNS} are read"
                )
            if sum(group.total_byte_size for group in groups) > MOST_BYTES:
                raise ResultsRefused(path.name, f"it unpacks to more than {MOST_BYTES:,} bytes")
            header = file.schema_arrow.names
            return parse_table(path.name, header, _rows_of(file, header))
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise ResultsRefused(path.name, f"it is not a Parquet file, or damaged: {error}") from error


def _rows_of(file: Any, header: list[str]) -> Iterator[tuple[int, Row]]:
    """Rows in batches, so that few values exist as objects at a time. Their numbers begin with 1."""
    number = 0
    for batch in file.iter_batches(batch_size=10_000):
        columns = [batch.column(at).to_pylist() for at in range(len(header))]
        for row in zip(*columns, strict=True):
            number += 1
            yield number, row
