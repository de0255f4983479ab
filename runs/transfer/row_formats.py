"""Rows as JSON Lines and as Parquet, chunk by chunk."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from runs.transfer.export_columns import COLUMNS, ExportColumn, ValueKind
from runs.transfer.run_rows import Row, moment
from runs.transfer.sink import Sink

if TYPE_CHECKING:
    import pyarrow as pa

NDJSON = "application/x-ndjson"
BATCHES_A_GROUP = 10
PARQUET = "application/vnd.apache.parquet"


def lines(batches: Iterable[list[Row]], columns: Sequence[ExportColumn] = COLUMNS) -> Generator[bytes]:
    """One object a line, UTF-8; one chunk for each batch."""
    moments = [column.name for column in columns if column.kind == "moment"]
    for batch in batches:
        yield b"".join(_line(row, moments) for row in batch)


def _line(row: Row, moments: Sequence[str]) -> bytes:
    written = {**row, **{name: moment(row[name]) for name in moments}}
    return json.dumps(written, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def parquet(
    batches: Iterable[list[Row]], metadata: Mapping[str, str], columns: Sequence[ExportColumn] = COLUMNS
) -> Generator[bytes]:
    """A Parquet file; `metadata` is stored in the file. Without batches it is a file without rows.

    Several batches make a row group: Arrow's columns need a fraction of the memory of rows. No other code of the web
    server loads pyarrow.
    """
    import pyarrow as pa  # noqa: PLC0415 - 30 MB that only those pay who export
    import pyarrow.parquet as pq  # noqa: PLC0415

    schema = arrow_schema(metadata, columns)
    sink = Sink()
    with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
        held: list[pa.RecordBatch] = []
        for batch in batches:
            held.append(pa.RecordBatch.from_pylist(batch, schema=schema))
            if len(held) == BATCHES_A_GROUP:
                writer.write_table(pa.Table.from_batches(held))
                held = []
                yield sink.take()
        if held:
            writer.write_table(pa.Table.from_batches(held))
    yield sink.take()


def arrow_schema(metadata: Mapping[str, str], columns: Sequence[ExportColumn] = COLUMNS) -> pa.Schema:
    """The types of the columns: each says in its metadata what it is; null is null."""
    import pyarrow as pa  # noqa: PLC0415

    types: Mapping[ValueKind, Any] = {
        "whole": pa.int64(),
        "number": pa.float64(),
        "text": pa.string(),
        "texts": pa.list_(pa.field("item", pa.string(), nullable=False)),
        "wholes": pa.list_(pa.field("item", pa.int64(), nullable=False)),
        "flag": pa.bool_(),
        "moment": pa.timestamp("us", tz="UTC"),
    }

    def field(column: ExportColumn) -> pa.Field:
        return pa.field(
            column.name,
            types[column.kind],
            nullable=column.null,
            metadata={"description": column.description},
        )

    return pa.schema([field(column) for column in columns], metadata=dict(metadata))
