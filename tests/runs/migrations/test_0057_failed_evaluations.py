"""Evaluations that ended before there was a state for those of which every run was lost."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from runs.models import Evaluation
from tests.runs.cast import Cast

migration = import_module("runs.migrations.0057_failed_evaluations")
LOST = {"outcome": "infrastructure_failed", "ending": "infrastructure"}


@pytest.mark.django_db
def test_only_finished_ones_without_any_result_have_failed() -> None:
    cast = Cast()
    agent, (task, *_) = cast.alice(), cast.add_tasks(1)
    made = {}
    for slug, state, outcomes in (
        ("lost", "finished", [LOST, LOST]),
        ("partly", "finished", [LOST, {}]),
        ("open", "running", [LOST]),
        ("empty", "finished", []),
    ):
        made[slug] = Evaluation.objects.create(slug=slug, title=slug, state=state, attempts=2)
        for attempt, more in enumerate(outcomes, 1):
            cast.add_run(agent, task, attempt, evaluation=made[slug], **more)

    def states() -> dict[str, str]:
        return {slug: Evaluation.objects.get(slug=slug).state for slug in made}

    migration.mark_failed(apps, None)
    assert states() == {"lost": "failed", "partly": "finished", "open": "running", "empty": "finished"}
    migration.mark_finished(apps, None)
    assert states()["lost"] == "finished"
