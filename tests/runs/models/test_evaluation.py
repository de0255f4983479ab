"""Evaluations: newest first, with one page each."""

from __future__ import annotations

import pytest

from runs.models import Evaluation
from tests.runs.cast import Cast


@pytest.mark.django_db
def test_the_newest_evaluation_is_first_and_each_has_a_page() -> None:
    cast = Cast()
    neap = cast.add_evaluation("neap", "Neap <tide>")

    assert list(Evaluation.objects.all()) == [neap, cast.evaluation]
    assert (str(neap), neap.get_absolute_url()) == ("Neap <tide>", f"/evaluations/{neap.pk}/")


@pytest.mark.django_db
def test_a_new_evaluation_runs_and_counts() -> None:
    made = Evaluation.objects.create(slug="neap", title="Neap", attempts=1)

    assert (made.state, made.listed, made.budget_usd, made.limits) == ("running", True, None, {})
