"""Trajectories are imported from a shell."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from runs.models import Run
from tasks.models import Dataset
from tests.runs.reported.made_results import SOURCE
from tests.runs.reported.step_readers.tool_files import atif, mini_swe_agent_2, written

pytestmark = pytest.mark.django_db


def said(*arguments: str) -> str:
    """What the command prints."""
    output = StringIO()
    call_command("import_trajectories", *arguments, stdout=output)
    return output.getvalue()


def test_it_says_what_is_new_and_what_was_known(tmp_path: Path) -> None:
    path = str(written(tmp_path / "in/a.traj.json", mini_swe_agent_2()).parent)
    first = said(path)
    assert first.startswith(f"{path}: 1 trajectories of mini-swe-agent ")
    assert first.endswith(" imported\n")
    assert said(path).startswith(f"{path}: known since ")
    written(tmp_path / "in/b.traj.json", mini_swe_agent_2(instance_id="b"))
    assert said(path).endswith(" imported, 1 were known\n")


def test_options_name_dataset_and_source(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", atif())
    said(str(path), "--slug", "lab", "--title", "The lab", "--reported-by", "Ada")
    dataset = Dataset.objects.get()
    assert (dataset.slug, dataset.title, dataset.reported_by) == ("lab", "The lab", "Ada")


def test_results_without_a_trajectory_are_for_another_command(tmp_path: Path) -> None:
    table = tmp_path / "results.csv"
    table.write_text("agent,task,outcome\nAda,task-1,1\n")
    options = ("--slug", SOURCE.slug, "--title", "Lab", "--reported-by", "Ada")
    with pytest.raises(CommandError, match="it has results but no trajectory: `import_results` reads it"):
        said(str(table), *options)


def test_nothing_of_a_refused_path_is_imported(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", atif(steps=[{"source": "agent", "message": ""}, 7]))
    with pytest.raises(CommandError) as refused:
        said(str(path))
    assert str(refused.value) == f"nothing of {path} was imported: a.json, step 2: it is not an object"
    assert not Run.objects.exists()
