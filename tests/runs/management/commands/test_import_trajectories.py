"""Trajectories are imported from a shell."""

from __future__ import annotations

import json
import shutil
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from runs.intake.reported.importing_files import REMEDY
from runs.intake.reported.reading import read_trajectories
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.storing import store
from runs.models import Agent, Evaluation, LanguageModel, Run, TrajectorySource
from tasks.models import Dataset, Repository, Task
from tests.runs.intake.reported.hostile_trajectories import READ, REFUSED
from tests.runs.intake.reported.made_results import SOURCE
from tests.runs.intake.reported.made_trajectories import write_trajectories
from tests.runs.intake.reported.step_readers.conversations.conversation_files import (
    AIDER_CHAT,
    CAST,
    PI_LINES,
    conversation_file,
)
from tests.runs.intake.reported.step_readers.session_logs.session_files import claude_code_session, lines_file
from tests.runs.intake.reported.step_readers.tool_files import atif, mini_swe_agent_2, written
from tests.runs.tiny import Tiny
from tests.runs.transfer.made_records import Elsewhere

pytestmark = pytest.mark.django_db
DATA = Path(__file__).parents[3] / "data"


def said(*arguments: str, stderr: StringIO | None = None) -> str:
    """What the command prints."""
    output = StringIO()
    call_command("import_trajectories", *arguments, stdout=output, stderr=stderr)
    return output.getvalue()


def test_it_says_what_is_new_and_what_was_known(tmp_path: Path) -> None:
    path = str(written(tmp_path / "in/a.traj.json", mini_swe_agent_2()).parent)
    first = said(path)
    assert first == f"{path}: 1 new trajectory in dataset mini-swe-agent\n"
    assert said(path) == f"{path}: 1 known trajectory in dataset mini-swe-agent\n"
    written(tmp_path / "in/b.traj.json", mini_swe_agent_2(instance_id="b"))
    assert said(path).endswith(": 1 new, 1 known trajectories in dataset mini-swe-agent\n")


def test_it_says_how_many_sessions_have_grown(tmp_path: Path) -> None:
    home = tmp_path / "projects/-home-ada-calc"
    lines_file(home / "a.jsonl", claude_code_session()[:8])
    said(str(home))
    lines_file(home / "a.jsonl", claude_code_session())
    assert said(str(home)).endswith(": 1 grown trajectory in dataset claude-code\n")


@pytest.mark.parametrize(("name", "content"), [("a.jsonl", PI_LINES), ("a.md", AIDER_CHAT)])
def test_conversations_of_other_tools_grow_as_well(tmp_path: Path, name: str, content: Any) -> None:
    path = tmp_path / name
    conversation_file(path, content[:5] if isinstance(content, tuple) else content.partition("#### Now")[0])
    said(str(path))
    conversation_file(path, content)
    assert ": 1 grown trajectory" in said(str(path))
    assert ": 1 known trajectory" in said(str(path))


def test_it_says_how_many_files_are_left_out(tmp_path: Path) -> None:
    home = tmp_path / "projects/-home-ada-calc"
    lines_file(home / "a.jsonl", claude_code_session())
    lines_file(home / "b.jsonl", claude_code_session()[:3])
    (home / "c.jsonl").touch()
    (home / "d.cast").write_text(CAST)
    left = "; left out: 2 without a response of a model, 1 recording beside trajectories\n"
    assert said(str(tmp_path / "projects")).endswith(left)
    assert Task.objects.get().description == "Correct the sum\n\nFix add."


def test_results_without_a_trajectory_are_left_out_and_named_as_such(tmp_path: Path) -> None:
    home = write_trajectories(tmp_path / "in", "lab__one-1")
    shutil.copytree(DATA / "reported/harbor", home / "jobs")
    trials = len(list(home.rglob("result.json")))
    assert said(str(home)).endswith(f"; left out: {trials - 1} without a trajectory\n")


def test_all_broken_files_are_named_and_left_out_on_demand(tmp_path: Path) -> None:
    home = write_trajectories(tmp_path / "in", "lab__one-1", "lab__one-2")
    (home / "cut.json").write_text("{")
    written(home / "odd.json", atif(steps=[{"source": "agent", "message": ""}, 7]))
    with pytest.raises(CommandError) as refused:
        said(str(home))
    lines = str(refused.value).splitlines()
    assert lines[0] == f"nothing of {home} was imported: {home}: 2 files are broken:"
    assert lines[1].startswith("cut.json: it is not JSON")
    assert lines[2] == "odd.json, step 2: it is not an object"
    assert lines[3:] == [REMEDY]
    assert not Run.objects.exists()

    errors = StringIO()
    assert said(str(home), "--skip-broken", stderr=errors).endswith("; left out: 2 broken\n")
    assert errors.getvalue().splitlines() == [f"left out: {line}" for line in lines[1:3]]
    assert Run.objects.count() == 2


def test_a_check_shows_what_would_be_imported_and_stores_nothing(tmp_path: Path) -> None:
    home = write_trajectories(tmp_path / "in", "lab__one-1")
    head, row, result = said(str(home), "--check").splitlines()[1:]
    assert head.split()[:2] == ["file", "form"]
    assert row.startswith("lab__one-1.traj.json  mini-swe-agent")
    assert result == "1 new trajectory; nothing was stored"
    assert not Run.objects.exists()
    assert not Dataset.objects.exists()


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
        if address.endswith(".json"):
            json.loads(content, parse_constant=pytest.fail)
        else:
            assert b"<script>alert(1)" not in content


@pytest.mark.parametrize("form", ["zip", "gztar"])
def test_an_archive_of_a_directory_is_imported_like_the_directory(form: str, tmp_path: Path) -> None:
    directory = write_trajectories(tmp_path / "in", "lab__one-1", "lab__one-2")
    archive = shutil.make_archive(str(tmp_path / "packed"), form, directory)

    assert ": 2 new trajectories" in said(str(archive))
    assert ": 2 known trajectories" in said(str(directory))
    assert Run.objects.count() == 2
    assert set(TrajectorySource.objects.values_list("file", flat=True)) == {
        "lab__one-1.traj.json",
        "lab__one-2.traj.json",
    }


def test_runs_of_this_harness_are_imported_as_such(tmp_path: Path) -> None:
    Elsewhere.knowing(Tiny(tmp_path).task).write(tmp_path / "in/run")
    archive = shutil.make_archive(str(tmp_path / "run"), "zip", tmp_path / "in")
    would = "1 run of this harness would be read; nothing was stored"
    assert said(archive, "--check") == f"{archive}: {would}\n"
    assert said(archive) == f"{archive}: 1 new run of this harness\n"
    assert Run.objects.get().evaluation.origin == "run.zip"
    assert said(str(tmp_path / "in")).endswith("1 known run of this harness\n")
    with pytest.raises(CommandError, match="it holds runs of this harness: they are attached to no board"):
        said(archive, "--board", "lab")


def test_a_refusal_names_the_file_inside_the_archive(tmp_path: Path) -> None:
    directory = write_trajectories(tmp_path / "in", "lab__one-1")
    (directory / "broken.json").write_text("{")
    archive = shutil.make_archive(str(tmp_path / "packed"), "zip", directory)

    with pytest.raises(CommandError, match=r"imported: broken\.json: it is not JSON"):
        said(str(archive))
    assert not Run.objects.exists()
