"""The form that starts a generation names each wrong field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runs.work.generation.generation_form import GenerationForm
from runs.work.generation.generation_jobs import SourceRepository
from tasks.generation.corrupting.candidates import Kind
from tasks.generation.generation_request import Plan
from tasks.generation.suite.screening import Thresholds
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db
ENTERED = {
    "place": "ports/harbour",
    "kinds": ["corrupt", "remove"],
    "seed": "7",
    "limit": "",
    "per_function": "2",
    "least_lines": "3",
    "least_removal": "5",
    "least_corruption": "2",
    "suite_seconds": "60",
    "output": "more",
    "title": "More",
    "audience": "hidden",
}


@pytest.fixture
def cast() -> Cast:
    return Cast()


def form(cast: Cast, **entered: Any) -> GenerationForm:
    return GenerationForm([SourceRepository(cast.dataset, "harbour")], {**ENTERED, **entered})


def test_what_is_entered_becomes_a_plan(cast: Cast) -> None:
    found = form(cast)
    assert found.is_valid(), found.errors
    assert found.plan() == Plan((Kind.REMOVE, Kind.CORRUPT), 7, None, 2, least_lines=3)
    assert found.thresholds() == Thresholds(5, 2, 60.0)
    assert found.chosen_place().name == "ports/harbour"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("place", "ports/other", "Select a valid choice"),
        ("kinds", [], "Choose at least one kind."),
        ("seed", "-1", "At least 0."),
        ("limit", "0", "At least 1."),
        ("suite_seconds", "9999", "At most 3600."),
        ("output", "../other", "Use lower-case letters, digits and hyphens."),
        ("output", "ports", "is loaded from another place"),
        ("output", "x" * 51, "at most 50 characters"),
        ("kinds", ["adversarial"], "Choose a model"),
        ("title", "", "Give the dataset a title."),
    ],
)
def test_a_wrong_entry_has_an_error_at_its_field(cast: Cast, field: str, value: Any, said: str) -> None:
    found = form(cast, **{field: value})
    assert not found.is_valid()
    (errors,) = found.errors.values()
    assert said in errors[0]


def test_the_output_lies_below_the_data_directory(cast: Cast, data_directory: Path) -> None:
    cast.dataset.directory = str(data_directory / "datasets/ports")
    cast.dataset.save()
    assert form(cast, output="ports").is_valid()
