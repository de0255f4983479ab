"""What an upgraded site calls the agents and evaluations that it imported."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from runs.models import Agent, Evaluation, Panel

migration = import_module("runs.migrations.0049_recorded_marks")


@pytest.mark.django_db
def test_what_was_executed_with_this_harness_is_recorded_and_results_of_others_stay_reported() -> None:
    for slug, name, kind, origin in (
        ("one", "Oracle (reported)", "oracle", "the lab"),
        ("two", "Oracle (reported 2)", "oracle", "a friend"),
        ("three", "Ada (reported)", "reported", "The Lab (lab-bench)"),
        ("four", "Oracle (graded here)", "oracle", "the lab"),
        ("five", "Mine (reported)", "ide", ""),
    ):
        Agent.objects.create(slug=slug, name=name, kind=kind, origin=origin)
    Evaluation.objects.create(slug="e", title="Elsewhere (reported)", attempts=1, origin="the lab")
    Panel.objects.create(slug="p", title="Theirs (reported)", origin="the lab")

    migration.mark_recordings(apps, None)

    assert dict(Agent.objects.order_by("pk").values_list("slug", "name")) == {
        "one": "Oracle (recorded)",
        "two": "Oracle (recorded 2)",
        "three": "Ada (reported)",
        "four": "Oracle (graded here)",
        "five": "Mine (reported)",
    }
    assert Evaluation.objects.get().title == "Elsewhere (recorded)"
    assert Panel.objects.get().title == "Theirs (recorded)"
