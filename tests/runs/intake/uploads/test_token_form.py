"""Which tokens operators can make."""

from __future__ import annotations

import pytest

from runs.intake.uploads.token_form import TokenForm
from tasks.models import Dataset

pytestmark = pytest.mark.django_db
ENTERED = {"name": "The Lab", "purpose": "trajectories", "dataset": "lab-bench", "days": "30"}


def errors(**values: str) -> dict[str, list[str]]:
    return {name: list(map(str, found)) for name, found in TokenForm({**ENTERED, **values}).errors.items()}


def test_trajectories_may_be_of_a_new_or_a_reported_dataset() -> None:
    assert errors() == {}
    Dataset.objects.create(slug="lab-bench", title="Lab", reported_by="The Lab")
    assert errors() == {}


def test_submissions_need_a_dataset_that_is_run_here() -> None:
    reason = "Submissions are runs at tasks of a dataset that is loaded here."
    assert errors(purpose="submission") == {"dataset": [reason]}
    Dataset.objects.create(slug="lab-bench", title="Lab")
    assert errors(purpose="submission") == {}
    assert errors() == {"dataset": ["This dataset is run here: choose the name of a reported or a new one."]}


@pytest.mark.parametrize(
    ("name", "value"), [("days", "0"), ("days", "367"), ("dataset", "A b"), ("name", "")]
)
def test_invalid_values_are_named(name: str, value: str) -> None:
    assert list(errors(**{name: value})) == [name]
