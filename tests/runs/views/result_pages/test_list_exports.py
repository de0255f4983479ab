"""Lists as CSV and as JSON lines."""

from __future__ import annotations

import csv
import json
from typing import Any

from runs.views.result_pages.list_exports import list_response

ROWS: list[dict[str, Any]] = [
    {"name": "=1+1", "tags": ["a", "b"], "n": None},
    {"name": "Ada ✓", "tags": [], "n": 0},
]
COLUMNS = ("name", "tags", "n")


def test_csv_has_a_line_for_each_row_and_no_formula() -> None:
    response = list_response(ROWS, COLUMNS, "things", "csv")

    assert response["Content-Disposition"] == 'attachment; filename="things.csv"'
    assert list(csv.reader(response.content.decode().splitlines())) == [
        ["name", "tags", "n"],
        ["'=1+1", "a; b", ""],
        ["Ada ✓", "", "0"],
    ]


def test_json_lines_keep_lists_and_what_is_unknown() -> None:
    response = list_response(ROWS, COLUMNS, "things", "jsonl")

    assert response["Content-Type"] == "application/x-ndjson; charset=utf-8"
    assert [json.loads(line) for line in response.content.decode().splitlines()] == ROWS
