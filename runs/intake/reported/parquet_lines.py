"""A program that prints a Parquet file as JSON: each line is a list of rows, the first row the names of the columns.

It has a limit on memory and time. With a file that it refuses, it ends with 1 and the reason on its error stream.
It imports nothing of the project, so that it starts quickly.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from decimal import Decimal
from itertools import islice
from typing import Any

MAX_MEMORY = 2 * 1024**3  # bytes of address space; libraries need a quarter of it
MAX_SECONDS = 300  # CPU time
MAX_COLUMNS = 100
MAX_ROWS = 2_000_000
MAX_LINE_LENGTH = 2_000_000  # characters: a row with the names of many tests
ROWS_AT_ONCE = 5_000
ROWS_IN_LINE = 50  # for one row in each line, a table of 100,000 rows takes 0.4 s longer
MAX_REASON_LENGTH = 500  # bytes


class TooLarge(Exception):
    """The file has more than is read."""


def main(path: str) -> int:
    """Prints the file; 0 if it could be read."""
    # macOS knows no limit of address space.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))
    import pyarrow as pa  # noqa: PLC0415 - after the limits

    pa.set_cpu_count(1)
    try:
        sys.stdout.writelines(f"{line}\n" for line in _lines(_rows(path)))
    except TooLarge as error:
        reason = str(error)
    except MemoryError:
        reason = "unpacking it needs too much memory"
    except (pa.ArrowException, OSError, ValueError, OverflowError, LookupError, TypeError) as error:
        reason = f"it is not a Parquet file, is damaged, or has unknown types: {str(error)[:300]!a}"
    else:
        return 0
    print(reason[:MAX_REASON_LENGTH], file=sys.stderr)
    return 1


def _lines(rows: Iterator[list[Any]]) -> Iterator[str]:
    encode = json.JSONEncoder(default=_other).encode
    number = 0
    while several := list(islice(rows, ROWS_IN_LINE)):
        line = encode(several)
        if len(line) < MAX_LINE_LENGTH:
            yield line
            number += len(several)
            continue
        for row in several:
            line = encode([row])
            if len(line) >= MAX_LINE_LENGTH:
                raise TooLarge(f"row {number} has more than {MAX_LINE_LENGTH:,} characters")
            yield line
            number += 1


def _rows(path: str) -> Iterator[list[Any]]:
    import pyarrow.parquet as pq  # noqa: PLC0415

    with pq.ParquetFile(path) as file:
        about = file.metadata
        if about.num_columns > MAX_COLUMNS:
            raise TooLarge(f"it has {about.num_columns:,} columns; at most {MAX_COLUMNS} are read")
        if about.num_rows > MAX_ROWS:
            raise TooLarge(f"it has {about.num_rows:,} rows; at most {MAX_ROWS:,} are read")
        yield file.schema_arrow.names
        for batch in file.iter_batches(batch_size=ROWS_AT_ONCE, use_threads=False):
            columns = [column.to_pylist() for column in batch.columns]
            yield from (list(row) for row in zip(*columns, strict=True))


def _other(value: Any) -> Any:
    """What JSON does not know. The columns of a table may hold times and decimal numbers; all else is refused later."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Decimal):
        return str(value)
    return {"type": type(value).__name__}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
