"""After a loss of the database, imported trajectories come back from their files."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from runs.models import Evaluation, Run
from runs.reported.reading import read_trajectories
from runs.reported.reported_result import ResultsRefused
from runs.reported.restoring_trajectories import restore_trajectories
from runs.reported.storing import store
from tests.runs.reported.step_readers.tool_files import mini_swe_agent_2, swe_agent, written

pytestmark = pytest.mark.django_db


def facts() -> list[tuple[Any, ...]]:
    """What is known of all runs."""
    names = ("agent__name", "task__title", "steps", "cost_usd", "directory", "evaluation__report__version")
    return sorted(Run.objects.values_list(*names))


def test_they_are_imported_again_as_they_were(tmp_path: Path, settings: Any) -> None:
    written(tmp_path / "in/a.traj.json", mini_swe_agent_2())
    store(read_trajectories(tmp_path / "in", {"agent": "mini", "slug": "lab", "version": "7"}))
    store(read_trajectories(written(tmp_path / "b.traj", swe_agent()), {}))
    before = facts()
    Run.objects.all().delete()
    Evaluation.objects.all().delete()

    said = StringIO()
    call_command("import_runs", str(settings.RUNS_ROOT), stdout=said)
    assert said.getvalue().endswith("0 were known, 2 trajectories of other tools restored\n")
    assert facts() == before
    assert all(run.path.is_dir() for run in Run.objects.all())
    assert restore_trajectories() == 0


def test_options_that_are_unreadable_are_named(settings: Any) -> None:
    home = settings.RUNS_ROOT / "imported/lost"
    home.mkdir(parents=True)
    (home / "import.json").write_text("[")
    with pytest.raises(ResultsRefused, match=r"imported/lost/import\.json: unreadable: "):
        restore_trajectories()
