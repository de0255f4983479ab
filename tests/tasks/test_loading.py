"""Datasets come into the database whole or not at all."""

from __future__ import annotations

import json
import lzma
from datetime import datetime
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from harness.dataset import DatasetError, write_proof
from harness.dataset import load_dataset as read_dataset
from runs.models import Agent, Evaluation, LanguageModel, RecallProbe, Run
from tasks.generation.maps.code_map import Node, build, dumps
from tasks.loading import MAP_FILE, find_on_disk, load
from tasks.models import Dataset, Repository, RepositoryMap, Task, TaskProof
from tests.harness.arena import tiny_proof
from tests.harness.published import write_published
from tests.harness.worlds import add_workflow, write_tiny_dataset

pytestmark = pytest.mark.django_db


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """The directory of the tiny dataset, without a proof."""
    return write_tiny_dataset(tmp_path)


def prove(directory: Path) -> None:
    """Stores the proof that admission gives."""
    _, task = next(read_dataset(directory).tasks())
    write_proof(task, tiny_proof(task))


def test_a_task_without_a_proof_is_stored_and_not_admitted(tiny: Path) -> None:
    dataset = load(tiny)
    assert (dataset.slug, dataset.title, dataset.version) == ("tiny", "Tiny", "1.0.0")
    task = Task.objects.get()
    assert (str(task), task.category, task.admitted, task.tests_total) == (
        "calc/add-negatives",
        "bug",
        False,
        0,
    )


def test_the_manifest_says_whether_messages_of_tests_are_public(tiny: Path) -> None:
    assert not load(tiny).public_messages
    manifest = tiny / "dataset.toml"
    manifest.write_text(f"{manifest.read_text()}public_messages = true\n")
    assert load(tiny).public_messages


def test_a_proof_admits_and_a_change_after_it_revokes(tiny: Path) -> None:
    prove(tiny)
    load(tiny)
    task = Task.objects.get()
    assert (task.admitted, task.tests_total) == (True, 8)
    (tiny / "calc/tasks/add-negatives/description.md").write_text("Something else.")
    load(tiny)
    task.refresh_from_db()
    assert (task.admitted, task.description) == (False, "Something else.")


