"""What the database lets a rating be."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from runs.models import Rating, Run
from tests.runs.cast import Cast
from tests.runs.panels import add_rating

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    cast = Cast()
    return cast.add_run(cast.alice(), cast.add_tasks(1)[0])


def test_a_person_rates_a_dimension_of_a_run_once_in_each_round(run: Run) -> None:
    for more in ({}, {"round": 2}, {"dimension": "tool_calls"}, {"rater_name": "p-bea"}):
        add_rating(run, **more)
    with pytest.raises(IntegrityError), transaction.atomic():
        add_rating(run, score=1.0)
    assert Rating.objects.count() == 4


@pytest.mark.parametrize("score", [0.75, -0.5, 2.0])
def test_a_score_is_on_the_scale(run: Run, score: float) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        add_rating(run, score=score)
