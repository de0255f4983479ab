"""Maps in the database, and the targets of generated tasks."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tasks.generation.maps.code_map import CodeMap, Node, Suite, build
from tasks.loading import load
from tasks.models import Repository, RepositoryMap, Task
from tasks.stored_maps import read_map, store_map, targets_of
from tests.harness.worlds import write_tiny_dataset

pytestmark = pytest.mark.django_db


@pytest.fixture
def calc(tmp_path: Path) -> Repository:
    return load(write_tiny_dataset(tmp_path)).repositories.get()


def a_map(digest: str = "d") -> CodeMap:
    nodes = [Node("sums.py", "add", 0, "function", 1, 5, {"code_lines": 4.0})]
    return build("calc", digest, nodes, static=(), suite=Suite(("t",), (), 1.0, 2.0, ((0,),)))


def test_a_repository_has_one_map_without_the_tests_that_reach_each_function(calc: Repository) -> None:
    store_map(calc, a_map("old"))
    store_map(calc, a_map("new"))
    stored = RepositoryMap.objects.get()
    found, made = read_map(stored), a_map("new")
    assert stored.digest == "new"
    assert made.suite is not None
    assert found == replace(made, suite=replace(made.suite, reached=()))


def test_a_new_map_is_a_new_version_of_the_data_unless_the_dataset_is_hidden(calc: Repository) -> None:
    before = calc.dataset.revision
    store_map(calc, a_map())
    calc.dataset.refresh_from_db()
    assert calc.dataset.revision == before + 1
    assert not calc.dataset.hidden


def test_targets_are_read_from_the_hidden_files_of_generated_tasks(calc: Repository) -> None:
    task = Task.objects.select_related("repository__dataset").get()
    assert targets_of([task]) == {}
    place = Path(task.repository.dataset.directory) / "calc/tasks/add-negatives/generation.json"
    target = {"path": "sums.py", "name": "add", "occurrence": 0}
    place.write_text(json.dumps({"schema_version": 1, "origin": "removed", "targets": [target]}))
    assert targets_of([task]) == {("sums.py", "add", 0): [task]}
    place.write_text("{")
    assert targets_of([task]) == {}
