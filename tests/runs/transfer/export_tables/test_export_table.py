"""Every exported table, in both forms, under the filters and the rule of visibility."""

from __future__ import annotations

import io
import json

import pyarrow.parquet as pq
import pytest
from django.test import Client

from runs.models import Run
from runs.transfer.export_tables.export_table import TABLES, ExportTable
from tasks.loading import hide
from tests.runs.cast import Cast, record
from tests.runs.made_counts import count
from tests.runs.panels import add_rating

pytestmark = pytest.mark.django_db


def rows(client: Client, table: ExportTable, query: str = "") -> list[dict[str, object]]:
    """The rows of the JSON lines; those of Parquet are the same."""
    lines = b"".join(client.get(f"/exports/{table.name}.jsonl?{query}")).splitlines()
    found = [json.loads(line) for line in lines]
    parquet = pq.read_table(io.BytesIO(b"".join(client.get(f"/exports/{table.name}.parquet?{query}"))))
    assert parquet.schema.names == [column.name for column in table.columns]
    assert parquet.num_rows == len(found)
    if table.name != "runs":  # without moments, which JSON writes as texts
        assert parquet.to_pylist() == found
    return found


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_table_has_the_filters_and_the_visibility_of_runs(
    client: Client, cast: Cast, table: ExportTable
) -> None:
    (task,) = cast.add_tasks(1)
    for agent in (cast.alice(), cast.bob()):
        run = count(cast.add_run(agent, task))
        record(run)
        add_rating(run)

    assert {row["agent"] for row in rows(client, table)} == {"alice", "bob"}
    assert {row["agent"] for row in rows(client, table, "agent=bob")} == {"bob"}
    assert client.get(f"/exports/{table.name}.jsonl?colour=red").status_code == 400

    hide(cast.dataset, hidden=True)
    assert rows(client, table) == []
    assert Run.objects.count() == 2
