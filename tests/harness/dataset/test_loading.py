"""Loading whole datasets and single tasks, and storing proofs."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import copytree, rmtree

import pytest

from harness.dataset import load_dataset, load_repository, load_task, write_proof
from harness.errors import ConfigurationError
from tests.harness.arena import tiny_proof
from tests.harness.dataset.test_idebench import problems
from tests.harness.published import write_published
from tests.harness.worlds import CANARY, write_tiny_dataset

TASK = "calc/tasks/add-negatives"


@pytest.mark.parametrize("write", [write_tiny_dataset, write_published])
class TestOneTaskOfMany:
    def test_it_equals_the_task_from_loading_the_whole_dataset(
        self, write: Callable[[Path], Path], tmp_path: Path
    ) -> None:
        directory = write(tmp_path)
        for repository, task in load_dataset(directory).tasks():
            alone, found = load_task(directory, repository.slug, task.slug, digest=task.digest)
            assert found == task
            assert alone == replace(repository, tasks=(task,))

    def test_a_changed_task_is_refused(self, write: Callable[[Path], Path], tmp_path: Path) -> None:
        directory = write(tmp_path)
        repository, task = next(load_dataset(directory).tasks())
        script = repository.directory / "run_tests.sh"
        script.write_text(script.read_text() + "\n")
        with pytest.raises(LookupError, match=f"{task.slug} changed since it was loaded"):
            load_task(directory, repository.slug, task.slug, digest=task.digest)

    def test_a_missing_task_is_reported(self, write: Callable[[Path], Path], tmp_path: Path) -> None:
        directory = write(tmp_path)
        repository, task = next(load_dataset(directory).tasks())
        for names in [("other", task.slug), (repository.slug, "other")]:
            with pytest.raises(LookupError, match=f"holds no task {'/'.join(names)} any more"):
                load_task(directory, *names, digest=task.digest)


def test_one_task_is_read_while_another_one_is_being_edited(dataset: Path) -> None:
    _, task = next(load_dataset(dataset).tasks())
    copytree(dataset / TASK, dataset / "calc/tasks/second")
    (dataset / "calc/tasks/second/task.toml").write_text("title = ")
    assert load_task(dataset, "calc", "add-negatives", digest=task.digest)[1] == task


def test_a_stored_proof_is_read(dataset: Path) -> None:
    _, task = next(load_dataset(dataset).tasks())
    write_proof(task, tiny_proof(task))
    _, again = next(load_dataset(dataset).tasks())
    assert again.proof == tiny_proof(task)
    assert again.admitted


def test_neither_layout(tmp_path: Path) -> None:
    assert problems(tmp_path) == [
        ("dataset.toml", "", "is missing"),
        (
            ".",
            "",
            "holds no repository: expected */repository.toml, or tasks/*/task_description.txt of IDE-Bench",
        ),
    ]


def test_a_proof_replaces_an_older_one_and_leaves_nothing_else_behind(dataset: Path) -> None:
    _, task = next(load_dataset(dataset).tasks())
    before = set((dataset / TASK).iterdir())
    (dataset / TASK / "proof.json.partial").write_text("{")
    assert write_proof(task, tiny_proof(task)) == dataset / TASK / "proof.json"
    path = write_proof(task, replace(tiny_proof(task), repeats=7))
    assert json.loads(path.read_text())["repeats"] == 7
    assert path.read_text().endswith("}\n")
    assert set((dataset / TASK).iterdir()) == before | {path}


def test_a_dataset_in_both_layouts_is_one_of_ours(dataset: Path, root: Path) -> None:
    copytree(root, dataset / "till", ignore=lambda *_: [".git"])
    assert [repository.slug for repository in load_dataset(dataset).repositories] == ["calc"]


def test_a_link_to_a_dataset_is_followed(dataset: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(dataset)
    assert load_dataset(tmp_path / "link").directory == dataset.resolve()


def test_a_repository_is_read_without_its_tasks_of_which_it_may_have_none(tmp_path: Path) -> None:
    directory = write_tiny_dataset(tmp_path)
    whole = load_dataset(directory).repository("calc")
    rmtree(directory / "calc/tasks")
    dataset, repository = load_repository(directory, "calc")
    assert (dataset.canary, repository.tasks) == (CANARY, ())
    assert repository.digest == whole.digest
    with pytest.raises(ConfigurationError, match="other"):
        load_repository(directory, "other")
