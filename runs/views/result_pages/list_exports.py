"""Whole lists as files: CSV for spreadsheets, and a JSON object on each line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse

from runs.presentation.formatting.csv_cells import harmless

LIST_FORMATS: Mapping[str, str] = {"csv": "CSV", "jsonl": "JSON lines"}
_TYPES = {"csv": "text/csv", "jsonl": "application/x-ndjson"}


def list_response(
    rows: Sequence[Mapping[str, Any]], columns: Sequence[str], name: str, suffix: str
) -> HttpResponse:
    """The rows as a file. `suffix` is one of LIST_FORMATS. What is unknown is null, in CSV an empty cell."""
    written = _csv(rows, columns) if suffix == "csv" else _lines(rows, columns)
    response = HttpResponse(written, content_type=f"{_TYPES[suffix]}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.{suffix}"'
    return response


def _csv(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    target = io.StringIO(newline="")
    writer = csv.writer(target)
    writer.writerow(columns)
    writer.writerows([harmless(_flat(row[column])) for column in columns] for row in rows)
    return target.getvalue()


def _flat(value: Any) -> Any:
    return "; ".join(map(str, value)) if isinstance(value, list | tuple) else value


def _lines(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    return "".join(
        json.dumps({column: row[column] for column in columns}, ensure_ascii=False, allow_nan=False) + "\n"
        for row in rows
    )
