"""The rules of valid values are the same in the database and in Python."""

from __future__ import annotations

import random

import pytest

from runs.analysis.facts import TESTS
from runs.data.cells.validity import HAS_DURATION, HAS_INVALID_VALUE, HAS_TEST_RATE, TEST_RATE
from runs.data.run_facts.facts_query import run_facts
from runs.models import Run
from tests.runs.data.cells.random_runs import add_random_runs

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("seed", range(3))
def test_the_database_and_python_agree_on_random_runs(seed: int) -> None:
    add_random_runs(random.Random(seed))
    runs = list(Run.objects.all())
    rated = [run for run in runs if run.test_rate is not None]
    facts = run_facts(Run.objects.all())

    assert 0 < len(rated) < len(runs)
    assert set(Run.objects.filter(HAS_TEST_RATE)) == set(rated)
    assert {each.run for each in facts if TESTS.holds(each)} == {run.pk for run in rated}
    assert dict(Run.objects.filter(HAS_TEST_RATE).annotate(rate=TEST_RATE).values_list("pk", "rate")) == {
        run.pk: pytest.approx(run.test_rate) for run in rated
    }
    assert set(Run.objects.filter(HAS_DURATION)) == {run for run in runs if run.has_duration}
    assert set(Run.objects.filter(HAS_INVALID_VALUE)) == {
        run for run in runs if run.odd or run.test_rate is None
    }
