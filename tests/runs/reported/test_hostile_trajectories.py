"""A hostile file is refused in one sentence that names it, and leaves nothing; odd values in others do no harm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from runs.models import Agent, Evaluation, LanguageModel, Run
from runs.reported.reading import read_trajectories
from runs.reported.reported_result import ResultsRefused
from runs.reported.storing import store
from tasks.models import Dataset, Repository, Task
from tests.runs.reported.hostile_trajectories import READ, REFUSED

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", REFUSED)
def test_it_is_refused_with_its_place_and_leaves_nothing(tmp_path: Path, settings: Any, kind: str) -> None:
    home = tmp_path / "in"
    home.mkdir()
    REFUSED[kind](home)
    Agent.objects.create(
        slug="ada", name="ada (reported)", kind="reported", origin="an operator of this site (atif)"
    )
    with pytest.raises(ResultsRefused) as refused:
        store(read_trajectories(home, {}))

    message = str(refused.value)
    assert any(name in message for name in ("a.json", "b.json", "a.traj", "atif", str(home))), message
    assert len(message) < 1_000
    assert message.isprintable()
    for model in (Run, Evaluation, Dataset, Repository, Task, LanguageModel):
        assert not model._default_manager.exists(), model
    assert not any(path.is_file() for path in Path(settings.RUNS_ROOT).parent.rglob("trajectory.jsonl"))


@pytest.mark.parametrize("kind", READ)
def test_it_is_read_and_every_page_of_it_opens(client: Client, tmp_path: Path, kind: str) -> None:
    home = tmp_path / "in"
    home.mkdir()
    READ[kind](home)
    assert store(read_trajectories(home, {})).new == 1

    run = Run.objects.get()
    assert run.steps
    assert run.counts.behaviour, run.counts.reason
    for address in (
        *(run.get_absolute_url(), "/runs/", run.task.get_absolute_url(), run.agent.get_absolute_url()),
        *(f"/runs/{run.pk}/?step={number}" for number in range(1, min(run.steps, 8) + 1)),
        *(f"/runs/{run.pk}/trajectory.atif.json", f"/runs/{run.pk}/timeline/", f"/runs/{run.pk}/?q=look"),
    ):
        response = client.get(address)
        assert response.status_code == 200, address
        content = b"".join(response) if response.streaming else response.content
        assert b"<script>alert(1)" not in content or address.endswith(".json")