def test_idebenchs_layout_is_loaded_as_published(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory = write_published(tmp_path)
    call_command("load_dataset", directory)
    assert capsys.readouterr().out == (
        f"{directory}/docker-compose.yaml: ignored, a run is one container made from the Dockerfile\n"
        f"{Dataset.objects.get()}: 0 of 2 tasks admitted\n"
    )
    assert [(str(task), task.category, task.title) for task in Task.objects.all()] == [
        ("till-service/task-1", "bug", "Round halves to even: not up"),
        ("till-service/task-2", "feature", "Discounts"),
    ]
    task = Task.objects.first()
    assert task is not None
    assert find_on_disk(task)[1].slug == "task-1"


def test_loading_again_changes_nothing(tiny: Path) -> None:
    prove(tiny)
    load(tiny)
    before = [list(model._default_manager.values()) for model in (Repository, Task)]
    load(tiny)
    assert [list(model._default_manager.values()) for model in (Repository, Task)] == before


def test_a_broken_dataset_leaves_what_was_there(tiny: Path) -> None:
    load(tiny)
    (tiny / "dataset.toml").write_text('title = "Changed"\n')
    (tiny / "calc/tasks/add-negatives/task.toml").write_text("category = 7")
    with pytest.raises(DatasetError):
        load(tiny)
    assert Dataset.objects.get().title == "Tiny"
    with pytest.raises(CommandError, match=r"was rejected and not loaded:\n.*dataset\.toml, description"):
        call_command("load_dataset", str(tiny))


def test_a_removed_task_stays_when_it_has_runs(tiny: Path) -> None:
    prove(tiny)
    load(tiny)
    task = Task.objects.get()
    second = tiny / "calc/tasks/second"
    (tiny / "calc/tasks/add-negatives").rename(second)
    load(tiny)
    assert list(Task.objects.values_list("slug", flat=True)) == ["second"]

    task = Task.objects.get()
    agent = Agent.objects.create(slug="null", name="Null", kind="null")
    evaluation = Evaluation.objects.create(slug="e", title="E", attempts=1)
    Run.objects.create(key="k", evaluation=evaluation, agent=agent, task=task, attempt=1)
    Task.objects.update(admitted=True)
    second.rename(tiny / "calc/tasks/third")
    load(tiny)
    assert list(Task.objects.values_list("slug", "admitted")) == [("second", False), ("third", True)]


def test_a_removed_task_stays_when_a_model_was_paid_to_recall_it(tiny: Path) -> None:
    load(tiny)
    model = LanguageModel.objects.create(slug="m", name="M")
    RecallProbe.objects.create(model=model, task=Task.objects.get(), reason="refused", cost_usd=0.5)
    (tiny / "calc/tasks/add-negatives").rename(tiny / "calc/tasks/second")
    load(tiny)
    assert RecallProbe.objects.get().task.slug == "add-negatives"
    assert set(Task.objects.values_list("slug", "admitted")) == {("add-negatives", False), ("second", False)}


def test_two_datasets_cannot_share_the_address_of_a_repository(tiny: Path) -> None:
    load(tiny)
    other = tiny.rename(tiny.with_name("other"))
    with pytest.raises(DatasetError, match="the dataset 'tiny' has a repository of this name already"):
        load(other)
    assert Dataset.objects.count() == 1


def test_a_run_finds_the_very_task_that_was_loaded(tiny: Path) -> None:
    prove(tiny)
    load(tiny)
    repository, task = find_on_disk(Task.objects.get())
    assert (repository.slug, task.slug) == ("calc", "add-negatives")
    (tiny / "calc/run_tests.sh").write_text("#!/bin/sh\nexit 0\n")
    with pytest.raises(LookupError, match="changed since it was loaded"):
        find_on_disk(Task.objects.get())


def test_a_dataset_that_stays_hidden_keeps_its_revision(tiny: Path) -> None:
    assert [load(tiny, hidden=hidden).revision for hidden in (True, None, False, None, True, None)] == [
        *(0, 0, 1, 2, 3, 3)
    ]


@pytest.mark.parametrize(
    ("twin_of", "stored"),
    [
        ({"repository": "calc", "task": "removed-add"}, "calc/removed-add"),
        ({"repository": "calc", "task": "<b>"}, ""),
        ({"repository": "calc"}, ""),
        ("calc/removed-add", ""),
    ],
)
def test_a_twin_names_its_original(tiny: Path, twin_of: object, stored: str) -> None:
    (task,) = (tiny / "calc" / "tasks").iterdir()
    record: dict[str, object] = {
        "schema_version": 1,
        "origin": "pull request",
        "measures": {"lines": 2},
        "twin_of": twin_of,
    }
    record["canary"] = read_dataset(tiny).canary
    (task / "generation.json").write_text(json.dumps(record), "utf-8")
    load(tiny)
    found = Task.objects.get()
    assert (found.origin, found.measures, found.twin_of) == ("pull request", {"lines": 2.0}, stored)


def test_a_scenario_is_one_task_for_each_persona(tiny: Path) -> None:
    add_workflow(tiny)
    load(tiny)
    rows = Task.objects.order_by("slug").values_list("slug", "mode", "scenario", "persona")
    assert list(rows) == [
        ("add-negatives", "code", "", ""),
        ("talk-negatives.default", "workflow", "talk-negatives", "default"),
        ("talk-negatives.toxic", "workflow", "talk-negatives", "toxic"),
    ]
    toxic = Task.objects.get(persona="toxic")
    assert toxic.workflow["objective"] == "Numbers below zero are understood everywhere."
    assert toxic.workflow["instructions"] == ["Handle the largest number, too.", "Say that it is finished."]
    assert set(toxic.workflow) == {"objective", "instructions", "limits"}
    assert toxic.title == "Talk about numbers below zero (toxic user)"
    assert Task.objects.get(slug="add-negatives").workflow == {}
    _, found = find_on_disk(toxic)
    assert found.slug == "talk-negatives.toxic"


def test_a_map_that_a_dataset_has_of_its_repository_is_stored(tiny: Path) -> None:
    nodes = [Node("sums.py", "add", 0, "function", 1, 5, {"code_lines": 4.0})]
    packed = tiny / "calc" / MAP_FILE
    packed.write_bytes(lzma.compress(dumps(build("calc", "d", nodes, static=()))))
    load(tiny)
    assert RepositoryMap.objects.get().digest == "d"
    for content, said in (
        (b"no map", "this is no file of xz"),
        (lzma.compress(b"{}"), "this is no code map"),
    ):
        packed.write_bytes(content)
        with pytest.raises(DatasetError, match=rf"{MAP_FILE}: {said}"):
            load(tiny)


def test_a_map_is_stored_again_only_if_its_file_is_newer(tiny: Path) -> None:
    (repository,) = read_dataset(tiny).repositories
    packed = tiny / "calc" / MAP_FILE

    def stored(lines: float) -> datetime:
        node = Node("sums.py", "add", 0, "function", 1, 5, {"code_lines": lines})
        packed.write_bytes(lzma.compress(dumps(build("calc", repository.digest, [node], static=()))))
        load(tiny)
        return RepositoryMap.objects.get().made_at

    first = stored(4.0)
    load(tiny)
    assert RepositoryMap.objects.get().made_at == first
    assert stored(5.0) > first
    assert b"5.0" in RepositoryMap.objects.get().content


def test_a_proof_is_written_when_it_changes_and_goes_with_its_file(
    tiny: Path,
) -> None:
    prove(tiny)
    load(tiny)
    content = TaskProof.objects.get().content
    assert Task.objects.get().proof == content
    assert len(content["fail_to_pass"] + content["pass_to_pass"]) == 8
    TaskProof.objects.update(content={})
    load(tiny)
    assert TaskProof.objects.get().content == {}  # it was not written again

    (path,) = tiny.rglob("proof.json")
    path.write_text(json.dumps({**json.loads(path.read_text()), "proved_at": "2026-01-01T00:00:00Z"}))
    load(tiny)
    assert TaskProof.objects.get().content == {**content, "proved_at": "2026-01-01T00:00:00Z"}
    path.unlink()
    load(tiny)
    assert (Task.objects.get().proof, TaskProof.objects.count()) == (None, 0)
