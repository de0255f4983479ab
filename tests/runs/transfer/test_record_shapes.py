"""The shapes of records hold exactly the fields that the harness writes, within their bounds."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import pytest
from pydantic import ValidationError

from harness.records import FileEdit, Flag, Identity, RunSummary, StepEdits, Submission, TestResult, bounds
from runs.transfer.record_shapes import checked, model_of


@dataclass(slots=True)
class Loose:
    """Free values."""

    free: bounds.Free = field(default_factory=dict)
    settings: bounds.StorableFree = field(default_factory=dict)


@pytest.mark.parametrize(
    ("written", "name", "more"),
    [
        (RunSummary, "RecordedSummary", {"schema_version"}),
        (Identity, "RecordedIdentity", set()),
        (Flag, "RecordedFlag", set()),
        (FileEdit, "RecordedEdit", set()),
        (StepEdits, "RecordedStepEdits", set()),
        (TestResult, "RecordedTestEntry", set()),
    ],
)
def test_a_shape_has_the_fields_of_its_record(written: Any, name: str, more: set[str]) -> None:
    assert set(model_of(written).model_fields) == {each.name for each in fields(written)} | more
    assert model_of(written).__name__ == name


def test_a_field_that_every_record_has_is_required_in_spite_of_its_default() -> None:
    with pytest.raises(ValidationError, match="5 validation errors"):
        checked(Submission, {"number": 1, "step_id": 2, "tool": "submit_patch"})


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
        checked(Loose, {"free": value})


@pytest.mark.parametrize("value", [{"a": ["b\0"]}, {"a": {"b\0": 1}}])
def test_settings_can_be_stored(value: dict[str, Any]) -> None:
    assert checked(Loose, {"free": value}).free == value
    with pytest.raises(ValidationError, match="must not hold the character NUL"):
        checked(Loose, {"settings": value})


def test_free_values_within_the_bounds_stay_as_they_are() -> None:
    value = {"deep": nested(38), "large": 2**63 - 1, "list": [1, 2.5, None, True, "text"]}
    assert checked(Loose, {"free": value}).free == value


def test_the_name_of_a_test_may_hold_a_file_and_not_a_book() -> None:
    entry = {"id": "t" * bounds.MAX_TEST_ID_LENGTH, "status": "passed"}
    assert checked(TestResult, entry).id == entry["id"]
    with pytest.raises(ValidationError, match="at most 20000 characters"):
        checked(TestResult, {**entry, "id": entry["id"] + "t"})
