"""The twin of a repository on disk, and of its tasks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from harness.dataset import Dataset, Origin, Repository, Task, Tree, load_repository
from harness.dataset.starting import started
from harness.errors import ConfigurationError
from harness.patches import apply_patch
from tasks.generation.admitting import load_task_of
from tasks.generation.corrupting.candidates import Candidate
from tasks.generation.corrupting.removal import removed
from tasks.generation.corrupting.source_tree import SourceTree
from tasks.generation.renaming.twin import Renaming, changes, write_repository, write_twin_task
from tasks.generation.writing import write_task
from tests.tasks.generation.small import place_of, write_calc

RENAMING = Renaming({"add": "zuba", "largest": "romidek"}, {"sums": "tolid"})


def screened(candidate: Candidate) -> Candidate:
    failing = {"failing": ["t::one"], "failures": {"t::one": "NameError: largest"}}
    return replace(candidate, screening=failing)


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    """With a task whose target is `add`, and which is not admitted."""
    found, repository = load_repository(write_calc(tmp_path), "calc")
    tree = SourceTree.read(repository.source, Tree(repository.directory / "tests"))
    made = screened(removed(tree, place_of(tree, "add"), seed=1))
    write_task(
        repository.directory / "tasks",
        made,
        repository.source,
        canary=found.canary,
        measures={"code_lines": 1.0},
    )
    return found


def original(dataset: Dataset) -> tuple[Repository, Task]:
    (place,) = (dataset.directory / "calc/tasks").iterdir()
    return load_task_of(dataset.directory, "calc", place.name)


def texts(tree: Tree) -> Mapping[str, str]:
    return {file.path: (file.content or b"").decode() for file in tree.files()}


def test_the_twin_of_a_task_has_the_same_change_with_other_names(dataset: Dataset) -> None:
    repository, task = original(dataset)
    write_repository(repository, RENAMING, "calc-renamed")
    _, twin = load_repository(dataset.directory, "calc-renamed")

    directory = write_twin_task(repository, task, twin, RENAMING, canary=dataset.canary, seed=1)

    assert directory is not None
    renamed, written = load_task_of(dataset.directory, "calc-renamed", directory.name)
    assert written.generation is not None
    assert written.generation.origin is Origin.REMOVED
    assert [str(target) for target in written.targets] == ["calc/tolid.py: zuba"]
    assert written.generation.measures == {"code_lines": 1.0}
    assert written.generation.detail["twin_of"] == {"repository": "calc", "task": task.slug}
    begun = started(renamed, written).source
    assert texts(begun) == {
        file.path: (file.content or b"").decode() for file in RENAMING.tree(started(repository, task).source)
    }
    solved = {state.path: state for state in apply_patch(written.reference_diff.read_bytes(), begun.read)}
    assert (solved["calc/tolid.py"].content or b"").decode() == texts(twin.source)["calc/tolid.py"]
    for text in (written.title, written.slug, written.description):
        assert "add" not in text.split()
        assert "largest" not in text


def test_the_twin_of_a_repository_differs_in_names_alone(dataset: Dataset) -> None:
    repository, _ = original(dataset)
    directory = write_repository(repository, RENAMING, "calc-renamed")
    _, twin = load_repository(dataset.directory, "calc-renamed")
    assert not (directory / "tasks").exists()
    assert twin.title == f"{repository.title}, renamed"
    assert "calc/tolid.py" in twin.source.names()
    assert "calc/sums.py" not in twin.source.names()
    assert "def zuba(" in texts(twin.source)["calc/tolid.py"]
    assert texts(Tree(directory / "tests")) == {
        file.path: (file.content or b"").decode()
        for file in RENAMING.tree(Tree(repository.directory / "tests"))
    }
    with pytest.raises(ConfigurationError, match="exists already: choose another --slug"):
        write_repository(repository, RENAMING, "calc-renamed")


def test_changes_are_new_and_deleted_files(dataset: Dataset) -> None:
    repository, _ = original(dataset)
    found = {state.path: state.content is None for state in changes(repository.source, RENAMING)}
    assert found["calc/sums.py"] is True
    assert found["calc/tolid.py"] is False
    assert changes(repository.source, RENAMING.only([])) == []
    with pytest.raises(ConfigurationError, match="two files would get the same path"):
        changes(repository.source, Renaming({}, {"sums": "digits"}))


def test_a_task_without_a_start_has_no_twin(dataset: Dataset) -> None:
    repository, task = original(dataset)
    assert task.start is not None
    path = task.directory / "generation.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "origin": "release"}))
    repository, task = original(dataset)
    assert write_twin_task(repository, task, repository, RENAMING, canary=dataset.canary, seed=1) is None
