"""Rows as JSON Lines and as Parquet."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from runs.transfer.export_columns import COLUMNS
from runs.transfer.row_formats import BATCHES_A_GROUP, arrow_schema, lines, parquet
from runs.transfer.run_rows import Row

VALUES: dict[str, Any] = {
    "whole": 7,
    "number": 0.5,
    "text": "Größe",
    "texts": ["a"],
    "flag": True,
    "moment": datetime(2026, 3, 1, 12, 0, 0, 500_000, tzinfo=UTC),
}


def row(**changes: Any) -> Row:
    """A row with a value in every column."""
    return {**{column.name: VALUES[column.kind] for column in COLUMNS}, **changes}


def read(chunks: Iterable[bytes]) -> pq.ParquetFile:
    return pq.ParquetFile(io.BytesIO(b"".join(chunks)))


def test_a_batch_is_a_chunk_with_a_line_for_each_row() -> None:
    chunks = list(lines([[row(id=1), row(id=2)], [row(id=3, finished_at=None)]]))
    assert [chunk.count(b"\n") for chunk in chunks] == [2, 1]
    assert [json.loads(line)["id"] for line in b"".join(chunks).splitlines()] == [1, 2, 3]
    assert '"key":"Größe"' in chunks[0].decode()
    assert '"queued_at":"2026-03-01T12:00:00.500000Z"' in chunks[0].decode()
    assert '"finished_at":null' in chunks[1].decode()


def test_without_rows_there_are_no_lines() -> None:
    assert list(lines([])) == []


def test_a_number_that_json_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        list(lines([[row(cost_usd=float("nan"))]]))


def test_parquet_holds_the_rows_with_their_types() -> None:
    unknown = row(id=2, cost_usd=None, flags=[], finished_at=None)
    assert read(parquet([[row(id=1)], [unknown]], {})).read().to_pylist() == [row(id=1), unknown]


def test_several_batches_make_a_row_group() -> None:
    file = read(parquet(([row(id=number)] for number in range(BATCHES_A_GROUP + 1)), {"source": "here"}))
    groups = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]
    assert groups == [BATCHES_A_GROUP, 1]
    assert file.schema_arrow.metadata[b"source"] == b"here"


def test_parquet_without_batches_is_a_file_without_rows() -> None:
    file = read(parquet([], {}))
    assert (file.metadata.num_rows, file.schema_arrow.names) == (0, [column.name for column in COLUMNS])


def test_a_field_that_is_always_known_is_never_null() -> None:
    schema = arrow_schema({})
    assert not schema.field("id").nullable
    assert schema.field("outcome").nullable
    assert schema.field("flags").type == pa.list_(pa.field("item", pa.string(), nullable=False))
    assert schema.field("outcome").metadata[b"description"] == (
        b"resolved, unresolved or infrastructure_failed; null before it is known."
    )
