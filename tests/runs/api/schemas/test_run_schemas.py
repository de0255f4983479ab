"""The API's runs have the fields of an exported row."""

from __future__ import annotations

from typing import Any

import pytest

from runs.api.schemas.run_schemas import RunShape
from runs.transfer.export_columns import COLUMNS

FIELDS: dict[str, dict[str, Any]] = RunShape.model_json_schema(mode="serialization")["properties"]


def test_a_run_has_the_columns_of_the_exports_in_their_order_and_its_page() -> None:
    assert list(FIELDS) == [*(column.name for column in COLUMNS), "url"]
    assert all(FIELDS[column.name]["description"] == column.description for column in COLUMNS)


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("id", ["integer"]),
        ("key", ["string"]),
        ("listed", ["boolean"]),
        ("steps", ["integer", "null"]),
        ("cost_usd", ["number", "null"]),
    ],
)
def test_what_may_be_unknown_may_be_null(name: str, kinds: list[str]) -> None:
    field = FIELDS[name]

    assert [each["type"] for each in field.get("anyOf", [field])] == kinds
