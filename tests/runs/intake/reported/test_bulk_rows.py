"""Many rows at once have the defaults that a model gives them."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from runs.intake.reported.bulk_rows import insert_rows
from runs.models import Agent
from tasks.models import Dataset

pytestmark = pytest.mark.django_db


def test_rows_have_fixed_values_their_own_and_defaults() -> None:
    insert_rows(
        Dataset,
        {"title": "Many", "loaded_at": timezone.now()},
        ("slug", "hidden"),
        [("one", False), ("two", True)],
    )

    assert list(Dataset.objects.values_list("slug", "title", "hidden", "reported_by", "revision")) == [
        ("one", "Many", False, "", 0),
        ("two", "Many", True, "", 0),
    ]


def test_a_refused_row_leaves_nothing_behind() -> None:
    fixed = {"title": "Twice", "loaded_at": timezone.now()}
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(Dataset, fixed, ("slug",), [("one",), ("one",)])

    insert_rows(Dataset, fixed, ("slug",), [("two",)])

    assert list(Dataset.objects.values_list("slug", flat=True)) == ["two"]


def test_a_field_that_the_model_lacks_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"Agent has no fields \['colour'\]"):
        insert_rows(Agent, {"colour": 1}, ("slug",), [("a",)])
