"""What the database lets a rating and a note be."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from runs.models import Rating, Run, StepNote
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


def test_a_note_goes_with_its_run_and_outlives_its_author(run: Run) -> None:
    ada = User.objects.create_user("ada")
    note = StepNote.objects.create(run=run, run_try=1, step=3, author=ada, author_name="p-1", text="Here.")
    assert str(note) == f"step 3 of run {run.pk}"

    ada.delete()
    note.refresh_from_db()
    assert (note.author, note.author_name) == (None, "p-1")

    run.delete()
    assert not StepNote.objects.exists()
