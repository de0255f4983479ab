"""Names in addresses."""

from __future__ import annotations

import pytest

from runs.intake.reported.storing import store
from runs.models import Agent
from tasks.models import Task
from tests.runs.intake.reported.made_results import SOURCE, reported, result

pytestmark = pytest.mark.django_db


def test_long_names_have_addresses() -> None:
    store(reported([result("A" * 150, "T" * 150, repository="R" * 150)], title=SOURCE.title))

    agent, task = Agent.objects.get(), Task.objects.get()
    assert (len(agent.slug), len(task.slug), len(task.repository.slug)) == (100, 100, 100)
