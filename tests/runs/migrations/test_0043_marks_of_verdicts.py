"""A site that is upgraded says of names from elsewhere who made the verdicts."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.utils import timezone

from runs.models import Agent, Evaluation, Panel, RunGrading
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def agent(slug: str, name: str, *, origin: str = "lab", graded_here: bool = False) -> None:
    Agent.objects.create(slug=slug, name=name, kind="ide", origin=origin, graded_here=graded_here)


def test_imported_becomes_reported_or_graded_here() -> None:
    agent("a", "A (imported)")
    agent("b", "A (imported 2)")
    agent("c", "A (imported 3)", graded_here=True)
    agent("d", "Mine (imported)", origin="")  # an operator of this site named it so
    Panel.objects.create(slug="p", title="P (imported)", digest="p", origin="lab")
    cast = Cast()
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [1, 0])
    cast.settle()
    Evaluation.objects.update(title="E (imported)", origin="lab")
    rename = import_module("runs.migrations.0043_marks_of_verdicts").rename

    rename(apps, None)

    names = dict(Agent.objects.filter(slug__in="abcd").values_list("slug", "name"))
    assert names == {
        "a": "A (reported)",
        "b": "A (reported 2)",
        "c": "A (graded here)",
        "d": "Mine (imported)",
    }
    assert Panel.objects.get().title == "P (reported)"
    evaluation = Evaluation.objects.get()
    assert (evaluation.title, evaluation.graded_here) == ("E (reported)", False)

    Evaluation.objects.update(title="E (imported)")
    for run in evaluation.runs.all():
        RunGrading.objects.create(
            run=run, graded_at=timezone.now(), claimed_outcome="resolved", claimed_passed=1
        )
    rename(apps, None)
    evaluation.refresh_from_db()
    assert (evaluation.title, evaluation.graded_here) == ("E (graded here)", True)
