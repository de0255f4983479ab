"""The shapes hold exactly the fields that the harness writes: a new field has to be added to them."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from harness.records import FileEdit, Flag, Identity, RunSummary, StepEdits, TestResult
from runs.transfer import record_shapes as shapes


@pytest.mark.parametrize(
    ("shape", "written", "more"),
    [
        (shapes.RecordedSummary, RunSummary, {"schema_version"}),
        (shapes.RecordedIdentity, Identity, set()),
        (shapes.RecordedFlag, Flag, set()),
        (shapes.RecordedEdit, FileEdit, set()),
        (shapes.RecordedStepEdits, StepEdits, set()),
        (shapes.RecordedTestEntry, TestResult, set()),
    ],
)
def test_a_shape_has_the_fields_of_its_record(
    shape: type[shapes.RecordedObject], written: Any, more: set[str]
) -> None:
    assert set(shape.model_fields) == {field.name for field in fields(written)} | more


def nested(levels: int) -> dict[str, Any]:
    """So many objects in one another."""
    value: dict[str, Any] = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    "value",
    [
        nested(41),
        {"a": list(range(5001))},
        {"a": float("inf")},
        {"a": [float("nan")]},
        {"a": 2**63},
        {"a": -(2**64)},
    ],
)
def test_free_values_have_bounds(value: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="Value error, must h"):
        TypeAdapter(shapes.Free).validate_python(value)


@pytest.mark.parametrize("value", [{"a": ["b\0"]}, {"a": {"b\0": 1}}])
def test_settings_can_be_stored(value: dict[str, Any]) -> None:
    assert TypeAdapter(shapes.Free).validate_python(value) == value
    with pytest.raises(ValidationError, match="must not hold the character NUL"):
        TypeAdapter(shapes.AgentSettings).validate_python(value)


def test_free_values_within_the_bounds_stay_as_they_are() -> None:
    value = {"deep": nested(38), "large": 2**63 - 1, "list": [1, 2.5, None, True, "text"]}
    assert TypeAdapter(shapes.Free).validate_python(value) == value


def test_times_are_from_1970_until_a_day_from_now() -> None:
    assert shapes.moment_of("1970-01-01T00:00:00") == datetime(1970, 1, 1, tzinfo=UTC)
    later = datetime.now(UTC) + timedelta(days=2)
    for text in ("1969-12-31T23:59:59Z", later.isoformat(), "99999-01-01T00:00:00Z", "today", ""):
        with pytest.raises(ValueError, match=r"."):
            shapes.moment_of(text)


def test_the_name_of_a_test_may_hold_a_file_and_not_a_book() -> None:
    entry = {"id": "t" * shapes.MAX_TEST_ID_LENGTH, "status": "passed"}
    assert shapes.RecordedTestEntry.model_validate(entry).id == entry["id"]
    with pytest.raises(ValidationError, match="at most 20000 characters"):
        shapes.RecordedTestEntry.model_validate({**entry, "id": entry["id"] + "t"})
